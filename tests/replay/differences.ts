import type { JsonRecord, JsonValue } from './vectors.js'

/** One field that is not as expected. `undefined` is a field that is not there. */
export interface Difference {
  /** `$.tx_response.events[0].type` */
  readonly at: string
  readonly expected: JsonValue | undefined
  readonly actual: JsonValue | undefined
}

const isRecord = (value: JsonValue | undefined): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields by which the items of a list are told apart whose order says nothing: Go's maps have none. */
const listKeys: Readonly<Record<string, string>> = {
  accounts: 'address',
  interface_names: '',
  implementation_message_names: '',
  services: '',
  msgs: 'msg_type_url',
  query_services: 'fullname',
  methods: 'name',
  sign_modes: 'name',
}

/** Lists without an order as objects: `[{name: 'a'}]` -> `{a: {name: 'a'}}`. */
export function withoutOrder(value: JsonValue, field = ''): JsonValue {
  const key = listKeys[field]
  if (Array.isArray(value) && key !== undefined) {
    return Object.fromEntries(value.map((item: JsonValue) => [keyOf(item, key), withoutOrder(item)]))
  }
  if (Array.isArray(value)) return value.map((item) => withoutOrder(item))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutOrder(inner, name)]))
}

function keyOf(item: JsonValue, key: string): string {
  if (!isRecord(item)) return String(item)
  const { base_account: base } = item
  return String(item[key] ?? (isRecord(base) ? base[key] : JSON.stringify(item)))
}

/** Every field in which two JSON values differ. The order of an object's fields does not count. */
export function differences(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  at = '$',
): readonly Difference[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    return Array.from({ length }, (_, index) => differences(expected[index], actual[index], `${at}[${index}]`)).flat()
  }
  if (isRecord(expected) && isRecord(actual)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    return names.flatMap((name) => differences(expected[name], actual[name], `${at}.${name}`))
  }
  return JSON.stringify(expected) === JSON.stringify(actual) ? [] : [{ at, expected, actual }]
}

/** A difference that is meant, and why. */
export interface Accepted {
  /** Of the exchange's name. */
  readonly where: RegExp
  /** Of the field. */
  readonly at: RegExp
  /** What our value must look like. Left out, it may be anything. */
  readonly ours?: (actual: JsonValue | undefined, expected: JsonValue | undefined) => boolean
  readonly why: string
}

/** The differences that none of `accepted` allows. What allows one is added to `used`. */
export function unaccepted(
  name: string,
  found: readonly Difference[],
  accepted: readonly Accepted[],
  used: Set<Accepted>,
): readonly Difference[] {
  return found.filter(({ at, expected, actual }) => {
    const rules = accepted.filter(
      (rule) => rule.where.test(name) && rule.at.test(at) && (rule.ours?.(actual, expected) ?? true),
    )
    for (const rule of rules) used.add(rule)
    return rules.length === 0
  })
}
