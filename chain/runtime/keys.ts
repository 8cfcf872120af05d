import { assert } from '@coin/base/assert'
import { type Bytes, bytesToUtf8, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { KeyWriter } from './key-writer.js'

/**
 * How a collection's key becomes bytes, equal to cosmossdk.io/collections: keys are visible in proofs. A key that is
 * followed by another one (the first part of a pair) may need a mark of its end, so each codec has two forms.
 */
export interface KeyCodec<K> extends KeyParts<K> {
  /** Alone or last. */
  encode(key: K): Bytes
  /** Followed by another part. */
  encodePart(key: K): Bytes
}

/** What is different from codec to codec. */
export interface KeyParts<K> {
  /** Writes the key as it is alone or last. */
  write(out: KeyWriter, key: K): void
  /** Writes the key as it is with another part behind it. */
  writePart(out: KeyWriter, key: K): void
  /** Reads the rest of `bytes` from `at`. */
  decode(bytes: Bytes, at: number): K
  /** Reads one part from `at`; `next` is where the following part begins. */
  decodePart(bytes: Bytes, at: number): { readonly key: K; readonly next: number }
}

/** One for all keys: encoding is synchronous, and every key is taken out whole. */
const writer = new KeyWriter()

/** The key's bytes behind `head`. */
export function keyBytes<K>(codec: KeyParts<K>, key: K, head: Bytes = emptyBytes): Bytes {
  const start = writer.length
  writer.raw(head)
  codec.write(writer, key)
  return writer.take(start)
}

export function keyCodec<K>(parts: KeyParts<K>): KeyCodec<K> {
  return {
    ...parts,
    encode: (key) => keyBytes(parts, key),
    encodePart(key) {
      const start = writer.length
      parts.writePart(writer, key)
      return writer.take(start)
    },
  }
}

/** UTF-8; a zero byte ends it when another part follows. */
export const stringKey: KeyCodec<string> = keyCodec({
  write: (out, key) => out.text(key),
  writePart(out, key) {
    out.text(key)
    out.byte(0)
  },
  decode: (bytes, at) => bytesToText(bytes.subarray(at)),
  decodePart(bytes, at) {
    const end = bytes.indexOf(0, at)
    assert(end >= 0, 'string key without its end')
    return { key: bytesToText(bytes.subarray(at, end)), next: end + 1 }
  },
})

/** As is; its length stands in front (a varint) when another part follows. */
export const bytesKey: KeyCodec<Bytes> = keyCodec({
  write: (out, key) => out.raw(key),
  writePart(out, key) {
    writeLength(out, key.length)
    out.raw(key)
  },
  decode: (bytes, at) => bytes.slice(at),
  decodePart(bytes, at) {
    const [length, start] = decodeLength(bytes, at)
    assert(start + length <= bytes.length, 'bytes key shorter than its length')
    return { key: bytes.slice(start, start + length), next: start + length }
  },
})

/** Account and contract addresses, 1 to 255 bytes. */
export const addressKey: KeyCodec<Bytes> = bytesKey

/** Length in front also when it stands last (`LengthPrefixedAddressKey`). */
export const lengthPrefixedKey: KeyCodec<Bytes> = keyCodec({
  write: bytesKey.writePart,
  writePart: bytesKey.writePart,
  decode: (bytes, at) => bytesKey.decodePart(bytes, at).key,
  decodePart: bytesKey.decodePart,
})

const writeUint64 = (out: KeyWriter, key: bigint): void => out.raw(encodeUint64(key))

/** 8 bytes, big-endian. */
export const uint64Key: KeyCodec<bigint> = keyCodec({
  write: writeUint64,
  writePart: writeUint64,
  decode: decodeUint64,
  decodePart: (bytes, at) => ({ key: decodeUint64(bytes, at), next: at + 8 }),
})

const signBit = 1n << 63n
const writeInt64 = (out: KeyWriter, key: bigint): void => out.raw(encodeUint64(BigInt.asUintN(64, key) ^ signBit))
const decodeInt64 = (bytes: Bytes, at: number): bigint => BigInt.asIntN(64, decodeUint64(bytes, at) ^ signBit)

/** 8 bytes, big-endian with the sign turned around, so that negative numbers come first. */
export const int64Key: KeyCodec<bigint> = keyCodec({
  write: writeInt64,
  writePart: writeInt64,
  decode: decodeInt64,
  decodePart: (bytes, at) => ({ key: decodeInt64(bytes, at), next: at + 8 }),
})

/** Two parts; `prefix(first)` is the start that all keys with this first part share. */
export interface PairKeyCodec<A, B> extends KeyCodec<readonly [A, B]> {
  prefix(first: A): Bytes
}

export function pairKey<A, B>(first: KeyCodec<A>, second: KeyCodec<B>): PairKeyCodec<A, B> {
  const codec = keyCodec<readonly [A, B]>({
    write(out, key) {
      first.writePart(out, key[0])
      second.write(out, key[1])
    },
    writePart(out, key) {
      first.writePart(out, key[0])
      second.writePart(out, key[1])
    },
    decode(bytes, at) {
      const a = first.decodePart(bytes, at)
      return [a.key, second.decode(bytes, a.next)]
    },
    decodePart(bytes, at) {
      const a = first.decodePart(bytes, at)
      const b = second.decodePart(bytes, a.next)
      return { key: [a.key, b.key], next: b.next }
    },
  })
  return { ...codec, prefix: (a) => first.encodePart(a) }
}

/** The key of a collection that holds one value. */
export const noKey: KeyCodec<undefined> = keyCodec({
  write: () => undefined,
  writePart: () => undefined,
  decode: () => undefined,
  decodePart: (_, at) => ({ key: undefined, next: at }),
})

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

// No DataView below: asking a short array for its buffer moves it out of the young generation, which takes 300 ns.

/** 4 bytes, big-endian. */
export function encodeUint32(value: number): Bytes {
  const out = new Uint8Array(4)
  putUint32(out, 0, value)
  return out
}

export function decodeUint32(bytes: Bytes, at = 0): number {
  assert(bytes.length >= at + 4, 'uint32 of less than 4 bytes')
  return bytes[at]! * 0x1000000 + ((bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!)
}

/** 8 bytes, big-endian. */
export function encodeUint64(value: bigint): Bytes {
  const out = new Uint8Array(8)
  putUint32(out, 0, Number(BigInt.asUintN(64, value) >> 32n))
  putUint32(out, 4, Number(BigInt.asUintN(32, value)))
  return out
}

export function decodeUint64(bytes: Bytes, at = 0): bigint {
  assert(bytes.length >= at + 8, 'uint64 of less than 8 bytes')
  return (BigInt(decodeUint32(bytes, at)) << 32n) | BigInt(decodeUint32(bytes, at + 4))
}

function putUint32(out: Bytes, at: number, value: number): void {
  out[at] = value >>> 24
  out[at + 1] = value >>> 16
  out[at + 2] = value >>> 8
  out[at + 3] = value
}

function writeLength(out: KeyWriter, length: number): void {
  assert(length < 1 << 14, `key part of ${length} bytes`)
  if (length < 0x80) {
    out.byte(length)
    return
  }
  out.byte((length & 0x7f) | 0x80)
  out.byte(length >> 7)
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
