import { type Bytes, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { open, type RootDatabase, type RootDatabaseOptions } from 'lmdb'
import { guardCalls, type RunCall } from './guarded-calls.js'

// Keys of the LMDB file of flat values; the first byte says what follows.
//   00 'height'            height that the values are of, 8 bytes
//   01 height (8, BE)      what that block replaced, as encodeChanges has it
//   02 sha256              an entry whose key is longer than LMDB takes: store number, length of the key (4, LE), key, value
//   03 height (8, BE)      which keys of such entries that block changed, as encodeChanges has it: deleted, or an empty value
//   10+n key               value of `key` in store number n
const historyMark = 1
const longMark = 2
const longChangesMark = 3
const storesFrom = 0x10

/** LMDB's limit of 1,978 bytes less the first byte. */
export const shortKeyBytesMax = 1977

/** Blocks that say which long keys they changed; who has not looked for longer reads all of them. */
export const longChangesBlocks = 100

/** Stores that one database can hold: their numbers are one byte. */
export const storesMax = 0xff - storesFrom

export const heightKey: Bytes = concatBytes(Uint8Array.of(0), utf8ToBytes('height'))

export type FlatDatabase = RootDatabase<Bytes, Bytes>

/** A synced commit is on disk when it returns. The map is address space, not memory or disk. */
export function openFlatDatabase(path: string, run?: RunCall): FlatDatabase {
  const db = open<Bytes, Bytes>(path, {
    noSubdir: false,
    keyEncoding: 'binary',
    encoding: 'binary',
    overlappingSync: false,
    mapSize: 2 ** 38,
  } as RootDatabaseOptions)
  if (run !== undefined) guardCalls(db, run)
  return db
}

/** lmdb-js answers Buffers of their own memory, whose `slice` shares it; callers get what the interface says. */
export function plainBytes(bytes: Bytes): Bytes {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** Key of an entry, for keys up to {@link shortKeyBytesMax}. */
export function valueKey(store: number, key: Bytes): Bytes {
  const out = new Uint8Array(1 + key.length)
  out[0] = storesFrom + store
  out.set(key, 1)
  return out
}

/** Where the entries of a store begin and end. */
export function storeBounds(store: number): { readonly start: Bytes; readonly end: Bytes } {
  return { start: Uint8Array.of(storesFrom + store), end: Uint8Array.of(storesFrom + store + 1) }
}

export function longKey(store: number, key: Bytes): Bytes {
  return concatBytes(Uint8Array.of(longMark), sha256(concatBytes(Uint8Array.of(store), key)))
}

export const longBounds = { start: Uint8Array.of(longMark), end: Uint8Array.of(longMark + 1) } as const

export function encodeLongEntry(store: number, key: Bytes, value: Bytes): Bytes {
  const head = new Uint8Array(5)
  head[0] = store
  new DataView(head.buffer).setUint32(1, key.length, true)
  return concatBytes(head, key, value)
}

export function decodeLongEntry(bytes: Bytes): { readonly store: number; readonly key: Bytes; readonly value: Bytes } {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true)
  const plain = plainBytes(bytes)
  return { store: bytes[0]!, key: plain.subarray(5, 5 + length), value: plain.subarray(5 + length) }
}

export function historyKey(height: number): Bytes {
  return heightUnder(historyMark, height)
}

export function longChangesKey(height: number): Bytes {
  return heightUnder(longChangesMark, height)
}

function heightUnder(mark: number, height: number): Bytes {
  const out = new Uint8Array(9)
  out[0] = mark
  new DataView(out.buffer).setBigUint64(1, BigInt(height))
  return out
}

/** The inverse of {@link historyKey} and {@link longChangesKey}. */
export function heightOfKey(key: Bytes): number {
  return Number(new DataView(key.buffer, key.byteOffset).getBigUint64(1))
}

export function encodeHeight(height: number): Bytes {
  const out = new Uint8Array(8)
  new DataView(out.buffer).setBigUint64(0, BigInt(height))
  return out
}

/** 0 for a database that nothing was written to. */
export function readHeight(db: FlatDatabase): number {
  const bytes = db.getBinary(heightKey)
  return bytes === undefined ? 0 : Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
}
