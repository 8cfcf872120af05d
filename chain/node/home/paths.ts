import { join } from 'node:path'

/** Where everything of a node is; the same folders as the reference. Absolute paths. */
export interface HomePaths {
  readonly root: string
  readonly configDir: string
  readonly dataDir: string
  readonly appToml: string
  readonly configToml: string
  readonly clientToml: string
  readonly genesis: string
  readonly privValidatorKey: string
  readonly privValidatorState: string
  readonly nodeKey: string
}

/** The files of the home folder `root`, an absolute path, in their usual places. */
export function homePaths(root: string): HomePaths {
  const configDir = join(root, 'config')
  const dataDir = join(root, 'data')
  return {
    root,
    configDir,
    dataDir,
    appToml: join(configDir, 'app.toml'),
    configToml: join(configDir, 'config.toml'),
    clientToml: join(configDir, 'client.toml'),
    genesis: join(configDir, 'genesis.json'),
    privValidatorKey: join(configDir, 'priv_validator_key.json'),
    privValidatorState: join(dataDir, 'priv_validator_state.json'),
    nodeKey: join(configDir, 'node_key.json'),
  }
}
