import { type Bytes, emptyBytes, equalBytes } from '@coin/base/bytes'
import type { MessageCodec } from './codec.js'
import { bytesToText, decodeUint64, encodeUint64, type KeyCodec, textToBytes } from './keys.js'
import { mapKey } from './map-key.js'
import { RecentMap } from './recent-map.js'

/** How a collection's value becomes bytes, equal to what the SDK's modules store. */
export interface ValueCodec<V> {
  encode(value: V): Bytes
  decode(bytes: Bytes): V
}

/** Remembers the last value: for parameters, which every transaction reads. The value must not be changed by who gets it. */
export function remembered<V>(codec: ValueCodec<V>): ValueCodec<V> {
  let last: { bytes: Bytes; readonly value: V } | undefined
  return {
    encode: (value) => codec.encode(value),
    decode(bytes) {
      // Stores hand out the same array again and again, and nobody changes it.
      if (last?.bytes === bytes) return last.value
      if (last === undefined || !equalBytes(last.bytes, bytes)) last = { bytes, value: codec.decode(bytes) }
      else last.bytes = bytes
      return last.value
    },
  }
}

/**
 * Remembers what was decoded and encoded last, by its bytes: for values that every transaction reads several times. The values
 * must not be changed by who gets them.
 */
export function rememberedRecent<V extends object>(codec: ValueCodec<V>, entriesMax: number): ValueCodec<V> {
  const recent = new RecentMap<V>(entriesMax)
  // The last few by their arrays: stores hand out the same array again and again, and nobody changes it.
  const last = Array.from({ length: 4 }, () => ({ bytes: emptyBytes, value: undefined as V | undefined }))
  let turn = 0
  const note = (bytes: Bytes, value: V): void => {
    turn = (turn + 1) % last.length
    last[turn] = { bytes, value }
  }
  return {
    encode(value) {
      const bytes = codec.encode(value)
      recent.set(mapKey(bytes), value)
      note(bytes, value)
      return bytes
    },
    decode(bytes) {
      for (const known of last) if (known.bytes === bytes && known.value !== undefined) return known.value
      const key = mapKey(bytes)
      let value = recent.get(key)
      if (value === undefined) {
        value = codec.decode(bytes)
        recent.set(key, value)
      }
      note(bytes, value)
      return value
    },
  }
}

/** A protobuf message. */
export function protoValue<T>(codec: MessageCodec<T>): ValueCodec<T> {
  return { encode: (value) => codec.encode(value).finish(), decode: (bytes) => codec.decode(bytes) }
}

/** `math.Int`: decimal digits. */
export const intValue: ValueCodec<bigint> = {
  encode: (value) => textToBytes(value.toString()),
  decode: (bytes) => BigInt(mapKey(bytes)),
}

/** 8 bytes, big-endian. */
export const uint64Value: ValueCodec<bigint> = { encode: encodeUint64, decode: (bytes) => decodeUint64(bytes) }

/** `google.protobuf.BoolValue`: false is empty. */
export const boolValue: ValueCodec<boolean> = {
  encode: (value) => (value ? Uint8Array.of(8, 1) : emptyBytes),
  decode: (bytes) => bytes.length === 2 && bytes[1] === 1,
}

export const bytesValue: ValueCodec<Bytes> = { encode: (value) => value, decode: (bytes) => bytes.slice() }

export const stringValue: ValueCodec<string> = { encode: textToBytes, decode: bytesToText }

/** For sets and indexes, which are all key. */
export const noValue: ValueCodec<true> = { encode: () => emptyBytes, decode: () => true }

/** A key in the place of a value: what a unique index points to. */
export function keyValue<K>(key: KeyCodec<K>): ValueCodec<K> {
  return { encode: (value) => key.encode(value), decode: (bytes) => key.decode(bytes, 0) }
}
