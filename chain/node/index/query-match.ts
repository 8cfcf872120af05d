import type { Event } from '@coin/engine/application'
import { type Condition, type Operand, type Operator, type Query, readMoment } from './query-syntax.js'

type ValueTest = (value: string) => boolean

/** What one condition says about one attribute value (libs/pubsub/query, opTypeMap). */
export function valueTest({ operator, operand }: Condition): ValueTest {
  if (!operand) return () => true
  const { kind, text } = operand
  if (operator === 'CONTAINS') return (value) => value.includes(text)
  if (kind === 'string') return (value) => value === text
  if (kind === 'number') return numberTest(operator, text)
  return momentTest(operator, operand)
}

function momentTest(operator: Operator, { kind, text }: Operand): ValueTest {
  const bound = readMoment(text)!
  const form = kind === 'date' ? /^\d{4}-\d\d-\d\d$/ : /T/
  return (value) => {
    const moment = form.test(value) ? readMoment(value) : undefined
    return moment !== undefined && holds(operator, moment < bound ? -1 : moment > bound ? 1 : 0)
  }
}

/** A decimal number as digits and the count of those behind the point, exact at any size. */
interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** Attribute values may have a unit behind the number: `5stake` counts as 5, as in CometBFT. */
const leadingNumber = /^\d+(?:\.\d+)?/

function readDecimal(text: string): Decimal | undefined {
  const found = leadingNumber.exec(text)?.[0]
  if (found === undefined || found.length > 100) return undefined
  const [whole, fraction = ''] = found.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const places = Math.max(a.places, b.places)
  const left = a.digits * 10n ** BigInt(places - a.places)
  const right = b.digits * 10n ** BigInt(places - b.places)
  return left < right ? -1 : left > right ? 1 : 0
}

function numberTest(operator: Operator, text: string): ValueTest {
  const bound = readDecimal(text)
  return (value) => {
    const number = readDecimal(value)
    return bound !== undefined && number !== undefined && holds(operator, compareDecimals(number, bound))
  }
}

function holds(operator: Operator, order: number): boolean {
  if (operator === '=') return order === 0
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  if (operator === '>') return order > 0
  return order >= 0
}

/** Values by tag (`transfer.recipient` -> all values in the block or transaction): what subscriptions are matched against. */
export type EventValues = ReadonlyMap<string, readonly string[]>

/** Events by tag, in order; events without type and attributes without key have none. */
export function eventValues(events: readonly Event[], into: Map<string, string[]> = new Map()): Map<string, string[]> {
  for (const { type, attributes } of events) {
    if (type === '') continue
    for (const { key, value } of attributes) {
      if (key === '') continue
      const tag = `${type}.${key}`
      const values = into.get(tag)
      if (values) values.push(value)
      else into.set(tag, [value])
    }
  }
  return into
}

/** A query ready to be asked often, for subscriptions: each condition may be met by another event. */
export function compileQuery(query: Query): (values: EventValues) => boolean {
  const conditions = query.map((condition) => {
    const test = valueTest(condition)
    return { tag: condition.tag, test, takesType: test('') }
  })
  return (values) =>
    conditions.every(
      ({ tag, test, takesType }) => values.get(tag)?.some(test) || (takesType && hasEventType(values, tag)),
    )
}

/** A bare event type, as in `slash EXISTS`, counts as an empty value of any event of that type. */
function hasEventType(values: EventValues, type: string): boolean {
  for (const tag of values.keys()) if (eventTypeOf(tag) === type) return true
  return false
}

/**
 * For tx and block search: conditions on one event type must be met by one event of that type, as CometBFT's index answers;
 * conditions on different types may be met by different events (where CometBFT's index finds nothing at all).
 */
export function compileEventQuery(query: Query): (events: readonly Event[]) => boolean {
  const groups = new Map<string, { tag: string; test: ValueTest }[]>()
  for (const condition of query) {
    const type = eventTypeOf(condition.tag)
    const group = groups.get(type) ?? []
    group.push({ tag: condition.tag, test: valueTest(condition) })
    groups.set(type, group)
  }
  return (events) =>
    [...groups.values()].every((tests) =>
      events.some((event) =>
        tests.every(({ tag, test }) =>
          event.attributes.some(({ key, value, index }) => index && `${event.type}.${key}` === tag && test(value)),
        ),
      ),
    )
}

/**
 * Everything before the last point: event types have points (`cosmos.bank.v1.EventSend`), attribute keys hardly ever. Conditions on
 * a key that has one are met all the same, but each by an event of its own.
 */
export function eventTypeOf(tag: string): string {
  return tag.slice(0, Math.max(0, tag.lastIndexOf('.')))
}
