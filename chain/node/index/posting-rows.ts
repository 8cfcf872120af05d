import { type Bytes, bytesToUtf8, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { firstEntry, type KvDatabase } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'
import { bytesToPlace, placeToBytes } from './places.js'

/**
 * Posting lists: for every (tag, value) and every tag the places where it occurs, ordered by height.
 *
 * Rows, first byte = table; a row holds a whole block, so what every transaction has costs one row, not thousands:
 *   tags:    tag text -> its number, 4 bytes (keys stay short)
 *   values:  tag number, value, height -> row of the list of that value
 *   places:  tag number, height -> row of the list of the tag with any value (tag 0: every place)
 *
 * A list is written in runs: each row says how many places are in the rows of its run before it, and where the run began. The writer
 * knows the runs of the lists that it has used last, and begins a new one otherwise, so it reads nothing; "how many" are two look-ups
 * and one for each run, however many places there are, and the n-th place is found by halving. A list that is used often has few runs.
 * The front of a list may be pruned: only differences of counts mean something.
 */
export interface PostingTables {
  readonly tags: number
  readonly values: number
  readonly places: number
}

/** One row of a list. */
export interface PostingRow {
  readonly height: number
  /** Height of the first row of the run. */
  readonly start: number
  /** Places in earlier rows of the run. */
  readonly before: number
  /** Positions in the block, ascending. */
  readonly positions: readonly number[]
}

let scratch = new Uint8Array(4096)

/** Numbers in base 128, low digits first: places before, how far back the run began (if any are before), positions as differences. */
export function encodeRow({ height, start, before, positions }: PostingRow): Bytes {
  // No number here takes more than six.
  if (scratch.length < 6 * (positions.length + 2)) scratch = new Uint8Array(12 * (positions.length + 2))
  let length = 0
  const put = (number: number) => {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) scratch[length++] = (rest % 128) + 128
    scratch[length++] = rest
  }
  put(before)
  if (before > 0) put(height - start)
  let last = 0
  for (const position of positions) {
    put(position - last)
    last = position
  }
  return scratch.slice(0, length)
}

export function decodeRow(height: number, bytes: Bytes): PostingRow {
  let at = 0
  const take = () => {
    let number = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]!
      if (byte < 128) return number + byte * factor
      number += (byte - 128) * factor
    }
  }
  const before = take()
  const start = before > 0 ? height - take() : height
  const positions: number[] = []
  let position = 0
  while (at < bytes.length) {
    position += take()
    positions.push(position)
  }
  return { height, start, before, positions }
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
