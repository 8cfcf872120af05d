import { type Bytes, bytesToUtf8, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import type { MessageCodec } from './codec.js'
import { decodeUint64, encodeUint64, type KeyCodec } from './keys.js'

/** How a collection's value becomes bytes, equal to what the SDK's modules store. */
export interface ValueCodec<V> {
  encode(value: V): Bytes
  decode(bytes: Bytes): V
}

/** A protobuf message. */
export function protoValue<T>(codec: MessageCodec<T>): ValueCodec<T> {
  return { encode: (value) => codec.encode(value).finish(), decode: (bytes) => codec.decode(bytes) }
}

/** `math.Int`: decimal digits. */
export const intValue: ValueCodec<bigint> = {
  encode: (value) => utf8ToBytes(value.toString()),
  decode: (bytes) => BigInt(bytesToUtf8(bytes)),
}

/** 8 bytes, big-endian. */
export const uint64Value: ValueCodec<bigint> = { encode: encodeUint64, decode: (bytes) => decodeUint64(bytes) }

/** `google.protobuf.BoolValue`: false is empty. */
export const boolValue: ValueCodec<boolean> = {
  encode: (value) => (value ? Uint8Array.of(8, 1) : emptyBytes),
  decode: (bytes) => bytes.length === 2 && bytes[1] === 1,
}

export const bytesValue: ValueCodec<Bytes> = { encode: (value) => value, decode: (bytes) => bytes.slice() }

export const stringValue: ValueCodec<string> = { encode: utf8ToBytes, decode: bytesToUtf8 }

/** For sets and indexes, which are all key. */
export const noValue: ValueCodec<true> = { encode: () => emptyBytes, decode: () => true }

/** A key in the place of a value: what a unique index points to. */
export function keyValue<K>(key: KeyCodec<K>): ValueCodec<K> {
  return { encode: (value) => key.encode(value), decode: (bytes) => key.decode(bytes, 0) }
}
