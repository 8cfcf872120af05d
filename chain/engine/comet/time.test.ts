import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTime, parseTime, timestampToTime, timeToTimestamp } from './time.js'
import { zeroTime } from './types.js'

describe('times', () => {
  it('print as Go prints RFC3339Nano', () => {
    expect(formatTime(0n)).toBe('1970-01-01T00:00:00Z')
    expect(formatTime(1_700_000_000_250_000_000n)).toBe('2023-11-14T22:13:20.25Z')
    expect(formatTime(1_700_000_000_000_000_001n)).toBe('2023-11-14T22:13:20.000000001Z')
    expect(formatTime(-1n)).toBe('1969-12-31T23:59:59.999999999Z')
    expect(formatTime(zeroTime)).toBe('0001-01-01T00:00:00Z')
  })

  it('are read with offsets and fractions', () => {
    expect(parseTime('2023-11-14T22:13:20.25Z')).toBe(1_700_000_000_250_000_000n)
    expect(parseTime('2023-11-15T00:13:20.25+02:00')).toBe(1_700_000_000_250_000_000n)
    expect(parseTime('2023-11-14T16:43:20-05:30')).toBe(1_700_000_000_000_000_000n)
    expect(parseTime('0001-01-01T00:00:00Z')).toBe(zeroTime)
  })

  it.each([
    '',
    '2023-11-14',
    '2023-02-29T00:00:00Z',
    '2023-11-14T24:00:00Z',
    '2023-11-14T22:13:20',
    '2023-11-14T22:13:20.Z',
  ])('refuses %j', (text) => {
    expect(() => parseTime(text)).toThrow('not an RFC 3339 time')
  })

  it('come back from text and from timestamps', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: zeroTime, max: 250_000_000_000n * 1_000_000_000n }), (time) => {
        expect(parseTime(formatTime(time))).toBe(time)
        expect(timestampToTime(timeToTimestamp(time))).toBe(time)
      }),
    )
  })
})
