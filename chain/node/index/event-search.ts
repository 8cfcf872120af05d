import type { Event } from '@coin/engine/application'
import type { KvDatabase } from '@coin/store/kv-database'
import { openPostings, type Place, type PostingTables, placeOf } from './postings.js'
import { compileEventQuery, eventTypeOf } from './query-match.js'
import { type Condition, type Query, queryErrors } from './query-syntax.js'

/** A query taken apart: heights bound the search, equal strings have lists of their own, the rest is checked on the events. */
export interface SearchPlan {
  readonly heights: { readonly from: number; readonly to: number }
  /** What must occur: a tag with a value, or a tag. */
  readonly lists: readonly { readonly tag: string; readonly value?: string }[]
  /** Whether the lists say yes to too much, so that the events have to be read. */
  readonly verify: ((events: readonly Event[]) => boolean) | undefined
}

/** `heightTag` is `tx.height` or `block.height`. Throws `badQuery` for a height that is no whole number. */
export function planSearch(query: Query, heightTag: string): SearchPlan {
  let from = 0
  let to = Number.MAX_SAFE_INTEGER
  const rest: Condition[] = []
  for (const condition of query) {
    if (condition.tag !== heightTag) {
      rest.push(condition)
      continue
    }
    if (condition.operator === 'EXISTS') continue
    const [low, high] = heightRange(condition)
    from = Math.max(from, low)
    to = Math.min(to, high)
  }
  const hasList = ({ operator, operand }: Condition) =>
    operator === '=' && (operand!.kind === 'string' || operand!.kind === 'number')
  const types = rest.map(({ tag }) => eventTypeOf(tag))
  const isExact = rest.every(hasList) && new Set(types).size === types.length
  return {
    heights: { from, to },
    lists: rest.map((condition) => ({
      tag: condition.tag,
      ...(hasList(condition) && { value: condition.operand!.text }),
    })),
    verify: isExact ? undefined : compileEventQuery(rest.map(asListed)),
  }
}

/** The lists compare text; so must the check, or a number would match in one way alone and in another together. */
function asListed(condition: Condition): Condition {
  const { operator, operand } = condition
  return operator === '=' && operand?.kind === 'number'
    ? { ...condition, operand: { ...operand, kind: 'string' } }
    : condition
}

function heightRange({ tag, operator, operand }: Condition): [low: number, high: number] {
  const height = /^\d{1,15}$/.test(operand!.text) ? Number(operand!.text) : undefined
  if (height === undefined || operator === 'CONTAINS')
    throw queryErrors.badQuery(`${tag} ${operator} ${operand!.text}: expected a whole number to compare with`)
  if (operator === '=') return [height, height]
  if (operator === '<') return [0, height - 1]
  if (operator === '<=') return [0, height]
  if (operator === '>') return [height + 1, Number.MAX_SAFE_INTEGER]
  return [height, Number.MAX_SAFE_INTEGER]
}

export interface SearchRequest {
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** Matches to leave out first. */
  readonly skip: number
  /** Begin here, inclusive. */
  readonly from?: Place | undefined
  readonly countTotal: boolean
}

export interface SearchPage {
  readonly places: readonly Place[]
  /** First match behind the page. */
  readonly next?: Place | undefined
  readonly total?: number | undefined
}

export interface SearchSource {
  readonly db: KvDatabase
  readonly tables: PostingTables
  /** Lowest and highest height that can be found; both inclusive. */
  readonly bounds: { readonly from: number; readonly to: number }
  /** Events at a place; `undefined` when they are no longer stored. */
  events(place: Place): readonly Event[] | undefined
  /** Steps (rows looked at) that one search may take. */
  readonly stepsMax: number
  /** Lets other work run; called every `stepsPerSlice`. */
  pause(): Promise<void>
}

/** A search gives way to blocks and other requests this often. */
const stepsPerSlice = 1000

/** Walks the plan's lists side by side until the page is full (and all is counted, if asked). Throws `tooMuch`. */
export async function search(plan: SearchPlan, request: SearchRequest, source: SearchSource): Promise<SearchPage> {
  const { order, limit, countTotal } = request
  const places: Place[] = []
  let skip = request.skip
  let total = 0
  let next: Place | undefined
  const begin = countTotal ? undefined : request.from
  for await (const place of matches(plan, order, begin, source)) {
    total++
    const isBefore = request.from !== undefined && (order === 'asc' ? place < request.from : place > request.from)
    if (isBefore) continue
    if (skip > 0) skip--
    else if (places.length < limit) places.push(place)
    else {
      next ??= place
      if (!countTotal) break
    }
  }
  return { places, next, ...(countTotal && { total }) }
}

async function* matches(
  { heights, lists, verify }: SearchPlan,
  order: 'asc' | 'desc',
  begin: Place | undefined,
  { db, tables, bounds, events, stepsMax, pause }: SearchSource,
): AsyncGenerator<Place> {
  const low = placeOf(Math.max(heights.from, bounds.from), 0)
  const high = placeOf(Math.min(heights.to, bounds.to) + 1, 0) - 1
  const step = order === 'asc' ? 1 : -1
  const streams = (lists.length > 0 ? lists : [undefined]).map((list) =>
    openPostings(db, tables, order, list?.tag, list?.value),
  )
  let at = order === 'asc' ? Math.max(low, begin ?? low) : Math.min(high, begin ?? high)
  let steps = 0
  walk: while (at >= low && at <= high) {
    for (const stream of streams) {
      if (++steps % stepsPerSlice === 0) await pause()
      if (steps > stepsMax)
        throw queryErrors.tooMuch(`more than ${stepsMax} index entries; narrow it, for example by height`)
      const place = stream.seek(at)
      if (place === undefined) return
      if (place === at) continue
      at = place
      continue walk
    }
    const found = verify ? events(at) : undefined
    if (!verify || (found && verify(found))) yield at
    at += step
  }
}
