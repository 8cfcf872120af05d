import type { Bytes } from '@coin/base/bytes'
import { firstEntry, type KvDatabase } from '@coin/store/kv-database'
import { type HeightRange, heightMax, heightOfPlace, type Place, placeOf } from './places.js'
import {
  countBefore,
  decodeRow,
  endOfList,
  everyTag,
  findTag,
  heightOfKey,
  listPrefix,
  type PostingTables,
  rowKey,
} from './posting-rows.js'

export type Order = 'asc' | 'desc'

/** What a search has taken so far, in microseconds more or less: counted, so that the same search always ends at the same place. */
export interface Meter {
  spent: number
}

const seekCost = 10
const rowCost = 1.5
const placeCost = 0.1

/** A list of places, read in one direction. */
export interface PostingList {
  /** The nearest place at or behind `place`, in the direction of the list. Never ask for one in front of the last question. */
  seek(place: Place): Place | undefined
}

/** The places of one tag with one value, or with any. */
export interface CountedList extends PostingList {
  /** How many there are, by two look-ups. */
  count(heights: HeightRange): number
  /** The place with `skip` others in front of it, in the direction of the list; by some twenty look-ups. */
  nth(skip: number, heights: HeightRange): Place | undefined
}

/** Where a list is read. */
export interface ListSource {
  readonly db: KvDatabase
  readonly tables: PostingTables
  readonly meter: Meter
}

const emptyList: CountedList = { seek: () => undefined, count: () => 0, nth: () => undefined }

/** The list of `tag` with `value`, of `tag` with any value, or of everything (no tag). An unknown tag has an empty list. */
export function openPostings(source: ListSource, order: Order, tag?: string, value?: string): CountedList {
  const number = tag === undefined ? everyTag : findTag(source.db, source.tables, tag)
  if (number === undefined) return emptyList
  const prefix = listPrefix(source.tables, number, value)
  return {
    seek: createSeek(source, prefix, order === 'asc'),
    count: (heights) => countIn(source, prefix, heights),
    nth(skip, heights) {
      const count = countIn(source, prefix, heights)
      if (skip >= count) return undefined
      return nthPlace(source, prefix, order === 'asc' ? skip : count - 1 - skip, heights)
    },
  }
}

/** Most rows and places that are read ahead; as many as one block has, if they are more. */
const rowsAheadMax = 256
const placesAheadMax = 512
/** A step over more blocks than this is a leap: what is read ahead behind it would likely be leapt over too. */
const nearHeights = 8

/** Reads ahead the more the longer the list is read without a gap; keeps no iterator open, so that a search may pause between two calls. */
function createSeek({ db, meter }: ListSource, prefix: Bytes, isAscending: boolean): PostingList['seek'] {
  let chunk: Place[] = []
  let at = 0
  let isLast = false
  let rowsAhead = 1

  function load(from: Place): void {
    const height = heightOfPlace(from)
    const low = rowKey(prefix, isAscending ? height : 0)
    const high = isAscending ? endOfList(prefix) : rowKey(prefix, height + 1)
    chunk = []
    at = 0
    isLast = true
    let rows = 0
    for (const [key, row] of db.iterate(low, high, !isAscending)) {
      const found = heightOfKey(key)
      const { positions } = decodeRow(row)
      const count = positions.length
      for (let i = 0; i < count; i++) {
        const place = placeOf(found, positions[isAscending ? i : count - 1 - i]!)
        if (isAscending ? place >= from : place <= from) chunk.push(place)
      }
      rows++
      meter.spent += rowCost + count * placeCost
      if (chunk.length > 0 && (rows >= rowsAhead || chunk.length >= placesAheadMax)) {
        isLast = false
        break
      }
    }
    meter.spent += seekCost
  }

  return (place) => {
    while (at < chunk.length && (isAscending ? chunk[at]! < place : chunk[at]! > place)) at++
    if (at < chunk.length || isLast) return chunk[at]
    const last = chunk.at(-1)
    const isNear = last !== undefined && Math.abs(heightOfPlace(place) - heightOfPlace(last)) <= nearHeights
    rowsAhead = isNear ? Math.min(2 * rowsAhead, rowsAheadMax) : 1
    load(place)
    return chunk[at]
  }
}

function countIn({ db, meter }: ListSource, prefix: Bytes, { from, to }: HeightRange): number {
  if (from > to) return 0
  meter.spent += 2 * seekCost
  return countBefore(db, prefix, Math.min(to, heightMax) + 1) - countBefore(db, prefix, from)
}

/** The place with `index` others below it in the range; there are more than that. */
function nthPlace({ db, meter }: ListSource, prefix: Bytes, index: number, heights: HeightRange): Place | undefined {
  const wanted = countBefore(db, prefix, heights.from) + index
  let low = heights.from
  let high = Math.min(heights.to, heightMax)
  // The row that holds the place is the last one with no more than `wanted` places before it.
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    meter.spent += seekCost
    const row = firstEntry(db.iterate(rowKey(prefix, middle), rowKey(prefix, high + 1)))
    if (row === undefined || decodeRow(row[1]).before > wanted) high = middle - 1
    else low = heightOfKey(row[0])
  }
  const row = db.get(rowKey(prefix, low))
  const { before, positions } = row ? decodeRow(row) : { before: 0, positions: [] }
  const position = positions[wanted - before]
  return position === undefined ? undefined : placeOf(low, position)
}
