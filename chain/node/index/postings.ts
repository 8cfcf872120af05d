import { type Bytes, bytesToUtf8, concatBytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import type { KvDatabase, KvOperation } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'

/**
 * Posting lists: for every (tag, value) and every tag the places where it occurs, ordered by height. A search walks the
 * lists side by side from either end and stops as soon as it has a page.
 *
 * Rows, first byte = table; a row holds a whole block, so what every transaction has costs one row, not thousands:
 *   tags:    tag text -> its number, 4 bytes (keys stay short)
 *   values:  tag number, value, height -> positions in the block
 *   places:  tag number, height -> positions in the block (tag 0: every place)
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

/** Positions ascending, as differences in base 128. */
function positionsToBytes(positions: readonly number[]): Bytes {
  const bytes: number[] = []
  let last = 0
  for (const position of positions) {
    let difference = position - last
    for (; difference >= 128; difference = Math.floor(difference / 128)) bytes.push((difference % 128) + 128)
    bytes.push(difference)
    last = position
  }
  return Uint8Array.from(bytes)
}

function bytesToPositions(bytes: Bytes): number[] {
  const positions: number[] = []
  let position = 0
  let difference = 0
  let factor = 1
  for (const byte of bytes) {
    difference += (byte % 128) * factor
    factor *= 128
    if (byte >= 128) continue
    position += difference
    positions.push(position)
    difference = 0
    factor = 1
  }
  return positions
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
  /** Takes up the events at one position of a block; positions ascending. */
  add(position: number, events: readonly Event[]): void
  /** The rows for what was taken up since the last call: one block, tags that are new in it included. */
  finish(height: number): KvOperation[]
}

/** What one block holds of one tag. */
interface TagPositions {
  readonly number: number
  readonly positions: number[]
  readonly values: Map<string, number[]>
}

export function createPostingWriter(db: KvDatabase, tables: PostingTables): PostingWriter {
  const numbers = new Map<string, number>()
  for (const [key, value] of db.iterate(Uint8Array.of(tables.tags), Uint8Array.of(tables.tags + 1)))
    numbers.set(bytesToUtf8(key.subarray(1)), new DataView(value.buffer, value.byteOffset, value.length).getUint32(0))
  let tags = new Map<string, TagPositions>()
  let every: number[] = []
  let operations: KvOperation[] = []

  function startTag(tag: string): TagPositions {
    let number = numbers.get(tag)
    if (number === undefined) {
      number = numbers.size + 1
      numbers.set(tag, number)
      operations.push([tagKey(tables, tag), numberToBytes(0, number).subarray(1)])
    }
    const started = { number, positions: [], values: new Map() }
    tags.set(tag, started)
    return started
  }

  return {
    add(position, events) {
      every.push(position)
      for (const { type, attributes } of events) {
        for (const { key, value, index } of attributes) {
          if (!index || type === '' || key === '') continue
          const tag = `${type}.${key}`
          const found = tags.get(tag) ?? (isTooLong(tag) ? undefined : startTag(tag))
          if (!found) continue
          addOnce(found.positions, position)
          const positions = found.values.get(value)
          if (positions) addOnce(positions, position)
          else found.values.set(value, [position])
        }
      }
    },
    finish(height) {
      const end = placeToBytes(height)
      const row = (prefix: Bytes, positions: readonly number[]) =>
        operations.push([concatBytes(prefix, end), positionsToBytes(positions)])
      if (every.length > 0) row(numberToBytes(tables.places, everyTag), every)
      for (const { number, positions, values } of tags.values()) {
        row(numberToBytes(tables.places, number), positions)
        const prefix = numberToBytes(tables.values, number)
        for (const [value, where] of values) row(concatBytes(prefix, valueToBytes(value)), where)
      }
      const finished = operations
      tags = new Map()
      every = []
      operations = []
      return finished
    },
  }
}

function addOnce(positions: number[], position: number): void {
  if (positions.at(-1) !== position) positions.push(position)
}

/** Contracts choose event types; a tag longer than a database key can be is not searchable. */
const tagBytesMax = 1024

function isTooLong(tag: string): boolean {
  return utf8ToBytes(tag).length > tagBytesMax
}

function tagKey(tables: PostingTables, tag: string): Bytes {
  return concatBytes(Uint8Array.of(tables.tags), utf8ToBytes(tag))
}

function readHeight(key: Bytes, offset: number): number {
  return Number(new DataView(key.buffer, key.byteOffset, key.length).getBigUint64(offset))
}

/** One posting list, read in the direction of the search. */
export interface PostingList {
  /** The nearest place at or behind `place`, in the direction of the list. Never ask for one in front of the last answer. */
  seek(place: Place): Place | undefined
}

/** Places read ahead, or those of one block if they are more. */
const chunkPlaces = 128

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
    const row = tag === '' || isTooLong(tag) ? undefined : db.get(tagKey(tables, tag))
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
    const height = heightOfPlace(from)
    const low = isAscending ? placeToBytes(height) : emptyBytes
    const high = placeToBytes(isAscending ? Number.MAX_SAFE_INTEGER : height + 1)
    chunk = []
    at = 0
    isLast = true
    for (const [key, positions] of db.iterate(concatBytes(prefix, low), concatBytes(prefix, high), !isAscending)) {
      const found = readHeight(key, prefix.length)
      const places = bytesToPositions(positions).map((position) => placeOf(found, position))
      if (!isAscending) places.reverse()
      for (const place of places) if (isAscending ? place >= from : place <= from) chunk.push(place)
      isLast = chunk.length < chunkPlaces
      if (!isLast) break
    }
  }

  return {
    seek(place) {
      while (at < chunk.length && (isAscending ? chunk[at]! < place : chunk[at]! > place)) at++
      if (at === chunk.length && !isLast) load(place)
      return chunk[at]
    },
  }
}
