import { type Bytes, bytesToUtf8, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { firstEntry, type KvDatabase } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'
import { bytesToPlace, placeToBytes } from './places.js'

/**
 * Posting lists: for every (tag, value) and every tag the places where it occurs, ordered by height.
 *
 * Rows, first byte = table; a row holds a whole block, so what every transaction has costs one row, not thousands:
 *   tags:    tag text -> its number, 4 bytes (keys stay short)
 *   values:  tag number, value, height -> how many places of the list are in rows before it, then positions in the block
 *   places:  tag number, height -> the same for the tag with any value (tag 0: every place)
 *
 * The counts make "how many" two look-ups, however many there are, and lead to the n-th place in a few. They go on when the front
 * of a list is pruned: only their differences mean something.
 */
export interface PostingTables {
  readonly tags: number
  readonly values: number
  readonly places: number
}

/** One row of a list. */
export interface PostingRow {
  /** Places in earlier rows, from where the list began. */
  readonly before: number
  /** Positions in the block, ascending. */
  readonly positions: readonly number[]
}

/** Numbers in base 128, low digits first: the count, then positions as differences. */
export function encodeRow({ before, positions }: PostingRow): Bytes {
  const bytes: number[] = []
  const put = (number: number) => {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  put(before)
  let last = 0
  for (const position of positions) {
    put(position - last)
    last = position
  }
  return Uint8Array.from(bytes)
}

export function decodeRow(bytes: Bytes): PostingRow {
  const positions: number[] = []
  let before: number | undefined
  let position = 0
  let number = 0
  let factor = 1
  for (const byte of bytes) {
    number += (byte % 128) * factor
    factor *= 128
    if (byte >= 128) continue
    if (before === undefined) before = number
    else {
      position += number
      positions.push(position)
    }
    number = 0
    factor = 1
  }
  return { before: before ?? 0, positions }
}

/** The number of the list that holds every place. */
export const everyTag = 0

const valueBytesMax = 255
/** Contracts choose event types; a tag longer than a database key can be is not searchable. */
const tagBytesMax = 1024

export function isTooLong(tag: string): boolean {
  return utf8ToBytes(tag).length > tagBytesMax
}

export function tagKey(tables: PostingTables, tag: string): Bytes {
  return concatBytes(Uint8Array.of(tables.tags), utf8ToBytes(tag))
}

export function tagNumberToBytes(number: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}

export function bytesToTagNumber(bytes: Bytes): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0)
}

/** The number of a tag; `undefined` when nothing has it. */
export function findTag(db: KvDatabase, tables: PostingTables, tag: string): number | undefined {
  const row = tag === '' || isTooLong(tag) ? undefined : db.get(tagKey(tables, tag))
  return row && bytesToTagNumber(row)
}

/** What the keys of a list begin with; the height follows. Without a value: of the tag with any value. */
export function listPrefix(tables: PostingTables, tag: number, value?: string): Bytes {
  if (value === undefined) return concatBytes(Uint8Array.of(tables.places), tagNumberToBytes(tag))
  return concatBytes(Uint8Array.of(tables.values), tagNumberToBytes(tag), valueToBytes(value))
}

/** Length first, so that no value is the start of another; long values by their hash. */
function valueToBytes(value: string): Bytes {
  const bytes = utf8ToBytes(value)
  const isLong = bytes.length > valueBytesMax
  return concatBytes(isLong ? Uint8Array.of(1, 0) : Uint8Array.of(0, bytes.length), isLong ? sha256(bytes) : bytes)
}

export function rowKey(prefix: Bytes, height: number): Bytes {
  return concatBytes(prefix, placeToBytes(height))
}

const heightBytes = 8

/** Height of a row, from its key. */
export function heightOfKey(key: Bytes): number {
  return bytesToPlace(key, key.length - heightBytes)
}

export function prefixOfKey(key: Bytes): Bytes {
  return key.subarray(0, key.length - heightBytes)
}

/** Behind every row of a list. */
export function endOfList(prefix: Bytes): Bytes {
  return concatBytes(prefix, new Uint8Array(heightBytes).fill(255), Uint8Array.of(0))
}

/**
 * The values of a tag, each once, at most `countMax`. `undefined` when there are more, or when one is so long that only its hash is
 * kept: then the lists cannot tell which values there are.
 */
export function listValues(
  db: KvDatabase,
  tables: PostingTables,
  tag: number,
  countMax: number,
): readonly string[] | undefined {
  const table = concatBytes(Uint8Array.of(tables.values), tagNumberToBytes(tag))
  const end = concatBytes(table, Uint8Array.of(255))
  const values: string[] = []
  let at: Bytes = table
  for (;;) {
    const row = firstEntry(db.iterate(at, end))
    if (row === undefined) return values
    const prefix = prefixOfKey(row[0])
    if (prefix[table.length] !== 0 || values.length === countMax) return undefined
    values.push(bytesToUtf8(prefix.subarray(table.length + 2)))
    at = endOfList(prefix)
  }
}

/** Places of a list in front of the first row at or above `height`; all when there is none. */
export function countBefore(db: KvDatabase, prefix: Bytes, height: number): number {
  const below = firstEntry(db.iterate(rowKey(prefix, 0), rowKey(prefix, height), true))
  if (below === undefined) {
    const above = firstEntry(db.iterate(rowKey(prefix, height), endOfList(prefix)))
    return above === undefined ? 0 : decodeRow(above[1]).before
  }
  const { before, positions } = decodeRow(below[1])
  return before + positions.length
}
