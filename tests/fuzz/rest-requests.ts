import type { Random } from '@coin/base/testing/random'
import type { MessageDescriptor } from '@coin/wire/descriptors'
import { descriptors } from '@coin/wire/registry'
import type { Route } from '@coin/wire/routes'
import type { Seeds } from './seeds.js'
import { mutateText, oddText, percentEncode, randomBytes, valueFor } from './values.js'

export interface HttpRequest {
  readonly method: string
  /** As it stands in the request line; printable ASCII. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/** These routes, and some that are none. */
export function createRestRequests(seeds: Seeds, routes: readonly Route[]): (random: Random) => HttpRequest {
  return (random) => {
    const route = random.pick(routes)
    const request = requestOf(route, random, seeds)
    if (random.int(4) > 0) return request
    const path = printable(mutateText(random, request.path))
    return {
      ...request,
      path: path.startsWith('/') ? path : `/${path}`,
      method: random.pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', request.method]),
    }
  }
}

/** Nothing that a client library would refuse to send. */
export const printable = (text: string) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^!-~]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)

function requestOf({ rule, method }: Route, random: Random, seeds: Seeds): HttpRequest {
  const path = rule.path.replace(/\{([^}=]+)(?:=[^}]*)?\}/g, (_, name: string) =>
    percentEncode(valueFor(name, random, seeds)),
  )
  const input = descriptors().requireMessage(method.input)
  const headers: Record<string, string> = {}
  if (random.int(6) === 0) headers['x-cosmos-block-height'] = printable(valueFor('height', random, seeds))
  if (random.int(20) === 0)
    headers[random.pick(['accept', 'origin', 'if-none-match', 'range', 'content-encoding'])] = printable(
      oddText(random),
    )
  if (rule.verb === 'GET') return { method: 'GET', path: path + queryOf(input, random, seeds), headers }
  return {
    method: rule.verb,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: bodyOf(input, random, seeds),
  }
}

function queryOf(input: MessageDescriptor, random: Random, seeds: Seeds): string {
  const names = [
    ...input.fields.map(({ name }) => name),
    ...[
      'pagination.limit',
      'pagination.offset',
      'pagination.key',
      'pagination.reverse',
      'pagination.count_total',
      'page',
      'limit',
    ],
    ...['events', 'query', 'order_by', 'height', oddText(random)],
  ]
  const parts = Array.from({ length: random.int(4) }, () => {
    const name = random.pick(names)
    return `${percentEncode(name)}=${percentEncode(valueFor(name, random, seeds))}`
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function bodyOf(input: MessageDescriptor, random: Random, seeds: Seeds): Uint8Array {
  const text = JSON.stringify(jsonOf(input, random, seeds, 0))
  if (random.int(10) === 0) return randomBytes(random, 300)
  return new Uint8Array(Buffer.from(random.int(4) === 0 ? mutateText(random, text) : text))
}

/** A JSON form of the message, with values that fit more or less. */
export function jsonOf(input: MessageDescriptor, random: Random, seeds: Seeds, depth: number): unknown {
  if (depth > 4) return {}
  const entries = input.fields
    .filter(() => random.int(4) > 0)
    .map((field) => {
      const inner = field.kind === 'message' ? descriptors().message(field.typeName) : undefined
      const one = () => {
        if (random.int(12) === 0) return random.pick<unknown>([null, [], {}, true, 1.5, '', [[]]])
        if (inner !== undefined) return jsonOf(inner, random, seeds, depth + 1)
        return field.kind === 'bool' ? random.int(2) === 0 : valueFor(field.name, random, seeds)
      }
      const name = random.int(10) === 0 ? field.jsonName : field.name
      return [name, field.repeated ? Array.from({ length: random.int(3) }, one) : one()]
    })
  return Object.fromEntries(entries)
}
