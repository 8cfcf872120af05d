import { readFileSync } from 'node:fs'
import type { Vesting, VestingKind } from '@coin/runtime/account'
import { formatCoins, noCoins, parseCoins } from '@coin/wire/coins'
import { describe, expect, it } from 'vitest'
import { lockedCoins, trackDelegation, trackUndelegation, vestedCoins, vestingCoins, vestingDefect } from './vesting.js'

interface Recorded {
  readonly kind: VestingKind
  readonly original: string
  readonly start: string
  readonly end: string
  readonly periods: readonly { readonly length: number; readonly amount: string }[]
  readonly defect: string
  readonly moments: readonly { time: string; vested: string; vesting: string; locked: string }[]
  readonly steps: readonly {
    readonly undelegate: boolean
    readonly time: string
    readonly balance: string
    readonly amount: string
    readonly delegatedFree: string
    readonly delegatedVesting: string
    readonly locked: string
  }[]
}

const vectors = new URL('../../../../tests/vectors/reference/vesting-math.json', import.meta.url)
const { entries } = JSON.parse(readFileSync(vectors, 'utf8')) as { readonly entries: readonly Recorded[] }

function scheduleOf({ kind, original, start, end, periods }: Recorded): Vesting {
  return {
    ...{ kind, original: parseCoins(original), delegatedFree: noCoins, delegatedVesting: noCoins },
    ...{ startTime: BigInt(start), endTime: BigInt(end) },
    periods: periods.map(({ length, amount }) => ({ length: BigInt(length), amount: parseCoins(amount) })),
  }
}

describe('schedules of the reference', () => {
  it.each(['continuous', 'delayed', 'periodic', 'permanent'])('free the same at every time: %s', (kind) => {
    const own = entries.filter((entry) => entry.kind === kind)
    expect(own.length).toBeGreaterThanOrEqual(20)
    for (const entry of own) {
      const vesting = scheduleOf(entry)
      expect(vestingDefect(vesting) ?? '').toBe(entry.defect)
      for (const { time, vested, ...expected } of entry.moments) {
        const at = BigInt(time)
        // The reference shows denoms of which nothing is free yet with a zero.
        expect(vestedCoins(vesting, at)).toEqual(parseCoins(vested))
        expect({
          vesting: formatCoins(vestingCoins(vesting, at)),
          locked: formatCoins(lockedCoins(vesting, at)),
        }).toEqual(expected)
      }
    }
  })

  it('track delegations and their ends', () => {
    for (const entry of entries) {
      let vesting = scheduleOf(entry)
      for (const { undelegate, time, balance, amount, ...expected } of entry.steps) {
        const coins = parseCoins(amount)
        vesting = undelegate
          ? trackUndelegation(vesting, coins)
          : trackDelegation(vesting, BigInt(time), parseCoins(balance), coins)
        expect({
          delegatedFree: formatCoins(vesting.delegatedFree),
          delegatedVesting: formatCoins(vesting.delegatedVesting),
          locked: formatCoins(lockedCoins(vesting, BigInt(time))),
        }).toEqual(expected)
      }
    }
  })
})

describe('a schedule', () => {
  const coins = parseCoins('5ucoin')
  const of = (change: Partial<Vesting>): Vesting => ({
    ...{ kind: 'continuous', original: coins, delegatedFree: noCoins, delegatedVesting: noCoins },
    ...{ startTime: 10n, endTime: 20n, periods: [], ...change },
  })
  const periods = [
    { length: 4n, amount: parseCoins('2ucoin') },
    { length: 6n, amount: parseCoins('3ucoin') },
  ]

  it.each<readonly [string | undefined, Partial<Vesting>]>([
    [undefined, {}],
    [undefined, { kind: 'delayed', startTime: 0n }],
    [undefined, { kind: 'permanent', endTime: 0n }],
    [undefined, { kind: 'periodic', periods }],
    ['vesting start-time cannot be before end-time', { endTime: 10n }],
    ['vesting start-time cannot be before end-time', { kind: 'periodic', endTime: 10n, periods }],
    ['end time cannot be negative', { kind: 'delayed', endTime: -1n }],
    ['end time cannot be negative', { kind: 'base', endTime: -1n }],
    ['permanently vested accounts cannot have an end-time', { kind: 'permanent' }],
    ['invalid coins: ', { original: [] }],
    ['invalid coins: 0ucoin', { original: [{ denom: 'ucoin', amount: 0n }] }],
    ['invalid coins: -5ucoin', { original: [{ denom: 'ucoin', amount: -5n }] }],
    ['invalid coins: 5ucoin,5ucoin', { original: [...coins, ...coins] }],
    ['invalid coins: 5!', { original: [{ denom: '!', amount: 5n }] }],
    [
      'delegated vesting amount cannot be greater than original vesting amount',
      { delegatedVesting: parseCoins('6ucoin') },
    ],
    ['period #0 has a negative length: -1', { kind: 'periodic', periods: [{ ...periods[0]!, length: -1n }] }],
    ['period #0 has invalid coins: ', { kind: 'periodic', periods: [{ ...periods[0]!, amount: [] }] }],
    [
      'vesting end time does not match length of all vesting periods',
      { kind: 'periodic', periods: [...periods, periods[0]!] },
    ],
    [
      'original vesting coins (9ucoin) does not match the sum of all coins in vesting periods (5ucoin)',
      { kind: 'periodic', periods, original: parseCoins('9ucoin') },
    ],
  ])('has the defect: %s', (defect, change) => {
    expect(vestingDefect(of(change))).toBe(defect)
  })

  it('of nothing locks nothing', () => {
    expect(lockedCoins(of({ kind: 'base' }), 0n)).toEqual([])
  })
})
