import { assert } from '@coin/base/assert'
import { CodedError } from '@coin/base/errors'
import type { Vesting } from '@coin/runtime/account'
import {
  addCoins,
  amountOf,
  type Coin,
  type Coins,
  checkCoins,
  equalCoins,
  formatCoins,
  isAllGte,
  noCoins,
  subCoins,
} from '@coin/wire/coins'
import { LegacyDec } from '@coin/wire/dec'

/** Nanoseconds in a second. */
const second = 1_000_000_000n

/** Go's int64: what passes 64 bits wraps around, which a schedule of huge periods can reach. */
const int64 = (value: bigint): bigint => BigInt.asIntN(64, value)

/** Whole seconds of a block time, as schedules count. */
export function secondsOf(timeNs: bigint): bigint {
  return timeNs / second
}

/** What has become free by `time` (seconds), whether it is delegated or not. */
export function vestedCoins(vesting: Vesting, time: bigint): Coins {
  const { kind, original, startTime, endTime } = vesting
  if (kind === 'permanent') return noCoins
  if (kind === 'base') return original
  if (kind === 'delayed') return time >= endTime ? original : noCoins
  if (time <= startTime) return noCoins
  if (time >= endTime) return original
  return kind === 'continuous' ? freedBy(vesting, time) : endedPeriods(vesting, time)
}

/** In proportion to the time, each denom rounded to the nearest unit. */
function freedBy({ original, startTime, endTime }: Vesting, time: bigint): Coins {
  const part = LegacyDec.ofInt(int64(time - startTime)).quo(LegacyDec.ofInt(int64(endTime - startTime)))
  return original
    .map(({ denom, amount }): Coin => ({ denom, amount: LegacyDec.ofInt(amount).mul(part).roundInt() }))
    .filter(({ amount }) => amount !== 0n)
}

function endedPeriods({ periods, startTime }: Vesting, time: bigint): Coins {
  let vested = noCoins
  let start = startTime
  for (const { length, amount } of periods) {
    if (int64(time - start) < length) break
    vested = addCoins(vested, amount)
    start = int64(start + length)
  }
  return vested
}

/** What is not yet free at `time` (seconds), whether it is delegated or not. */
export function vestingCoins(vesting: Vesting, time: bigint): Coins {
  return subCoins(vesting.original, vestedCoins(vesting, time))
}

/** What may not be spent at `time` (seconds): not yet free, and not delegated. */
export function lockedCoins(vesting: Vesting, time: bigint): Coins {
  return vestingCoins(vesting, time)
    .map(({ denom, amount }) => ({ denom, amount: amount - amountOf(vesting.delegatedVesting, denom) }))
    .filter(({ amount }) => amount > 0n)
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const one = (denom: string, amount: bigint): Coins => (amount === 0n ? noCoins : [{ denom, amount }])

/** Locked coins are delegated first. `balance` is what is held of the denoms in `amount`, before; asserts that it is enough. */
export function trackDelegation(vesting: Vesting, time: bigint, balance: Coins, amount: Coins): Vesting {
  const locked = vestingCoins(vesting, time)
  let { delegatedFree, delegatedVesting } = vesting
  for (const { denom, amount: delegated } of amount) {
    assert(delegated > 0n && amountOf(balance, denom) >= delegated, `delegation of ${delegated}${denom} without funds`)
    const left = amountOf(locked, denom) - amountOf(delegatedVesting, denom)
    const ofLocked = min(left > 0n ? left : 0n, delegated)
    delegatedVesting = addCoins(delegatedVesting, one(denom, ofLocked))
    delegatedFree = addCoins(delegatedFree, one(denom, delegated - ofLocked))
  }
  return { ...vesting, delegatedFree, delegatedVesting }
}

/** What was free comes back first. More than is tracked may come: a validator's rate is rounded in the delegator's favour. */
export function trackUndelegation(vesting: Vesting, amount: Coins): Vesting {
  let { delegatedFree, delegatedVesting } = vesting
  for (const { denom, amount: returned } of amount) {
    assert(returned > 0n, `undelegation of ${returned}${denom}`)
    const free = min(amountOf(delegatedFree, denom), returned)
    const locked = min(amountOf(delegatedVesting, denom), returned - free)
    delegatedFree = subCoins(delegatedFree, one(denom, free))
    delegatedVesting = subCoins(delegatedVesting, one(denom, locked))
  }
  return { ...vesting, delegatedFree, delegatedVesting }
}

/** The end of a schedule of periods, seconds; wraps around as 64-bit integers do. */
export function endOfPeriods(startTime: bigint, periods: Vesting['periods']): bigint {
  return periods.reduce((end, { length }) => int64(end + length), startTime)
}

/** What is wrong with the schedule, in the SDK's words; `undefined` when nothing is. */
export function vestingDefect(vesting: Vesting): string | undefined {
  const { kind, original, delegatedVesting, startTime, endTime } = vesting
  const hasStart = kind === 'continuous' || kind === 'periodic'
  if (hasStart && startTime >= endTime) return 'vesting start-time cannot be before end-time'
  if (kind === 'permanent' && endTime > 0n) return 'permanently vested accounts cannot have an end-time'
  const periods = kind === 'periodic' ? periodsDefect(vesting) : undefined
  if (periods !== undefined) return periods
  if (endTime < 0n) return 'end time cannot be negative'
  if (!isPositiveSet(original)) return `invalid coins: ${formatCoins(original)}`
  if (isAllGte(original, delegatedVesting)) return undefined
  return 'delegated vesting amount cannot be greater than original vesting amount'
}

function periodsDefect({ periods, startTime, endTime, original }: Vesting): string | undefined {
  let sum = noCoins
  for (const [index, { length, amount }] of periods.entries()) {
    if (length < 0n) return `period #${index} has a negative length: ${length}`
    if (!isPositiveSet(amount)) return `period #${index} has invalid coins: ${formatCoins(amount)}`
    sum = addCoins(sum, amount)
  }
  if (endOfPeriods(startTime, periods) !== endTime) {
    return 'vesting end time does not match length of all vesting periods'
  }
  if (equalCoins(sum, original)) return undefined
  const [held, periodic] = [formatCoins(original), formatCoins(sum)]
  return `original vesting coins (${held}) does not match the sum of all coins in vesting periods (${periodic})`
}

/** At least one coin, in strict order, every amount above zero. */
export function isPositiveSet(coins: Coins): boolean {
  if (coins.length === 0) return false
  try {
    checkCoins(coins)
    return true
  } catch (error) {
    if (error instanceof CodedError) return false
    throw error
  }
}
