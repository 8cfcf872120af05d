import { bytesToBase64, bytesToHex } from '@coin/base/bytes'
import type { Genesis } from '@coin/engine/genesis'
import { formatTimeRfc3339Nano, nsToTimestamp } from '@coin/wire/time'
import { nodeErrors } from '../errors.js'
import { consensusParamsJson } from '../rpc/comet-json.js'
import { version } from '../version.js'
import type { GenesisJson } from './genesis-file.js'
import type { StateView } from './state-view.js'

export interface ExportOptions {
  /** 0 is the last one. */
  readonly height: number
  /** The new chain begins at height 1, not behind this one. */
  readonly forZeroHeight: boolean
  /** Names of modules; empty exports all. */
  readonly modules: readonly string[]
}

/**
 * The state after a block as a genesis file: the chain that starts from it has the same balances, contracts and validators, and its
 * first block the time of that block. Throws `badFlag` for a height that is not kept.
 */
export function exportChain(
  { app, blocks, available }: StateView,
  genesis: Genesis,
  options: ExportOptions,
): GenesisJson {
  const height = options.height === 0 ? app.height() : options.height
  if (height < available.earliest || height > available.latest)
    throw nodeErrors.badFlag(
      `height ${height} cannot be exported; the state of ${available.earliest} to ${available.latest} is there`,
    )
  const block = blocks.meta(height)
  const validators = blocks.validators(height + 1)
  const params = blocks.consensusParams(height + 1)
  if (block === undefined || validators === undefined || params === undefined)
    throw nodeErrors.badFlag(`height ${height} cannot be exported: its block is not kept`)
  const state = app.exportGenesis(options.height)
  const unknown = options.modules.find((name) => state[name] === undefined)
  if (unknown !== undefined)
    throw nodeErrors.badFlag(`module "${unknown}" is not there, expected ${Object.keys(state).join(', ')}`)
  const isWanted = (name: string) => options.modules.length === 0 || options.modules.includes(name)
  const names = new Map(genesis.validators.map(({ address, name }) => [bytesToHex(address), name]))
  return {
    app_name: 'coind',
    app_version: version,
    genesis_time: formatTimeRfc3339Nano(nsToTimestamp(block.header.time)),
    chain_id: genesis.chainId,
    initial_height: options.forZeroHeight ? 1 : height + 1,
    app_hash: null,
    app_state: Object.fromEntries(Object.entries(state).filter(([name]) => isWanted(name))),
    consensus: {
      validators: validators.validators.map(({ address, keyType, pubKey, power }) => ({
        address: bytesToHex(address).toUpperCase(),
        pub_key: { type: keyNames[keyType], value: bytesToBase64(pubKey) },
        power: String(power),
        name: names.get(bytesToHex(address)) ?? '',
      })),
      params: consensusParamsJson(params),
    },
  }
}

const keyNames = { ed25519: 'tendermint/PubKeyEd25519', secp256k1: 'tendermint/PubKeySecp256k1' } as const
