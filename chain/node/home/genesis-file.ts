import { existsSync, readFileSync } from 'node:fs'
import { type Bytes, bytesToBase64, bytesToHex } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { type Genesis, parseGenesis } from '@coin/engine/genesis'
import { decodeBech32 } from '@coin/wire/bech32'
import type { Coin } from '@coin/wire/coins'
import { nodeErrors } from '../errors.js'
import { formatJsonFile, writeFileWhole } from './write-file.js'

export type JsonObject = { [key: string]: unknown }

/** genesis.json as it stands: the SDK's form, or CometBFT's with `consensus_params` at the top. */
export interface GenesisJson extends JsonObject {
  chain_id?: unknown
  app_state?: JsonObject
}

/** Reads and checks genesis.json in either form. Throws `badGenesis` with the path, the field and what is expected. */
export function readGenesisFile(path: string): { readonly genesis: Genesis; readonly json: GenesisJson } {
  if (!existsSync(path)) throw nodeErrors.badGenesis(`${path} is not there`)
  const text = readFileSync(path, 'utf8')
  try {
    return { genesis: parseGenesis(text), json: JSON.parse(text) as GenesisJson }
  } catch (error) {
    if (error instanceof CodedError) {
      const reason = error.message.replace(/: invalid genesis$/, '')
      throw nodeErrors.badGenesis(`${path}: ${reason}`)
    }
    throw error
  }
}

export function writeGenesisFile(path: string, genesis: GenesisJson): void {
  writeFileWhole(path, formatJsonFile(genesis))
}

export interface GenesisOptions {
  readonly chainId: string
  /** RFC 3339. */
  readonly time: string
  readonly appVersion: string
  /** Base denom, exponent 0: `ucoin`. */
  readonly denom: string
  /** What people count in, exponent 6: `COIN`. */
  readonly displayDenom: string
  /** Height of the first block; 1 when left out. */
  readonly initialHeight?: number
  /** The first block's only validator. */
  readonly validator: { readonly publicKey: Bytes; readonly address: Bytes; readonly name: string }
}

/**
 * Gas of a block of a new chain. The SDK's default has no limit: one transaction, free where no fee is asked for, could then run a
 * contract's endless loop for years. This much takes 2 s at the worst, and holds 1,200 transfers.
 */
const blockGasMax = '100000000'

/** A new chain of one validator without accounts. Modules that are left out start from their defaults. */
export function newGenesis(options: GenesisOptions): GenesisJson {
  const { validator } = options
  return {
    app_name: 'coind',
    app_version: options.appVersion,
    genesis_time: options.time,
    chain_id: options.chainId,
    initial_height: options.initialHeight ?? 1,
    app_hash: null,
    app_state: newAppState(options),
    consensus: {
      validators: [
        {
          address: bytesToHex(validator.address).toUpperCase(),
          pub_key: { type: 'tendermint/PubKeyEd25519', value: bytesToBase64(validator.publicKey) },
          power: '1',
          name: validator.name,
        },
      ],
      params: {
        block: { max_bytes: '22020096', max_gas: blockGasMax },
        evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
        validator: { pub_key_types: ['ed25519'] },
        version: { app: '0' },
        abci: { vote_extensions_enable_height: '0' },
      },
    },
  }
}

function newAppState({ denom, displayDenom }: GenesisOptions): JsonObject {
  const zero = '0.000000000000000000'
  return {
    auth: {
      params: {
        max_memo_characters: '256',
        tx_sig_limit: '7',
        tx_size_cost_per_byte: '10',
        sig_verify_cost_ed25519: '590',
        sig_verify_cost_secp256k1: '1000',
      },
      accounts: [],
    },
    bank: {
      params: { send_enabled: [], default_send_enabled: true },
      balances: [],
      supply: [],
      denom_metadata: [
        {
          description: `The native token of the chain; 1 ${displayDenom} is 1000000 ${denom}.`,
          denom_units: [
            { denom, exponent: 0, aliases: [] },
            { denom: displayDenom, exponent: 6, aliases: [] },
          ],
          base: denom,
          display: displayDenom,
          name: displayDenom,
          symbol: displayDenom,
          uri: '',
          uri_hash: '',
        },
      ],
      send_enabled: [],
    },
    mint: {
      minter: { inflation: zero, annual_provisions: zero },
      params: {
        mint_denom: denom,
        inflation_rate_change: zero,
        inflation_max: zero,
        inflation_min: zero,
        goal_bonded: '0.670000000000000000',
        blocks_per_year: '6311520',
      },
    },
  }
}

export function addressOfAccount(account: JsonObject): unknown {
  const inner = (account.base_account ?? account.base_vesting_account) as JsonObject | undefined
  return account.address ?? (inner === undefined ? undefined : addressOfAccount(inner))
}

/** What addresses begin with when neither configuration nor genesis say so. */
export const defaultBech32Prefix = 'coin'

/** The address prefix of the chain: of the first address in the genesis that can be read, otherwise `coin`. */
export function prefixOfGenesis(genesis: GenesisJson): string {
  return shownPrefixOf(genesis) ?? defaultBech32Prefix
}

/** The prefix of the first address in the genesis that can be read; undefined when there is none. */
function shownPrefixOf({ app_state: state }: GenesisJson): string | undefined {
  const auth = (state?.auth as JsonObject | undefined)?.accounts
  const bank = (state?.bank as JsonObject | undefined)?.balances
  const addresses = [
    ...(Array.isArray(auth) ? auth.map(addressOfAccount) : []),
    ...(Array.isArray(bank) ? bank.map(({ address }) => address) : []),
  ]
  for (const address of addresses) {
    if (typeof address !== 'string') continue
    try {
      return decodeBech32(address).prefix
    } catch {
      // Whoever starts the chain gets told what is wrong with it; another address may show the prefix.
    }
  }
  return undefined
}

/**
 * The prefix that the node of this genesis, read from `path`, uses: `wanted` of app.toml, otherwise what the genesis shows. Throws
 * `badConfig` when they are not the same.
 */
export function addressPrefix(wanted: string, genesis: GenesisJson, path: string): string {
  const shown = shownPrefixOf(genesis)
  if (wanted === '' || shown === undefined || shown === wanted) return wanted || prefixOfGenesis(genesis)
  throw nodeErrors.badConfig(
    `bech32-prefix is "${wanted}", but the addresses in ${path} begin with "${shown}"; left empty in app.toml it is taken from there`,
  )
}

/** The denom that fees and parameters default to: of x/mint, x/staking or the first coin described, otherwise `ucoin`. */
export function denomOfGenesis({ app_state: state }: GenesisJson): string {
  const at = (...path: readonly (string | number)[]): unknown =>
    path.reduce<unknown>((value, name) => (value as Record<string | number, unknown> | null | undefined)?.[name], state)
  const found = [
    at('mint', 'params', 'mint_denom'),
    at('staking', 'params', 'bond_denom'),
    at('bank', 'denom_metadata', 0, 'base'),
    at('bank', 'supply', 0, 'denom'),
  ].find((denom): denom is Coin['denom'] => typeof denom === 'string' && denom !== '')
  return found ?? 'ucoin'
}
