import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { Settings } from './settings.js'
import type { Overrides } from './toml-file.js'

/** The environment, as `process.env`. This folder is the only place of the node that looks at it. */
export type Environment = Readonly<Record<string, string | undefined>>

/** `~/.coind`, unless `COIND_HOME` or a flag says otherwise. */
export function homeFolder(flag: string | undefined, environment: Environment): string {
  return resolve(flag ?? environment.COIND_HOME ?? `${homedir()}/.coind`)
}

/** Passphrase of the file keyring for use without a terminal. */
export function passphraseOf(environment: Environment): string | undefined {
  return environment.COIND_KEYRING_PASSPHRASE
}

/** `api.rpc-max-body-bytes` -> `COIND_API_RPC_MAX_BODY_BYTES` */
export function environmentName(key: string): string {
  return `COIND_${key.toUpperCase().replaceAll(/[.-]/g, '_')}`
}

/** Values of settings from the environment and then from flags, which win; flags are named as the keys. */
export function overridesOf(
  settings: Settings,
  environment: Environment,
  flags: Readonly<Record<string, string | undefined>> = {},
): Overrides {
  const overrides = new Map<string, { text: string; from: string }>()
  for (const key of Object.keys(settings)) {
    const name = environmentName(key)
    const fromEnvironment = environment[name]
    if (fromEnvironment !== undefined) overrides.set(key, { text: fromEnvironment, from: name })
    const fromFlag = flags[key]
    if (fromFlag !== undefined) overrides.set(key, { text: fromFlag, from: `--${key}` })
  }
  return overrides
}
