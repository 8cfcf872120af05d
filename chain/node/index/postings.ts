import type { Bytes } from '@coin/base/bytes'
import { firstEntry, type KvDatabase } from '@coin/store/kv-database'
import { type HeightRange, heightOfPlace, type Place, placeOf } from './places.js'
import {
  decodeRow,
  endOfList,
  everyTag,
  findTag,
  heightOfKey,
  listPrefix,
  type PostingRow,
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
  /** How many there are, by look-ups in the counts of the rows. */
  count(heights: HeightRange): number
  /** The place with `skip` others in front of it, in the direction of the list; by some thirty look-ups. */
  nth(skip: number, heights: HeightRange): Place | undefined
}

/** Where a list is read. */
export interface ListSource {
  readonly db: KvDatabase
  readonly tables: PostingTables
  readonly meter: Meter
}

interface OpenList extends ListSource {
  readonly prefix: Bytes
}

const emptyList: CountedList = { seek: () => undefined, count: () => 0, nth: () => undefined }

/** The list of `tag` with `value`, of `tag` with any value, or of everything (no tag). An unknown tag has an empty list. */
export function openPostings(source: ListSource, order: Order, tag?: string, value?: string): CountedList {
  const number = tag === undefined ? everyTag : findTag(source.db, source.tables, tag)
  if (number === undefined) return emptyList
  const prefix = listPrefix(source.tables, number, value)
  const list = { ...source, prefix }
  const isAscending = order === 'asc'
  return {
    seek: createSeek(list, isAscending),
    count: (heights) => countIn(list, heights),
    nth: (skip, heights) => nthPlace(list, skip, heights, isAscending),
  }
}

/** Most rows and places that are read ahead; as many as one block has, if they are more. */
const rowsAheadMax = 256
const placesAheadMax = 512
/** A step over more blocks than this is a leap: what is read ahead behind it would likely be leapt over too. */
const nearHeights = 8

/** Reads ahead the more the longer the list is read without a gap; keeps no iterator open, so that a search may pause between two calls. */
function createSeek({ db, meter, prefix }: OpenList, isAscending: boolean): PostingList['seek'] {
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
      const { positions } = decodeRow(found, row)
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

/** Part of a list within a range of heights that belongs to one run. */
interface RunPart {
  /** Of its rows. */
  readonly from: number
  readonly to: number
  /** Places of the run in front of the part. */
  readonly before: number
  readonly count: number
}

/** The parts of a list within the range, the last first: some look-ups for each. */
function* partsOf(list: OpenList, { from, to }: HeightRange): Generator<RunPart> {
  let last = lastRow(list, from, to)
  while (last !== undefined) {
    const { start, height } = last
    const first = start < from ? firstRow(list, from, to) : undefined
    const before = first?.before ?? 0
    yield { from: first?.height ?? start, to: height, before, count: last.before + last.positions.length - before }
    last = start > from ? lastRow(list, from, start - 1) : undefined
  }
}

function countIn(list: OpenList, heights: HeightRange): number {
  let count = 0
  for (const part of partsOf(list, heights)) count += part.count
  return count
}

function nthPlace(list: OpenList, skip: number, heights: HeightRange, isAscending: boolean): Place | undefined {
  const parts = [...partsOf(list, heights)]
  if (isAscending) parts.reverse()
  let left = skip
  for (const part of parts) {
    if (left < part.count) return placeInRun(list, part, isAscending ? left : part.count - 1 - left)
    left -= part.count
  }
  return undefined
}

/** The place with `index` others before it in the part: in the last row that has no more than that before it. */
function placeInRun(list: OpenList, part: RunPart, index: number): Place | undefined {
  const wanted = part.before + index
  let low = part.from
  let high = part.to
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    const row = firstRow(list, middle, high)
    if (row === undefined || row.before > wanted) high = middle - 1
    else low = row.height
  }
  const row = firstRow(list, low, low)
  const position = row?.positions[wanted - row.before]
  return position === undefined ? undefined : placeOf(low, position)
}

const firstRow = (list: OpenList, from: number, to: number) => rowAt(list, from, to, false)
const lastRow = (list: OpenList, from: number, to: number) => rowAt(list, from, to, true)

function rowAt({ db, meter, prefix }: OpenList, from: number, to: number, reverse: boolean): PostingRow | undefined {
  meter.spent += seekCost
  const entry = firstEntry(db.iterate(rowKey(prefix, from), rowKey(prefix, to + 1), reverse))
  return entry && decodeRow(heightOfKey(entry[0]), entry[1])
}
