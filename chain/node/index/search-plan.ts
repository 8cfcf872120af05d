import type { Event } from '@coin/engine/application'
import { type HeightRange, heightMax } from './places.js'
import { findTag, listValues } from './posting-rows.js'
import { type CountedList, type ListSource, type Order, openPostings, type PostingList } from './postings.js'
import { compileEventQuery, eventTypeOf, valueTest } from './query-match.js'
import { type Condition, type Query, queryErrors } from './query-syntax.js'

/** A query taken apart: heights bound the search, the rest are lists to walk side by side. */
export interface SearchPlan {
  readonly heights: HeightRange
  readonly conditions: Query
}

/** `heightTag` is `tx.height` or `block.height`. Throws `badQuery` for a height that is no whole number. */
export function planSearch(query: Query, heightTag: string): SearchPlan {
  let from = 0
  let to = heightMax
  const conditions: Condition[] = []
  for (const condition of query) {
    if (condition.tag !== heightTag) {
      conditions.push(condition)
      continue
    }
    if (condition.operator === 'EXISTS') continue
    const [low, high] = heightRange(condition)
    from = Math.max(from, low)
    to = Math.min(to, high)
  }
  return { heights: { from, to }, conditions }
}

function heightRange({ tag, operator, operand }: Condition): [low: number, high: number] {
  const height = /^\d{1,15}$/.test(operand!.text) ? Number(operand!.text) : undefined
  if (height === undefined || operator === 'CONTAINS')
    throw queryErrors.badQuery(`${tag} ${operator} ${operand!.text}: expected a whole number to compare with`)
  if (operator === '=') return [height, height]
  if (operator === '<') return [0, height - 1]
  if (operator === '<=') return [0, height]
  if (operator === '>') return [height + 1, heightMax]
  return [height, heightMax]
}

/** The lists that hold every match. */
export interface OpenLists {
  /** At least one. */
  readonly lists: readonly PostingList[]
  /** Whether the lists say yes to too much, so that the events have to be read. */
  readonly verify: ((events: readonly Event[]) => boolean) | undefined
  /** Set when this one list is the answer: then all can be counted and left out without being looked at. */
  readonly counted: CountedList | undefined
}

interface ConditionList {
  readonly list: PostingList
  readonly counted: CountedList | undefined
  /** Places in the list, at most. */
  readonly count: number
  readonly isExact: boolean
}

/** Finds the lists of a plan; the shortest leads, so that the others are leapt through. */
export function openLists(
  { conditions }: SearchPlan,
  heights: HeightRange,
  order: Order,
  source: ListSource,
): OpenLists {
  if (conditions.length === 0) {
    const every = openPostings(source, order)
    return { lists: [every], verify: undefined, counted: every }
  }
  const found = conditions.map((condition) => listOf(condition, heights, order, source))
  const types = conditions.map(({ tag }) => eventTypeOf(tag))
  const isExact = found.every((one) => one.isExact) && new Set(types).size === types.length
  return {
    lists: [...found].sort((a, b) => a.count - b.count).map(({ list }) => list),
    verify: isExact ? undefined : compileEventQuery(conditions.map(asListed)),
    counted: isExact && found.length === 1 ? found[0]!.counted : undefined,
  }
}

/** Values of a tag that are compared with a condition, and lists of those that meet it, before the transactions are looked at instead. */
const valuesMax = 500
const unitedMax = 32

function listOf(condition: Condition, heights: HeightRange, order: Order, source: ListSource): ConditionList {
  const { tag, operator } = condition
  const single = (isExact: boolean, value?: string): ConditionList => {
    const counted = openPostings(source, order, tag, value)
    return { list: counted, counted, count: counted.count(heights), isExact }
  }
  if (operator === 'EXISTS') return single(true)
  if (isListed(condition)) return single(true, condition.operand!.text)
  const number = findTag(source.db, source.tables, tag)
  const values = number === undefined ? [] : listValues(source.db, source.tables, number, valuesMax)
  source.meter.spent += (values?.length ?? valuesMax) * valueCost
  const meeting = values?.filter(valueTest(condition))
  if (meeting === undefined || meeting.length > unitedMax) return single(false)
  const lists = meeting.map((value) => openPostings(source, order, tag, value))
  const count = lists.reduce((sum, list) => sum + list.count(heights), 0)
  return { list: unite(lists, order), counted: lists.length === 1 ? lists[0] : undefined, count, isExact: true }
}

/** Microseconds to find the next value of a tag. */
const valueCost = 15

const isListed = ({ operator, operand }: Condition) =>
  operator === '=' && (operand!.kind === 'string' || operand!.kind === 'number')

/** The lists compare text; so must the check, or a number would match in one way alone and in another together. */
function asListed(condition: Condition): Condition {
  return isListed(condition) ? { ...condition, operand: { ...condition.operand!, kind: 'string' } } : condition
}

/** Places that are in any of the lists. */
function unite(lists: readonly PostingList[], order: Order): PostingList {
  const isBehind = order === 'asc' ? (a: number, b: number) => a >= b : (a: number, b: number) => a <= b
  const heads: (number | undefined)[] = []
  let isOpen = false
  return {
    seek(place) {
      let nearest: number | undefined
      lists.forEach((list, i) => {
        const head = heads[i]
        if (!isOpen || (head !== undefined && !isBehind(head, place))) heads[i] = list.seek(place)
        const now = heads[i]
        if (now !== undefined && (nearest === undefined || isBehind(nearest, now))) nearest = now
      })
      isOpen = true
      return nearest
    },
  }
}
