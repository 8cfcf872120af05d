import type { Event } from '@coin/engine/application'
import type { KvDatabase } from '@coin/store/kv-database'
import { type HeightRange, type Place, placeOf } from './places.js'
import type { PostingTables } from './posting-rows.js'
import type { Meter, Order, PostingList } from './postings.js'
import { queryErrors } from './query-syntax.js'
import { type OpenLists, openLists, type SearchPlan } from './search-plan.js'

export interface SearchRequest {
  readonly order: Order
  readonly limit: number
  /** Matches to leave out first. */
  readonly skip: number
  /** Begin here, inclusive. */
  readonly from?: Place | undefined
  /** `cheaply`: only if it does not take longer than a search may. */
  readonly countTotal: boolean | 'cheaply'
}

export interface SearchPage {
  readonly places: readonly Place[]
  /** Where the search goes on: the first match behind the page, or the end of what one search looks at when the page is not full. */
  readonly next?: Place | undefined
  readonly total?: number | undefined
}

export interface SearchSource {
  readonly db: KvDatabase
  readonly tables: PostingTables
  /** Lowest and highest height that can be found. */
  readonly bounds: HeightRange
  /** Events at a place; `undefined` when they are no longer stored. */
  events(place: Place): readonly Event[] | undefined
  /** What finding a page may cost, and counting all matches again: microseconds, more or less. */
  readonly costMax: number
  /** Lets other work run; called every so often. */
  pause(): Promise<void>
}

/** A search gives way to blocks and other requests after so many microseconds. */
const sliceCost = 2000
/** Of reading and checking the events of a transaction. */
const verifyCost = 60
const stepCost = 0.1

/**
 * Walks the lists of the plan side by side until the page is full. A page that costs too much ends early, with `next` to go on
 * from. Throws `tooMuch` when the way to the first match of the page, or the count that was asked for, costs too much.
 */
export async function search(plan: SearchPlan, request: SearchRequest, source: SearchSource): Promise<SearchPage> {
  const { order, countTotal } = request
  const heights = {
    from: Math.max(plan.heights.from, source.bounds.from),
    to: Math.min(plan.heights.to, source.bounds.to),
  }
  const isCounted = countTotal !== false
  if (heights.from > heights.to) return { places: [], ...(isCounted && { total: 0 }) }
  const meter: Meter = { spent: 0 }
  const lists = openLists(plan, heights, order, { db: source.db, tables: source.tables, meter })
  const page = await findPage(lists, heights, request, meter, source)
  if (!isCounted) return page
  const total = lists.counted
    ? lists.counted.count(heights)
    : await countMatches(plan, heights, { ...request, page }, source)
  if (total === undefined && countTotal === true)
    throw queryErrors.tooMuch(
      'there is too much to look at to count all matches; leave the count out and page by cursor, or narrow the heights',
    )
  return { ...page, ...(total !== undefined && { total }) }
}

async function findPage(
  lists: OpenLists,
  heights: HeightRange,
  { order, limit, skip, from }: SearchRequest,
  meter: Meter,
  source: SearchSource,
): Promise<SearchPage> {
  let left = skip
  let begin = from
  if (lists.counted && skip > 0 && from === undefined) {
    begin = lists.counted.nth(skip, heights)
    if (begin === undefined) return { places: [] }
    left = 0
  }
  const places: Place[] = []
  const walk = createWalk(lists, heights, order, begin, meter, source.events)
  for (;;) {
    const found = walk.next()
    if (found === undefined) return { places }
    if (found === 'paused') {
      if (meter.spent >= source.costMax) {
        if (left > 0)
          throw queryErrors.tooMuch(`there is too much to look at to leave out ${skip} matches; page by cursor`)
        return { places, next: walk.at() }
      }
      await source.pause()
    } else if (left > 0) left--
    else if (places.length < limit) places.push(found)
    else return { places, next: found }
  }
}

/** All matches, whatever page was asked for; `undefined` when that costs too much. Goes on behind the page where it can. */
async function countMatches(
  plan: SearchPlan,
  heights: HeightRange,
  { order, skip, from, page }: SearchRequest & { readonly page: SearchPage },
  source: SearchSource,
): Promise<number | undefined> {
  const isBehindPage = from === undefined && page.places.length > 0
  if (isBehindPage && page.next === undefined) return skip + page.places.length
  const meter: Meter = { spent: 0 }
  const lists = openLists(plan, heights, order, { db: source.db, tables: source.tables, meter })
  const walk = createWalk(lists, heights, order, isBehindPage ? page.next : undefined, meter, source.events)
  let total = isBehindPage ? skip + page.places.length : 0
  for (;;) {
    const found = walk.next()
    if (found === undefined) return total
    if (found !== 'paused') total++
    else if (meter.spent >= source.costMax) return undefined
    else await source.pause()
  }
}

/** The way through the matches, in slices. */
interface Walk {
  /** The next match; `paused` when others should have their turn. */
  next(): Place | 'paused' | undefined
  /** Where it goes on. */
  at(): Place
}

function createWalk(
  { lists, verify }: Pick<OpenLists, 'lists' | 'verify'>,
  heights: HeightRange,
  order: Order,
  begin: Place | undefined,
  meter: Meter,
  events: SearchSource['events'],
): Walk {
  const low = placeOf(heights.from, 0)
  const high = placeOf(heights.to + 1, 0) - 1
  const step = order === 'asc' ? 1 : -1
  let at = order === 'asc' ? Math.max(low, begin ?? low) : Math.min(high, begin ?? high)
  let pauseAt = meter.spent + sliceCost

  /** Moves on to the next place that all lists have; `moved` when that is enough for one slice. */
  function meet(): 'met' | 'moved' | 'end' {
    let agreed = 0
    for (let i = 0; agreed < lists.length; i = (i + 1) % lists.length) {
      const place = (lists[i] as PostingList).seek(at)
      meter.spent += stepCost
      if (place === undefined || place < low || place > high) return 'end'
      if (place === at) agreed++
      else {
        at = place
        agreed = 1
        if (meter.spent >= pauseAt) return 'moved'
      }
    }
    return 'met'
  }

  return {
    next() {
      for (;;) {
        // Asked before a step and not after it: each slice takes one at least, or a search would never end.
        if (meter.spent >= pauseAt) {
          pauseAt = meter.spent + sliceCost
          return 'paused'
        }
        if (at < low || at > high) return undefined
        const state = meet()
        if (state === 'end') return undefined
        if (state === 'moved') continue
        const found = at
        const matches = verify === undefined || verifies(found)
        at += step
        if (matches) return found
      }
    },
    at: () => at,
  }

  function verifies(place: Place): boolean {
    meter.spent += verifyCost
    const found = events(place)
    return found !== undefined && verify!(found)
  }
}
