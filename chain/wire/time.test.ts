import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  durationToNs,
  formatDuration,
  formatTimeRfc3339Nano,
  formatTimestamp,
  nsToDuration,
  nsToTimestamp,
  parseDuration,
  parseDurationNs,
  parseTimestamp,
  timestampToNs,
  zeroTime,
} from './time.js'

describe('timestamps', () => {
  it('print and read back as JavaScript dates do', () => {
    const millisecond = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
    fc.assert(
      fc.property(millisecond, (ms) => {
        const time = nsToTimestamp(BigInt(ms) * 1_000_000n)
        const text = formatTimestamp(time)
        expect(text).toBe(new Date(ms).toISOString().replace('.000Z', 'Z'))
        expect(parseTimestamp(text)).toEqual(time)
        expect(timestampToNs(time)).toBe(BigInt(ms) * 1_000_000n)
      }),
      { numRuns: 500 },
    )
  })

  it('have 0, 3, 6 or 9 fraction digits in protobuf JSON and as few as possible in RPC JSON', () => {
    const at = (nanos: number) => ({ seconds: 0n, nanos })
    expect(formatTimestamp(at(500_000_000))).toBe('1970-01-01T00:00:00.500Z')
    expect(formatTimestamp(at(1000))).toBe('1970-01-01T00:00:00.000001Z')
    expect(formatTimestamp(at(1))).toBe('1970-01-01T00:00:00.000000001Z')
    expect(formatTimeRfc3339Nano(at(500_000_000))).toBe('1970-01-01T00:00:00.5Z')
    expect(formatTimeRfc3339Nano(at(0))).toBe('1970-01-01T00:00:00Z')
    expect(formatTimestamp(zeroTime)).toBe('0001-01-01T00:00:00Z')
  })

  it('read offsets and fractions of any length', () => {
    expect(formatTimestamp(parseTimestamp('2026-03-01T01:30:00+02:00'))).toBe('2026-02-28T23:30:00Z')
    expect(parseTimestamp('1970-01-01T00:00:00.1234567899Z')).toEqual({ seconds: 0n, nanos: 123_456_789 })
  })

  it.each([
    '',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '0000-12-31T00:00:00Z',
  ])('refuse %j', (text) => {
    expect(() => parseTimestamp(text)).toThrow('invalid value')
  })

  it('refuse what no calendar has', () => {
    expect(() => formatTimestamp({ seconds: 1n << 60n, nanos: 0 })).toThrow('out of range')
    expect(() => formatTimestamp({ seconds: 0n, nanos: -1 })).toThrow('out of range')
  })
})

describe('durations', () => {
  it('read Go texts', () => {
    expect(parseDurationNs('1h30m')).toBe(5_400_000_000_000n)
    expect(parseDurationNs('1.5s')).toBe(1_500_000_000n)
    expect(parseDurationNs('-100ms')).toBe(-100_000_000n)
    expect(parseDurationNs('.5us')).toBe(500n)
    expect(parseDurationNs('0')).toBe(0n)
    for (const text of ['', '5', 's', '1d', '1 s', '1e3s', '300000000h'])
      expect(() => parseDurationNs(text)).toThrow('duration')
  })

  it('print as protobuf does and read back', () => {
    expect(formatDuration({ seconds: 1_814_400n, nanos: 0 })).toBe('1814400s')
    expect(formatDuration({ seconds: 0n, nanos: -500_000_000 })).toBe('-0.500s')
    expect(() => formatDuration({ seconds: 1n, nanos: -1 })).toThrow('out of range')
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 18n), 10n ** 18n), (ns) => {
        expect(durationToNs(parseDuration(formatDuration(nsToDuration(ns))))).toBe(ns)
      }),
      { numRuns: 200 },
    )
  })
})
