import { existsSync, rmSync } from 'node:fs'
import type { Bytes } from '@coin/base/bytes'
import { formatSignState } from '@coin/engine/embedded/signer'
import { checkBech32Prefix } from '@coin/wire/bech32'
import { checkDenom } from '@coin/wire/coins'
import { clientForm } from '../config/client-config.js'
import { appForm, cometForm } from '../config/node-config.js'
import { formatTomlFile } from '../config/toml-file.js'
import { nodeErrors } from '../errors.js'
import { defaultBech32Prefix, type GenesisJson, newGenesis, writeGenesisFile } from './genesis-file.js'
import { requireStopped } from './in-use.js'
import { formatNodeKey, formatPrivValidatorKey, newEd25519Key, nodeIdOf } from './key-files.js'
import { homePaths } from './paths.js'
import { writeFileWhole } from './write-file.js'

export interface InitOptions {
  /** Absolute. */
  readonly root: string
  readonly moniker: string
  readonly chainId: string
  readonly denom: string
  readonly displayDenom: string
  readonly bech32Prefix: string
  readonly appVersion: string
  /** RFC 3339; the time of block 1 is not before it. */
  readonly genesisTime: string
  /** Height of the first block; 1 unless the chain goes on from another one. */
  readonly initialHeight?: number
  /** 32 bytes that the validator's key is made from; by default new ones. */
  readonly validatorSeed?: Bytes
  /** Replace what is there. The keys and the chain of the old node are lost then. */
  readonly overwrite: boolean
}

export interface InitResult {
  readonly nodeId: string
  readonly genesis: GenesisJson
}

/**
 * Makes the home folder of a new chain with one validator, which is this node: keys, genesis and configuration. Throws
 * `homeExists` and changes nothing when there is a node already, the store's `locked` when that node runs, and `badConfig` for
 * options that no chain can have.
 */
export function initHome(options: InitOptions): InitResult {
  const { root, moniker, chainId, denom, bech32Prefix } = options
  const paths = homePaths(root)
  if (!options.overwrite && (existsSync(paths.genesis) || existsSync(paths.privValidatorKey))) {
    throw nodeErrors.homeExists(`${paths.genesis} is there; --overwrite replaces the node, its keys and its chain`)
  }
  if (chainId === '' || chainId.length > 50)
    throw nodeErrors.badConfig(`chain id "${chainId}", expected 1 to 50 characters`)
  if (moniker.trim() === '') throw nodeErrors.badConfig('the moniker is empty')
  checkDenom(denom)
  checkDenom(options.displayDenom)
  checkBech32Prefix(bech32Prefix)
  requireStopped(paths)
  // Blocks of the old chain fit neither the new genesis nor the new key.
  rmSync(paths.dataDir, { recursive: true, force: true })
  const validator = newEd25519Key(options.validatorSeed)
  const nodeKey = newEd25519Key()
  const genesis = newGenesis({
    chainId,
    time: options.genesisTime,
    appVersion: options.appVersion,
    denom,
    displayDenom: options.displayDenom,
    initialHeight: options.initialHeight ?? 1,
    validator: { ...validator, name: moniker },
  })
  const quoted = (text: string) => JSON.stringify(text)
  const app = new Map([
    ['minimum-gas-prices', quoted(`0${denom}`)],
    // Left empty for the default, so that a genesis file of another chain may be put here and brings its own.
    ...(bech32Prefix === defaultBech32Prefix ? [] : [['bech32-prefix', quoted(bech32Prefix)] as const]),
  ])
  writeFileWhole(paths.appToml, formatTomlFile(appForm, app))
  writeFileWhole(paths.configToml, formatTomlFile(cometForm, new Map([['moniker', quoted(moniker)]])))
  writeFileWhole(paths.clientToml, formatTomlFile(clientForm, new Map([['chain-id', quoted(chainId)]])))
  writeFileWhole(paths.nodeKey, formatNodeKey(nodeKey))
  writeFileWhole(paths.privValidatorKey, formatPrivValidatorKey(validator))
  writeFileWhole(paths.privValidatorState, formatSignState({ height: 0, round: 0, step: 0 }))
  writeGenesisFile(paths.genesis, genesis)
  return { nodeId: nodeIdOf(nodeKey), genesis }
}
