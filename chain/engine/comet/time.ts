import { defineErrors } from '@coin/base/errors'
import type { TimeNs } from '../application.js'

export const errors = defineErrors('time', { badTime: [1, 'not an RFC 3339 time'] })

const nsPerSecond = 1_000_000_000n

/** Floors towards the past, so that nanoseconds are never negative, as protobuf's Timestamp wants. */
export function timeToTimestamp(time: TimeNs): { seconds: bigint; nanos: number } {
  const nanos = ((time % nsPerSecond) + nsPerSecond) % nsPerSecond
  return { seconds: (time - nanos) / nsPerSecond, nanos: Number(nanos) }
}

export function timestampToTime(timestamp: { seconds: bigint; nanos: number }): TimeNs {
  return timestamp.seconds * nsPerSecond + BigInt(timestamp.nanos)
}

/** Go's RFC3339Nano in UTC: no trailing zeros in the fraction. `formatTime(1500000000n)` -> `1970-01-01T00:00:01.5Z`. */
export function formatTime(time: TimeNs): string {
  const { seconds, nanos } = timeToTimestamp(time)
  const whole = new Date(Number(seconds * 1000n)).toISOString().slice(0, 19)
  if (nanos === 0) return `${whole}Z`
  return `${whole}.${String(nanos).padStart(9, '0').replace(/0+$/, '')}Z`
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/** Reads RFC 3339 with up to nine fraction digits and any offset. Throws `badTime`, also for a day that does not exist. */
export function parseTime(text: string): TimeNs {
  const match = rfc3339.exec(text)
  if (!match) throw errors.badTime(`"${text.slice(0, 80)}"`)
  const [, year, month, day, hour, minute, second, fraction = '', offset] = match
  const days = new Date(0)
  days.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const exists = days.getUTCMonth() === Number(month) - 1 && days.getUTCDate() === Number(day)
  if (!exists || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw errors.badTime(`"${text}"`)
  const clock = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  const shift = offset === 'Z' ? 0 : offsetSeconds(offset!)
  return BigInt(days.getTime() / 1000 + clock - shift) * nsPerSecond + BigInt(fraction.padEnd(9, '0'))
}

function offsetSeconds(offset: string): number {
  const seconds = Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4, 6)) * 60
  return offset.startsWith('-') ? -seconds : seconds
}
