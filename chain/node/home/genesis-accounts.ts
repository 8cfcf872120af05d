import { readFileSync } from 'node:fs'
import { createAddressCodec } from '@coin/wire/addresses'
import { addCoins, type Coins, coinsFromProto, coinsOf, coinsToProto, isAllGte, type ProtoCoin } from '@coin/wire/coins'
import { fileReason, nodeErrors } from '../errors.js'
import { addressOfAccount, type GenesisJson, type JsonObject } from './genesis-file.js'

/** An account with what it holds when the chain starts. */
export interface GenesisAccount {
  readonly address: string
  readonly coins: Coins
  /** Makes it the account of this module, which may mint and burn. */
  readonly moduleName?: string | undefined
  /** Makes it an account whose coins are freed over time; goes before `moduleName`. */
  readonly vesting?: GenesisVesting | undefined
}

/** Seconds since the Unix epoch. Freed all along with a start, otherwise at the end. */
export interface GenesisVesting {
  readonly amount: Coins
  readonly start: bigint
  readonly end: bigint
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
  for (const account of accounts) {
    const { address, coins } = account
    checkVesting(account)
    if (known.has(address) && !append)
      throw nodeErrors.badGenesis(`account ${address} is there already; --append gives it more`)
    if (!known.has(address)) auth.push(accountJson(account))
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

/** Throws `badGenesis` for a schedule that cannot be: the checks of the SDK's command, in its words. */
function checkVesting({ coins, vesting }: GenesisAccount): void {
  if (vesting === undefined) return
  const { amount, start, end } = vesting
  if (end < 0n) throw nodeErrors.badGenesis('end time cannot be negative')
  if (!isAllGte(coins, amount)) throw nodeErrors.badGenesis('vesting amount cannot be greater than total amount')
  if (end === 0n) {
    throw nodeErrors.badGenesis('invalid vesting parameters; must supply start and end time or end time')
  }
  if (start !== 0n && start >= end) throw nodeErrors.badGenesis('vesting start-time cannot be before end-time')
}

function accountJson({ address, moduleName, vesting }: GenesisAccount): JsonObject {
  const base = { address, pub_key: null, account_number: '0', sequence: '0' }
  if (vesting !== undefined) {
    const own = {
      ...{ base_account: base, original_vesting: coinsToProto(vesting.amount), delegated_free: [] },
      ...{ delegated_vesting: [], end_time: `${vesting.end}` },
    }
    const type = vesting.start === 0n ? 'DelayedVestingAccount' : 'ContinuousVestingAccount'
    const start = vesting.start === 0n ? {} : { start_time: `${vesting.start}` }
    return { '@type': `/cosmos.vesting.v1beta1.${type}`, base_vesting_account: own, ...start }
  }
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
 * A file of accounts: `[{"address": "coin1...", "coins": [{"denom": "ucoin", "amount": "5"}], "module_name": "..."}]`, or with
 * `"vesting_amt": [coins], "vesting_start": seconds, "vesting_end": seconds`. Throws `badFile` with the entry and the field.
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
      const { address, coins, module_name: moduleName } = entry ?? {}
      if (typeof address !== 'string') throw nodeErrors.badFile(`address is ${JSON.stringify(address)}`)
      if (moduleName !== undefined && typeof moduleName !== 'string')
        throw nodeErrors.badFile(`module_name is ${JSON.stringify(moduleName)}`)
      codec.decode(address)
      return {
        address,
        coins: coinsOf(coinsFromProto((coins ?? []) as ProtoCoin[])),
        moduleName,
        vesting: vestingIn(entry ?? {}),
      }
    } catch (error) {
      throw nodeErrors.badFile(`${path}: account ${i}: ${(error as Error).message}`)
    }
  })
}

/** Without coins there is no schedule, whatever the times are. */
function vestingIn(entry: JsonObject): GenesisVesting | undefined {
  const amount = coinsOf(coinsFromProto((entry.vesting_amt ?? []) as ProtoCoin[]))
  const [start, end] = [secondsIn(entry, 'vesting_start'), secondsIn(entry, 'vesting_end')]
  return amount.length === 0 ? undefined : { amount, start, end }
}

function secondsIn(entry: JsonObject, name: string): bigint {
  const value = entry[name] ?? 0
  if (Number.isSafeInteger(value)) return BigInt(value as number)
  throw nodeErrors.badFile(`${name} is ${JSON.stringify(value)}, expected seconds since 1970 as a whole number`)
}
