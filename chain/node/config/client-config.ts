import { existsSync } from 'node:fs'
import { prefixOfGenesis, readGenesisFile } from '../home/genesis-file.js'
import { homePaths } from '../home/paths.js'
import { clientSettings, clientUnused } from './client-settings.js'
import { type Environment, overridesOf } from './environment.js'
import { appForm } from './node-config.js'
import type { Values } from './settings.js'
import { readTomlFile } from './toml-file.js'

export const clientForm = { name: 'client.toml', settings: clientSettings, unused: clientUnused } as const

/** Defaults of the command line, with flags and environment on top. */
export type ClientConfig = Values<typeof clientSettings>

/** Reads client.toml of a home folder, if it is there. `flags` are named as the keys. Throws `badConfig`. */
export function loadClientConfig(
  root: string,
  environment: Environment,
  flags: Readonly<Record<string, string | undefined>>,
): { readonly config: ClientConfig; readonly warnings: readonly string[] } {
  const { values, warnings } = readTomlFile(
    homePaths(root).clientToml,
    clientForm,
    overridesOf(clientSettings, environment, flags),
  )
  return { config: values, warnings }
}

/** The account prefix of a home folder: what is set, otherwise what its genesis shows, otherwise `coin`. */
export function bech32PrefixOf(root: string, environment: Environment, flag: string | undefined): string {
  const { appToml, genesis } = homePaths(root)
  const overrides = overridesOf(appForm.settings, environment, { 'bech32-prefix': flag })
  const set = readTomlFile(appToml, appForm, overrides).values['bech32-prefix']
  if (set !== '') return set
  return existsSync(genesis) ? prefixOfGenesis(readGenesisFile(genesis).json) : 'coin'
}
