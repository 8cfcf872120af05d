import { assert } from '@coin/base/assert'
import { type Bytes, bytesToUtf8, concatBytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'

/**
 * How a collection's key becomes bytes, equal to cosmossdk.io/collections: keys are visible in proofs. A key that is
 * followed by another one (the first part of a pair) may need a mark of its end, so each codec has two forms.
 */
export interface KeyCodec<K> {
  /** Alone or last. */
  encode(key: K): Bytes
  /** Followed by another part. */
  encodePart(key: K): Bytes
  /** Reads the rest of `bytes` from `at`. */
  decode(bytes: Bytes, at: number): K
  /** Reads one part from `at`; `next` is where the following part begins. */
  decodePart(bytes: Bytes, at: number): { readonly key: K; readonly next: number }
}

/** UTF-8; a zero byte ends it when another part follows. */
export const stringKey: KeyCodec<string> = {
  encode: textToBytes,
  encodePart: (key) => concatBytes(textToBytes(key), Uint8Array.of(0)),
  decode: (bytes, at) => bytesToText(bytes.subarray(at)),
  decodePart(bytes, at) {
    const end = bytes.indexOf(0, at)
    assert(end >= 0, 'string key without its end')
    return { key: bytesToText(bytes.subarray(at, end)), next: end + 1 }
  },
}

/** As is; its length stands in front (a varint) when another part follows. */
export const bytesKey: KeyCodec<Bytes> = {
  encode: (key) => key,
  encodePart: (key) => concatBytes(encodeLength(key.length), key),
  decode: (bytes, at) => bytes.slice(at),
  decodePart(bytes, at) {
    const [length, start] = decodeLength(bytes, at)
    assert(start + length <= bytes.length, 'bytes key shorter than its length')
    return { key: bytes.slice(start, start + length), next: start + length }
  },
}

/** Account and contract addresses, 1 to 255 bytes. */
export const addressKey: KeyCodec<Bytes> = bytesKey

/** Length in front also when it stands last (`LengthPrefixedAddressKey`). */
export const lengthPrefixedKey: KeyCodec<Bytes> = {
  encode: bytesKey.encodePart,
  encodePart: bytesKey.encodePart,
  decode: (bytes, at) => bytesKey.decodePart(bytes, at).key,
  decodePart: bytesKey.decodePart,
}

/** 8 bytes, big-endian. */
export const uint64Key: KeyCodec<bigint> = {
  encode: encodeUint64,
  encodePart: encodeUint64,
  decode: decodeUint64,
  decodePart: (bytes, at) => ({ key: decodeUint64(bytes, at), next: at + 8 }),
}

/** Two parts; `prefix(first)` is the start that all keys with this first part share. */
export interface PairKeyCodec<A, B> extends KeyCodec<readonly [A, B]> {
  prefix(first: A): Bytes
}

export function pairKey<A, B>(first: KeyCodec<A>, second: KeyCodec<B>): PairKeyCodec<A, B> {
  return {
    prefix: (a) => first.encodePart(a),
    encode: ([a, b]) => concatBytes(first.encodePart(a), second.encode(b)),
    encodePart: ([a, b]) => concatBytes(first.encodePart(a), second.encodePart(b)),
    decode(bytes, at) {
      const a = first.decodePart(bytes, at)
      return [a.key, second.decode(bytes, a.next)]
    },
    decodePart(bytes, at) {
      const a = first.decodePart(bytes, at)
      const b = second.decodePart(bytes, a.next)
      return { key: [a.key, b.key], next: b.next }
    },
  }
}

/** The key of a collection that holds one value. */
export const noKey: KeyCodec<undefined> = {
  encode: () => emptyBytes,
  encodePart: () => emptyBytes,
  decode: () => undefined,
  decodePart: (_, at) => ({ key: undefined, next: at }),
}

/** The smallest key above every key that starts with `prefix`; `undefined` when there is none. */
export function prefixEnd(prefix: Bytes): Bytes | undefined {
  for (let i = prefix.length - 1; i >= 0; i--) {
    if (prefix[i] === 0xff) continue
    const end = prefix.slice(0, i + 1)
    end[i]!++
    return end
  }
  return undefined
}

export function encodeUint64(value: bigint): Bytes {
  const out = new Uint8Array(8)
  let high = Number(BigInt.asUintN(64, value) >> 32n)
  let low = Number(BigInt.asUintN(32, value))
  for (let i = 3; i >= 0; i--) {
    out[i] = high & 0xff
    out[i + 4] = low & 0xff
    high >>>= 8
    low >>>= 8
  }
  return out
}

export function decodeUint64(bytes: Bytes, at = 0): bigint {
  assert(bytes.length >= at + 8, 'uint64 of less than 8 bytes')
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(at)
}

function encodeLength(length: number): Bytes {
  assert(length < 1 << 14, `key part of ${length} bytes`)
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7)
}

function decodeLength(bytes: Bytes, at: number): readonly [length: number, next: number] {
  const first = bytes[at]
  assert(first !== undefined, 'key part without its length')
  if (first < 0x80) return [first, at + 1]
  return [(first & 0x7f) | ((bytes[at + 1] ?? 0) << 7), at + 2]
}

const shortText = 64

/** UTF-8. Denoms and digits are short and ASCII; for them this is several times faster than the encoder. */
export function textToBytes(text: string): Bytes {
  if (text.length > shortText) return utf8ToBytes(text)
  const out = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return utf8ToBytes(text)
    out[i] = code
  }
  return out
}

/** The inverse of `textToBytes`. */
export function bytesToText(bytes: Bytes): string {
  if (bytes.length > shortText) return bytesToUtf8(bytes)
  let text = ''
  for (const byte of bytes) {
    if (byte > 0x7f) return bytesToUtf8(bytes)
    text += String.fromCharCode(byte)
  }
  return text
}
