import { LegacyDec } from './dec.js'
import { errors, excerpt } from './errors.js'
import { checkInt, parseInt256 } from './int.js'

/** An amount of base units of one denom. */
export interface Coin {
  readonly denom: string
  readonly amount: bigint
}

/** The protobuf form, `cosmos.base.v1beta1.Coin`: the amount in decimal digits. */
export interface ProtoCoin {
  denom: string
  amount: string
}

/** A set of coins: sorted by denom, each denom once, every amount above zero. What these functions return always is one. */
export type Coins = readonly Coin[]

export const noCoins: Coins = Object.freeze([])

const denomPattern = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/
const coinPattern = /^([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/

export function isDenom(denom: string): boolean {
  return denomPattern.test(denom)
}

/** Throws `badDenom` unless `denom` is 3 to 128 characters: a letter, then letters, digits or `/:._-`. */
export function checkDenom(denom: string): void {
  if (!isDenom(denom)) {
    throw errors.badDenom(`${excerpt(denom)}, expected a letter and then 2 to 127 letters, digits or "/:._-"`)
  }
}

const denomOrder = (a: { readonly denom: string }, b: { readonly denom: string }): number =>
  a.denom < b.denom ? -1 : a.denom > b.denom ? 1 : 0

/** Throws `badDenom` or `badCoins` unless the coins are a set: valid denoms in strict order, amounts above zero. */
export function checkCoins(coins: readonly Coin[]): void {
  for (const [index, coin] of coins.entries()) {
    checkDenom(coin.denom)
    if (coin.amount <= 0n) throw errors.badCoins(`${formatCoin(coin)}: the amount is not positive`)
    const before = coins[index - 1]
    if (before === undefined || before.denom < coin.denom) continue
    throw errors.badCoins(before.denom === coin.denom ? `${coin.denom} is given twice` : `${coin.denom} is not sorted`)
  }
}

/** The set of the given coins: sums per denom, sorted, without zeros. Throws as `checkCoins` does for a negative sum. */
export function coinsOf(coins: readonly Coin[]): Coins {
  if (coins.length === 0) return noCoins
  const sums = new Map<string, bigint>()
  for (const { denom, amount } of coins) sums.set(denom, checkInt((sums.get(denom) ?? 0n) + amount))
  const set = [...sums].filter(([, amount]) => amount !== 0n).map(([denom, amount]) => ({ denom, amount }))
  set.sort(denomOrder)
  checkCoins(set)
  return set
}

export function formatCoin({ denom, amount }: Coin): string {
  return `${amount}${denom}`
}

/** `'5aaa,7ucoin'`, as events and logs have it; empty for no coins. */
export function formatCoins(coins: readonly Coin[]): string {
  return coins.map(formatCoin).join(',')
}

/** `'7ucoin'`. Throws `badCoins` unless it is whole digits and a denom. */
export function parseCoin(text: string): Coin {
  const match = coinPattern.exec(text.trim())
  if (match === null || match[1]!.includes('.')) {
    throw errors.badCoins(`${excerpt(text)}, expected a whole number and a denom like 1000ucoin`)
  }
  return { denom: match[2]!, amount: parseInt256(match[1]!) }
}

/** `'7ucoin,5aaa'` in any order; zeros are left out; empty is none. Throws `badCoins`, also for a denom given twice. */
export function parseCoins(text: string): Coins {
  if (text.trim() === '') return noCoins
  const coins = text.split(',').map(parseCoin)
  if (new Set(coins.map(({ denom }) => denom)).size !== coins.length) {
    throw errors.badCoins(`${excerpt(text)} gives a denom twice`)
  }
  return coinsOf(coins)
}

export function amountOf(coins: readonly Coin[], denom: string): bigint {
  for (const coin of coins) if (coin.denom === denom) return coin.amount
  return 0n
}

/** Throws `outOfRange` when a sum passes 256 bits. */
export function addCoins(a: Coins, b: Coins): Coins {
  if (a.length === 0) return b
  if (b.length === 0) return a
  return mergeCoins(a, b, 1n)
}

/** `a - b`. Throws `insufficientCoins` when `b` has more of some denom. */
export function subCoins(a: Coins, b: Coins): Coins {
  if (b.length === 0) return a
  const result = mergeCoins(a, b, -1n)
  const short = result.find(({ amount }) => amount < 0n)
  if (short !== undefined) {
    const { denom } = short
    throw errors.insufficientCoins(`${amountOf(a, denom)}${denom} is less than ${amountOf(b, denom)}${denom}`)
  }
  return result
}

/** Merges two sorted sets; sums of zero disappear. */
function mergeCoins(a: Coins, b: Coins, sign: 1n | -1n): Coins {
  const merged: Coin[] = []
  const push = (denom: string, amount: bigint) => {
    if (amount !== 0n) merged.push({ denom, amount: checkInt(amount) })
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    const left = a[i]
    const right = b[j]
    if (right === undefined || (left !== undefined && left.denom < right.denom)) {
      merged.push(left!)
      i++
    } else if (left === undefined || right.denom < left.denom) {
      push(right.denom, sign * right.amount)
      j++
    } else {
      push(left.denom, left.amount + sign * right.amount)
      i++
      j++
    }
  }
  return merged
}

/** Whether `a` holds at least `b` of every denom in `b`. */
export function isAllGte(a: Coins, b: Coins): boolean {
  return b.every(({ denom, amount }) => amountOf(a, denom) >= amount)
}

/** Whether `a` reaches `b` in at least one denom; false when either is empty. */
export function isAnyGte(a: Coins, b: Coins): boolean {
  return a.some(({ denom, amount }) => {
    const wanted = amountOf(b, denom)
    return wanted > 0n && amount >= wanted
  })
}

export function equalCoins(a: Coins, b: Coins): boolean {
  return a.length === b.length && a.every(({ denom, amount }, i) => denom === b[i]!.denom && amount === b[i]!.amount)
}

/** One coin as given, unchecked apart from its digits. Throws `badInteger` or `outOfRange`. */
export function coinFromProto({ denom, amount }: Readonly<ProtoCoin>): Coin {
  return { denom, amount: parseInt256(amount) }
}

/** As given, in order and unchecked apart from the digits: a message's own `check` decides with `checkCoins`. */
export function coinsFromProto(coins: readonly Readonly<ProtoCoin>[]): Coins {
  return coins.map(coinFromProto)
}

export function coinToProto({ denom, amount }: Coin): ProtoCoin {
  return { denom, amount: amount.toString() }
}

export function coinsToProto(coins: Coins): ProtoCoin[] {
  return coins.map(coinToProto)
}

/** A decimal amount of one denom: a gas price. */
export interface DecCoin {
  readonly denom: string
  readonly amount: LegacyDec
}

/** Sorted by denom, each denom once, every amount above zero. */
export type DecCoins = readonly DecCoin[]

/** `'0.025ucoin'`. Throws `badCoins` or `badDecimal`. */
export function parseDecCoin(text: string): DecCoin {
  const match = coinPattern.exec(text.trim())
  if (match === null) throw errors.badCoins(`${excerpt(text)}, expected a decimal and a denom like 0.025ucoin`)
  return { denom: match[2]!, amount: LegacyDec.parse(match[1]!.replace(/^\./, '0.')) }
}

/** `'0.025ucoin,1stake'` in any order; zeros are left out. Throws `badCoins`, also for a denom given twice. */
export function parseDecCoins(text: string): DecCoins {
  if (text.trim() === '') return []
  const coins = text.split(',').map(parseDecCoin)
  if (new Set(coins.map(({ denom }) => denom)).size !== coins.length) {
    throw errors.badCoins(`${excerpt(text)} gives a denom twice`)
  }
  return coins.filter(({ amount }) => !amount.isZero()).sort(denomOrder)
}

/** `'0.025000000000000000ucoin'`. */
export function formatDecCoins(coins: DecCoins): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}
