import { readFileSync } from 'node:fs'
import { createAddressCodec } from '@coin/wire/addresses'
import { addCoins, type Coins, coinsFromProto, coinsOf, coinsToProto, type ProtoCoin } from '@coin/wire/coins'
import { fileReason, nodeErrors } from '../errors.js'
import { addressOfAccount, type GenesisJson, type JsonObject } from './genesis-file.js'

/** An account with what it holds when the chain starts. */
export interface GenesisAccount {
  readonly address: string
  readonly coins: Coins
  /** Makes it the account of this module, which may mint and burn. */
  readonly moduleName?: string | undefined
}

const objectOf = (parent: JsonObject, name: string): JsonObject => {
  parent[name] ??= {}
  return parent[name] as JsonObject
}

const listOf = (parent: JsonObject, name: string): JsonObject[] => {
  parent[name] ??= []
  return parent[name] as JsonObject[]
}

/**
 * Adds accounts and their coins, and the coins to the supply. Throws `badGenesis` for an account that is there already, unless
 * `append` gives it the coins on top.
 */
export function addGenesisAccounts(genesis: GenesisJson, accounts: readonly GenesisAccount[], append = false): void {
  const state = objectOf(genesis, 'app_state')
  const auth = listOf(objectOf(state, 'auth'), 'accounts')
  const bank = objectOf(state, 'bank')
  const balances = listOf(bank, 'balances')
  const known = new Set([...auth.map(addressOfAccount), ...balances.map(({ address }) => address)])
  let supply = coinsIn(bank, 'supply')
  for (const { address, coins, moduleName } of accounts) {
    if (known.has(address) && !append)
      throw nodeErrors.badGenesis(`account ${address} is there already; --append gives it more`)
    if (!known.has(address)) auth.push(accountJson(address, moduleName))
    known.add(address)
    addBalance(balances, address, coins)
    supply = addCoins(supply, coins)
  }
  bank.supply = coinsToProto(supply)
}

function addBalance(balances: JsonObject[], address: string, coins: Coins): void {
  if (coins.length === 0) return
  const balance = balances.find((entry) => entry.address === address)
  if (balance === undefined) balances.push({ address, coins: coinsToProto(coins) })
  else balance.coins = coinsToProto(addCoins(coinsIn(balance, 'coins'), coins))
}

const coinsIn = (parent: JsonObject, name: string): Coins =>
  coinsOf(coinsFromProto(listOf(parent, name) as unknown as ProtoCoin[]))

function accountJson(address: string, moduleName: string | undefined): JsonObject {
  const base = { address, pub_key: null, account_number: '0', sequence: '0' }
  if (moduleName === undefined) return { '@type': '/cosmos.auth.v1beta1.BaseAccount', ...base }
  const permissions = ['burner', 'minter']
  return { '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account: base, name: moduleName, permissions }
}

/** What an account of the genesis holds of a denom; undefined when it has no balance at all. */
export function balanceInGenesis(genesis: GenesisJson, address: string, denom: string): bigint | undefined {
  const bank = objectOf(objectOf(genesis, 'app_state'), 'bank')
  const balance = listOf(bank, 'balances').find((entry) => entry.address === address)
  return balance && (coinsIn(balance, 'coins').find((coin) => coin.denom === denom)?.amount ?? 0n)
}

/**
 * A file of accounts: `[{"address": "coin1...", "coins": [{"denom": "ucoin", "amount": "5"}], "module_name": "..."}]`. Throws
 * `badFile` with the entry and the field.
 */
export function readAccountsFile(path: string, prefix: string): readonly GenesisAccount[] {
  let list: unknown
  try {
    list = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw nodeErrors.badFile(`${path}: ${fileReason(error)}`)
  }
  if (!Array.isArray(list)) throw nodeErrors.badFile(`${path}: expected a list of accounts`)
  const codec = createAddressCodec(prefix)
  return list.map((entry: JsonObject | null, i) => {
    try {
      const vesting = ['vesting_amt', 'vesting_start', 'vesting_end'].find((name) => entry?.[name] !== undefined)
      if (vesting !== undefined) throw noVesting(vesting)
      const { address, coins, module_name: moduleName } = entry ?? {}
      if (typeof address !== 'string') throw nodeErrors.badFile(`address is ${JSON.stringify(address)}`)
      if (moduleName !== undefined && typeof moduleName !== 'string')
        throw nodeErrors.badFile(`module_name is ${JSON.stringify(moduleName)}`)
      codec.decode(address)
      return { address, coins: coinsOf(coinsFromProto((coins ?? []) as ProtoCoin[])), moduleName }
    } catch (error) {
      throw nodeErrors.badFile(`${path}: account ${i}: ${(error as Error).message}`)
    }
  })
}

export function noVesting(what: string) {
  return nodeErrors.notBuilt(`${what}: this chain has no vesting accounts yet (x/auth/vesting)`)
}
