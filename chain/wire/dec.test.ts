import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LegacyDec } from './dec.js'
import { intMax } from './int.js'

const dec = LegacyDec.parse

/** Rows of a, b and what cosmossdk.io/math v1.5.3 computes: mul, mulTruncate, mulRoundUp, quo, quoRoundUp, quoTruncate, round a, ceil a. */
const rows = JSON.parse(readFileSync(new URL('../vectors/legacy-dec.json', import.meta.url), 'utf8')) as string[][]

describe('LegacyDec', () => {
  it.each([
    ['0', '0.000000000000000000'],
    ['1.23', '1.230000000000000000'],
    ['-0.5', '-0.500000000000000000'],
    ['314460551102969.314427823434337183', '314460551102969.314427823434337183'],
    ['007', '7.000000000000000000'],
  ])('parses %s and prints %s', (text, printed) => {
    expect(dec(text).toString()).toBe(printed)
    expect(LegacyDec.fromProto(dec(text).toProto()).toString()).toBe(printed)
  })

  it.each(['', '.', '1.', '.5', '1..2', '1.2.3', '+1', '1e5', ' 1', '0x1', '0.1234567890123456789', '--1', '-'])(
    'refuses %j',
    (text) => {
      expect(() => dec(text)).toThrow('invalid decimal')
    },
  )

  // The figures of cosmossdk.io/math's own arithmetic tests.
  it.each([
    ['3', '7', '21', '21', '21', '0.428571428571428571', '0.428571428571428572', '0.428571428571428571'],
    [
      '0.3333',
      '0.0333',
      '0.01109889',
      '0.01109889',
      '0.01109889',
      '10.009009009009009009',
      '10.009009009009009010',
      '10.009009009009009009',
    ],
    ['-1', '3', '-3', '-3', '-3', '-0.333333333333333333', '-0.333333333333333332', '-0.333333333333333333'],
    ['-2', '3', '-6', '-6', '-6', '-0.666666666666666667', '-0.666666666666666665', '-0.666666666666666666'],
  ])('%s and %s: mul, quo and their roundings', (a, b, mul, mulTruncate, mulRoundUp, quo, quoRoundUp, quoTruncate) => {
    const [x, y] = [dec(a), dec(b)]
    expect(x.mul(y)).toEqual(dec(mul))
    expect(x.mulTruncate(y)).toEqual(dec(mulTruncate))
    expect(x.mulRoundUp(y)).toEqual(dec(mulRoundUp))
    expect(x.quo(y)).toEqual(dec(quo))
    expect(x.quoRoundUp(y)).toEqual(dec(quoRoundUp))
    expect(x.quoTruncate(y)).toEqual(dec(quoTruncate))
  })

  it('computes the figures of the Go library', () => {
    expect(rows.length).toBeGreaterThan(50)
    for (const row of rows) {
      const [a, b] = [dec(row[0]!), dec(row[1]!)]
      const ours = [
        a.mul(b),
        a.mulTruncate(b),
        a.mulRoundUp(b),
        a.quo(b),
        a.quoRoundUp(b),
        a.quoTruncate(b),
        a.roundInt(),
        a.ceil(),
      ]
      expect(ours.map(String)).toEqual(row.slice(2))
    }
  })

  it('rounds ties to even, on both sides of zero', () => {
    const cases = {
      '0.25': 0n,
      '0.5': 0n,
      '0.500000000000000001': 1n,
      '1.5': 2n,
      '2.5': 2n,
      '3.5': 4n,
      '-0.5': 0n,
      '-1.5': -2n,
      '-2.5': -2n,
    }
    for (const [text, rounded] of Object.entries(cases)) expect(dec(text).roundInt()).toBe(rounded)
    expect(LegacyDec.smallest.mul(dec('0.5'))).toEqual(LegacyDec.zero)
    expect(LegacyDec.ofAtomics(3n).mul(dec('0.5')).atomics).toBe(2n)
    expect(LegacyDec.smallest.mulRoundUp(dec('0.1')).atomics).toBe(1n)
    expect(LegacyDec.smallest.neg().mulRoundUp(dec('0.1')).atomics).toBe(0n)
  })

  it('truncates, ceils and raises to powers', () => {
    expect(dec('-1.9').truncateInt()).toBe(-1n)
    expect(dec('1.1').ceilInt()).toBe(2n)
    expect(dec('-1.1').ceilInt()).toBe(-1n)
    expect(dec('1.2').power(5n).toString()).toBe('2.488320000000000000')
    expect(dec('0.5').power(0n)).toEqual(LegacyDec.one)
    expect(LegacyDec.ofPlaces(67n, 2).toString()).toBe('0.670000000000000000')
    expect(LegacyDec.parse('0.67').mulInt(3n).toString()).toBe('2.010000000000000000')
  })

  it('stays within 2^256 and refuses to divide by zero', () => {
    const largest = LegacyDec.ofInt(intMax)
    expect(() => largest.add(LegacyDec.one)).toThrow('out of range')
    expect(() => largest.mul(dec('2'))).toThrow('out of range')
    expect(() => LegacyDec.ofInt(intMax + 1n)).toThrow('out of range')
    expect(() => dec('1').quo(LegacyDec.zero)).toThrow('division by zero')
    expect(() => dec('1').quoInt(0n)).toThrow('division by zero')
  })

  it('keeps quotients within one unit of the exact value', () => {
    const atomics = fc.bigInt(-(10n ** 40n), 10n ** 40n)
    fc.assert(
      fc.property(atomics, atomics, (a, b) => {
        fc.pre(b !== 0n)
        const [x, y] = [LegacyDec.ofAtomics(a), LegacyDec.ofAtomics(b)]
        const exact = a * 10n ** 18n
        const truncated = x.quoTruncate(y).atomics
        expect(truncated).toBe(exact / b)
        const positive = a < 0n === b < 0n
        const up = x.quoRoundUp(y).atomics
        if (positive) expect(up).toBe(exact % b === 0n ? truncated : truncated + 1n)
        const nearest = x.quo(y).atomics
        const error = 2n * (nearest * b - exact)
        expect((error < 0n ? -error : error) <= (b < 0n ? -b : b)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
