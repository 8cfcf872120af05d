import { errors, excerpt } from './errors.js'

/** `google.protobuf.Timestamp`: since the Unix epoch, UTC; `nanos` counts forward, 0 to 999,999,999. */
export interface Timestamp {
  seconds: bigint
  nanos: number
}

/** `google.protobuf.Duration`: `nanos` has the sign of `seconds`. */
export interface Duration {
  seconds: bigint
  nanos: number
}

const billion = 1_000_000_000n
const secondsPerDay = 86_400
/** 0001-01-01T00:00:00Z, which is also what a Go `time.Time` is before it is set. */
const secondsMin = -62_135_596_800n
/** 9999-12-31T23:59:59Z. */
const secondsMax = 253_402_300_799n
const durationSecondsMax = 315_576_000_000n

export const zeroTime: Readonly<Timestamp> = Object.freeze({ seconds: secondsMin, nanos: 0 })

export function timestampToNs({ seconds, nanos }: Readonly<Timestamp>): bigint {
  return seconds * billion + BigInt(nanos)
}

export function nsToTimestamp(ns: bigint): Timestamp {
  const rest = ((ns % billion) + billion) % billion
  return { seconds: (ns - rest) / billion, nanos: Number(rest) }
}

export function durationToNs({ seconds, nanos }: Readonly<Duration>): bigint {
  return seconds * billion + BigInt(nanos)
}

export function nsToDuration(ns: bigint): Duration {
  return { seconds: ns / billion, nanos: Number(ns % billion) }
}

const pad = (value: number, width: number): string => value.toString().padStart(width, '0')

/** Year, month and day of a day counted from 1970-01-01 (Howard Hinnant's civil_from_days). */
function civilFromDays(days: number): readonly [year: number, month: number, day: number] {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return [year, month, dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1]
}

function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** `.5` as 3, 6 or 9 digits; empty for zero. */
function protoFraction(nanos: number): string {
  const digits = pad(nanos, 9)
  if (nanos === 0) return ''
  if (digits.endsWith('000000')) return `.${digits.slice(0, 3)}`
  return digits.endsWith('000') ? `.${digits.slice(0, 6)}` : `.${digits}`
}

function dateTime(seconds: bigint): string {
  if (seconds < secondsMin || seconds > secondsMax)
    throw errors.outOfRange(`time of ${seconds} s, expected years 1 to 9999`)
  const total = Number(seconds)
  const days = Math.floor(total / secondsPerDay)
  const rest = total - days * secondsPerDay
  const [year, month, day] = civilFromDays(days)
  const clock = [Math.floor(rest / 3600), Math.floor(rest / 60) % 60, rest % 60].map((part) => pad(part, 2)).join(':')
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${clock}`
}

/** Throws `outOfRange` for times outside of the years 1 to 9999 and for nanoseconds that are no fraction of a second. */
export function checkTimestamp({ seconds, nanos }: Readonly<Timestamp>): void {
  if (seconds < secondsMin || seconds > secondsMax)
    throw errors.outOfRange(`time of ${seconds} s, expected years 1 to 9999`)
  if (nanos < 0 || nanos > 999_999_999) throw errors.outOfRange(`${nanos} nanoseconds, expected 0 to 999999999`)
}

/** Protobuf's JSON form, RFC 3339 with 0, 3, 6 or 9 fraction digits: `2026-11-21T04:09:46.500Z`. Throws `outOfRange`. */
export function formatTimestamp({ seconds, nanos }: Readonly<Timestamp>): string {
  checkTimestamp({ seconds, nanos })
  return `${dateTime(seconds)}${protoFraction(nanos)}Z`
}

/** Go's RFC3339Nano, which RPC and block JSON use: as many fraction digits as needed, `2026-11-21T04:09:46.5Z`. */
export function formatTimeRfc3339Nano({ seconds, nanos }: Readonly<Timestamp>): string {
  const fraction = nanos === 0 ? '' : `.${pad(nanos, 9).replace(/0+$/, '')}`
  return `${dateTime(seconds)}${fraction}Z`
}

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** RFC 3339 with any offset; digits past nanoseconds are dropped. Throws `badValue`. */
export function parseTimestamp(text: string): Timestamp {
  const bad = () => errors.badValue(`time ${excerpt(text)}, expected RFC 3339 like 2026-01-31T12:00:00Z`)
  const match = rfc3339.exec(text)
  if (match === null) throw bad()
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const days = daysFromCivil(year, month, day)
  const [, roundMonth, roundDay] = civilFromDays(days)
  if (month !== roundMonth || day !== roundDay || hour > 23 || minute > 59 || second > 59) throw bad()
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (offsetHours > 24 || offsetMinutes > 59) throw bad()
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 3600 + offsetMinutes * 60)
  const seconds = BigInt(days * secondsPerDay + hour * 3600 + minute * 60 + second - offset)
  if (seconds < secondsMin || seconds > secondsMax) throw bad()
  return { seconds, nanos: Number((match[7] ?? '').slice(0, 9).padEnd(9, '0')) }
}

/** Protobuf's JSON form with 0, 3, 6 or 9 fraction digits: `1814400s`, `-0.500s`. Throws `outOfRange`. */
export function formatDuration({ seconds, nanos }: Readonly<Duration>): string {
  const signsDiffer = (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0)
  if (seconds < -durationSecondsMax || seconds > durationSecondsMax || Math.abs(nanos) > 999_999_999 || signsDiffer) {
    throw errors.outOfRange(`duration of ${seconds} s and ${nanos} ns`)
  }
  const sign = seconds < 0n || nanos < 0 ? '-' : ''
  return `${sign}${seconds < 0n ? -seconds : seconds}${protoFraction(Math.abs(nanos))}s`
}

const unitNs: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: billion,
  m: 60n * billion,
  h: 3600n * billion,
}

/** Nanoseconds of Go's duration text: `1.5s`, `1h30m`, `100ms`, `-2m`, `0`. Throws `badValue`. */
export function parseDurationNs(text: string): bigint {
  const bad = () => errors.badValue(`duration ${excerpt(text)}, expected numbers with units like 1h30m or 1.5s`)
  if (/^[+-]?0$/.test(text)) return 0n
  if (text.length > 100 || !/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) throw bad()
  let total = 0n
  for (const [, number, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const [whole = '', fraction = ''] = number!.split('.')
    const scale = 10n ** BigInt(fraction.length)
    total += (BigInt(whole + fraction) * unitNs[unit!]!) / scale
  }
  if (total >= 1n << 63n) throw bad()
  return text.startsWith('-') ? -total : total
}

export function parseDuration(text: string): Duration {
  return nsToDuration(parseDurationNs(text))
}
