import { type Bytes, bytesToUtf8, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import type { KvDatabase, KvOperation } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'

/**
 * Posting lists: for every (tag, value) and every tag the places where it occurs, ordered by height. A search walks the
 * lists side by side from either end and stops as soon as it has a page.
 *
 * Rows, first byte = table:
 *   tags:    tag text -> its number, 4 bytes (keys stay short)
 *   values:  tag number, value, place -> nothing
 *   places:  tag number, place -> nothing (tag 0: every place)
 */
export interface PostingTables {
  readonly tags: number
  readonly values: number
  readonly places: number
}

/**
 * A transaction (or, with index 0, a block) as one number that sorts by height, then by position in the block:
 * `height * 2^20 + index`. Exact for heights below 2^33 and a million transactions a block.
 */
export type Place = number

const indexBits = 2 ** 20

export function placeOf(height: number, index: number): Place {
  return height * indexBits + index
}

export function heightOfPlace(place: Place): number {
  return Math.floor(place / indexBits)
}

export function indexOfPlace(place: Place): number {
  return place % indexBits
}

export function placeToBytes(place: Place): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(place))
  return bytes
}

function bytesToPlace(bytes: Bytes, offset: number): Place {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getBigUint64(offset))
}

/** The number of the list that holds every place. */
const everyTag = 0
const valueBytesMax = 255

function numberToBytes(table: number, tag: number): Bytes {
  const bytes = new Uint8Array(5)
  bytes[0] = table
  new DataView(bytes.buffer).setUint32(1, tag)
  return bytes
}

/** Length first, so that no value is the start of another; long values by their hash. */
function valueToBytes(value: string): Bytes {
  const bytes = utf8ToBytes(value)
  const isLong = bytes.length > valueBytesMax
  const body = isLong ? sha256(bytes) : bytes
  return concatBytes(isLong ? Uint8Array.of(1, 0) : Uint8Array.of(0, body.length), body)
}

export interface PostingWriter {
  /** The rows for one place; `operations` also gets rows for tags never seen before. */
  add(place: Place, events: readonly Event[], operations: KvOperation[]): void
}

export function createPostingWriter(db: KvDatabase, tables: PostingTables): PostingWriter {
  const numbers = new Map<string, number>()
  for (const [key, value] of db.iterate(Uint8Array.of(tables.tags), Uint8Array.of(tables.tags + 1)))
    numbers.set(bytesToUtf8(key.subarray(1)), new DataView(value.buffer, value.byteOffset, value.length).getUint32(0))

  function numberOf(tag: string, operations: KvOperation[]): number {
    const known = numbers.get(tag)
    if (known !== undefined) return known
    const number = numbers.size + 1
    numbers.set(tag, number)
    operations.push([tagKey(tables, tag), numberToBytes(0, number).subarray(1)])
    return number
  }

  return {
    add(place, events, operations) {
      const end = placeToBytes(place)
      const none = new Uint8Array(0)
      const seen = new Map<number, Set<string>>()
      operations.push([concatBytes(numberToBytes(tables.places, everyTag), end), none])
      for (const { type, attributes } of events) {
        for (const { key, value, index } of attributes) {
          if (!index || type === '' || key === '') continue
          const tag = `${type}.${key}`
          if (utf8ToBytes(tag).length > tagBytesMax) continue
          const number = numberOf(tag, operations)
          let values = seen.get(number)
          if (!values) {
            values = new Set()
            seen.set(number, values)
            operations.push([concatBytes(numberToBytes(tables.places, number), end), none])
          }
          if (values.has(value)) continue
          values.add(value)
          operations.push([concatBytes(numberToBytes(tables.values, number), valueToBytes(value), end), none])
        }
      }
    },
  }
}

/** Contracts choose event types; a tag longer than a database key can be is not searchable. */
const tagBytesMax = 1024

function tagKey(tables: PostingTables, tag: string): Bytes {
  return concatBytes(Uint8Array.of(tables.tags), utf8ToBytes(tag))
}

/** One posting list, read in the direction of the search. */
export interface PostingList {
  /** The nearest place at or behind `place`, in the direction of the list. Never ask for one in front of the last answer. */
  seek(place: Place): Place | undefined
}

const chunkRows = 128

/**
 * The list of `tag` with `value`, of `tag` with any value, or of everything (no tag). An unknown tag has an empty list.
 * Reads in chunks and keeps no iterator open, so a search may pause between two calls.
 */
export function openPostings(
  db: KvDatabase,
  tables: PostingTables,
  order: 'asc' | 'desc',
  tag?: string,
  value?: string,
): PostingList {
  let number = everyTag
  if (tag !== undefined) {
    const row = tag === '' || utf8ToBytes(tag).length > tagBytesMax ? undefined : db.get(tagKey(tables, tag))
    if (!row) return { seek: () => undefined }
    number = new DataView(row.buffer, row.byteOffset, row.length).getUint32(0)
  }
  const prefix =
    value === undefined
      ? numberToBytes(tables.places, number)
      : concatBytes(numberToBytes(tables.values, number), valueToBytes(value))
  const isAscending = order === 'asc'
  let chunk: Place[] = []
  let at = 0
  let isLast = false

  function load(from: Place): void {
    const low = isAscending ? placeToBytes(from) : new Uint8Array(0)
    const high = isAscending ? new Uint8Array(9).fill(255) : placeToBytes(from + 1)
    chunk = []
    at = 0
    for (const [key] of db.iterate(concatBytes(prefix, low), concatBytes(prefix, high), !isAscending)) {
      chunk.push(bytesToPlace(key, prefix.length))
      if (chunk.length === chunkRows) break
    }
    isLast = chunk.length < chunkRows
  }

  return {
    seek(place) {
      while (at < chunk.length && (isAscending ? chunk[at]! < place : chunk[at]! > place)) at++
      if (at === chunk.length && !isLast) load(place)
      return chunk[at]
    },
  }
}
