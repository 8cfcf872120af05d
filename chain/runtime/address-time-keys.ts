import { assert } from '@coin/base/assert'
import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import type { TimeNs } from '@coin/engine/application'
import { formatTimestamp, nsToTimestamp, parseTimestamp, timestampToNs } from '@coin/wire/time'
import { type KeyCodec, keyCodec } from './keys.js'

// Keys of the modules that are older than cosmossdk.io/collections.

/** `2006-01-02T15:04:05.000000000`, which sorts by time. */
const timeBytes = 29

/** Nanoseconds since the Unix epoch; `sdk.FormatTimeBytes`. Alike in any place: its length is fixed. */
export const timeKey: KeyCodec<TimeNs> = keyCodec({
  write: (out, key) => out.raw(encodeTime(key)),
  writePart: (out, key) => out.raw(encodeTime(key)),
  decode: (bytes, at) => decodeTime(bytes, at),
  decodePart: (bytes, at) => ({ key: decodeTime(bytes, at), next: at + timeBytes }),
})

function encodeTime(time: TimeNs): Bytes {
  const { seconds, nanos } = nsToTimestamp(time)
  const text = formatTimestamp({ seconds, nanos: 0 }).slice(0, -1)
  return utf8ToBytes(`${text}.${nanos.toString().padStart(9, '0')}`)
}

function decodeTime(bytes: Bytes, at: number): TimeNs {
  assert(bytes.length >= at + timeBytes, 'time key of less than 29 bytes')
  return timestampToNs(parseTimestamp(`${bytesToUtf8(bytes.slice(at, at + timeBytes))}Z`))
}

/** An address behind its length in one byte, in any place; `address.MustLengthPrefix`. */
export const sizedAddressKey: KeyCodec<Bytes> = keyCodec({
  write: writeSized,
  writePart: writeSized,
  decode: (bytes, at) => decodeSized(bytes, at).key,
  decodePart: decodeSized,
})

function writeSized(out: { byte(value: number): void; raw(bytes: Bytes): void }, address: Bytes): void {
  assert(address.length <= 255, `address of ${address.length} bytes`)
  out.byte(address.length)
  out.raw(address)
}

function decodeSized(bytes: Bytes, at: number): { readonly key: Bytes; readonly next: number } {
  const length = bytes[at]
  assert(length !== undefined && at + 1 + length <= bytes.length, 'address key shorter than its length')
  const next = at + 1 + length
  return { key: bytes.slice(at + 1, next), next }
}
