import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addCoins,
  amountOf,
  type Coins,
  checkCoins,
  coinsFromProto,
  coinsOf,
  coinsToProto,
  equalCoins,
  formatCoins,
  formatDecCoins,
  isAllGte,
  isAnyGte,
  isDenom,
  parseCoin,
  parseCoins,
  parseDecCoins,
  subCoins,
} from './coins.js'
import { intMax } from './int.js'

const coins: fc.Arbitrary<Coins> = fc
  .array(fc.record({ denom: fc.constantFrom('aaa', 'bbb', 'ucoin', 'ibc/AB'), amount: fc.bigInt(1n, 1000n) }), {
    maxLength: 6,
  })
  .map((list) => coinsOf(list))

describe('coins', () => {
  it('knows denoms', () => {
    for (const denom of [
      'ucoin',
      'abc',
      'ibc/27394FB092D2ECCD56123C74F36E4C1F',
      'factory/coin1x/a.b_c-d:e',
      `a${'b'.repeat(127)}`,
    ]) {
      expect(isDenom(denom)).toBe(true)
    }
    for (const denom of ['', 'ab', '1ab', 'a b', 'äbc', 'abc\n', `a${'b'.repeat(128)}`, 'a$b'])
      expect(isDenom(denom)).toBe(false)
  })

  it('parses sets in any order and prints them sorted', () => {
    expect(formatCoins(parseCoins('7ucoin, 5aaa,0zzz'))).toBe('5aaa,7ucoin')
    expect(parseCoins('')).toEqual([])
    expect(parseCoin('100 ucoin')).toEqual({ denom: 'ucoin', amount: 100n })
    expect(formatDecCoins(parseDecCoins('1stake,0.025ucoin,0zzz'))).toBe(
      '1.000000000000000000stake,0.025000000000000000ucoin',
    )
  })

  it.each([
    'ucoin',
    '1',
    '-1ucoin',
    '1.5ucoin',
    '1ucoin,1ucoin',
    '1ucoin,,2aaa',
    '1ucoin;2aaa',
    `1${'0'.repeat(80)}ucoin`,
  ])('refuses %j', (text) => {
    expect(() => parseCoins(text)).toThrow()
  })

  it('tells what is wrong with a list that is no set', () => {
    const coin = (amount: bigint, denom: string) => ({ amount, denom })
    expect(() => checkCoins([coin(1n, 'bbb'), coin(1n, 'aaa')])).toThrow('aaa is not sorted')
    expect(() => checkCoins([coin(1n, 'aaa'), coin(1n, 'aaa')])).toThrow('aaa is given twice')
    expect(() => checkCoins([coin(0n, 'aaa')])).toThrow('0aaa: the amount is not positive')
    expect(() => checkCoins([coin(1n, 'a')])).toThrow('invalid denom')
  })

  it('adds and subtracts as sets', () => {
    fc.assert(
      fc.property(coins, coins, (a, b) => {
        const sum = addCoins(a, b)
        checkCoins(sum)
        expect(equalCoins(sum, addCoins(b, a))).toBe(true)
        expect(equalCoins(subCoins(sum, b), a)).toBe(true)
        expect(isAllGte(sum, a)).toBe(true)
        for (const { denom } of sum) expect(amountOf(sum, denom)).toBe(amountOf(a, denom) + amountOf(b, denom))
        expect(coinsFromProto(coinsToProto(sum))).toEqual(sum)
        if (isAllGte(a, b)) expect(equalCoins(addCoins(subCoins(a, b), b), a)).toBe(true)
        else expect(() => subCoins(a, b)).toThrow('insufficient coins')
      }),
      { numRuns: 200 },
    )
  })

  it('compares with any', () => {
    expect(isAnyGte(parseCoins('5aaa,1bbb'), parseCoins('6aaa,1bbb'))).toBe(true)
    expect(isAnyGte(parseCoins('5aaa'), parseCoins('6aaa,1bbb'))).toBe(false)
    expect(isAnyGte([], parseCoins('1aaa'))).toBe(false)
  })

  it('refuses sums past 256 bits', () => {
    const most: Coins = [{ denom: 'aaa', amount: intMax }]
    expect(() => addCoins(most, parseCoins('1aaa'))).toThrow('256 bits')
  })
})
