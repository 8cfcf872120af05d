import type { Descriptors } from '@coin/wire/descriptors'
import { createRoutes, type Route, type Routes } from '@coin/wire/routes'
import type { OpenApiDocument, Operation, Parameter, ResponseObject, Schema } from './openapi-types.js'
import { createOperation, pathTemplate } from './operations.js'
import { createSchemas } from './schemas.js'
import type { ExampleValues } from './words.js'

export interface DocumentOptions {
  readonly descriptors: Descriptors
  /** gRPC paths with leading slash of the node's own services. */
  readonly services: Iterable<string>
  /** The same of the application; these read the state. */
  readonly queries: Iterable<string>
  readonly chainId: string
  /** Of this program. */
  readonly version: string
  readonly examples: ExampleValues
}

/** The methods that callers look for first; modules follow by name. */
const firstTags = ['tx', 'tendermint', 'node']

const tagWords: Readonly<Record<string, string>> = {
  tx: 'Transactions: find, broadcast, simulate, decode',
  tendermint: 'Blocks, validators, this node',
  node: 'Settings and status of this node',
}

const about = [
  'Everything that this node answers over REST, made from the descriptions of its services.',
  '64-bit integers are strings, enums names, bytes base64, decimals strings of 18 places, times RFC 3339.',
  'A list goes on with `pagination.key` set to the `pagination.next_key` of the page before.',
  'Every query reads the state of the height in the header `x-cosmos-block-height`, and otherwise the last one.',
].join('\n\n')

/** The OpenAPI document of every route that is served. */
export function createDocument(options: DocumentOptions): OpenApiDocument {
  const { descriptors, chainId, version, examples } = options
  const [services, queries] = [new Set(options.services), new Set(options.queries)]
  const schemas = createSchemas(descriptors)
  const routes = createRoutes(descriptors)
  const paths = new Map<string, Record<string, Operation>>()
  for (const route of routes.all) {
    const { rule, method } = route
    const readsState = queries.has(`/${method.fullName}`)
    if (!(readsState || services.has(`/${method.fullName}`)) || !isReachable(routes, route)) continue
    const path = pathTemplate(rule.path)
    const operations = paths.get(path) ?? {}
    paths.set(path, operations)
    const binding = method.http.indexOf(rule)
    operations[rule.verb.toLowerCase()] = createOperation(route, {
      descriptors,
      schemas,
      examples,
      readsState,
      binding,
    })
  }
  const sorted = [...paths].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    openapi: '3.0.3',
    info: { title: `${chainId} REST API`, version, description: about },
    servers: [{ url: '/' }],
    tags: tagsOf(sorted.flatMap(([, operations]) => Object.values(operations).flatMap(({ tags }) => tags))),
    paths: Object.fromEntries(sorted),
    components: {
      schemas: { Error: errorSchema, ...schemas.all() },
      parameters: { height: heightParameter },
      responses: { error: errorResponse },
    },
  }
}

/** Two methods may have templates of the same shape; the first has the calls. */
function isReachable(routes: Routes, { rule, method }: Route): boolean {
  const path = rule.path.replaceAll(/\{[^}]*\}/g, 'AAAA')
  return routes.match(rule.verb, path)?.method === method
}

function tagsOf(used: readonly string[]): OpenApiDocument['tags'] {
  const names = [...new Set(used)].sort()
  const ordered = [
    ...firstTags.filter((tag) => names.includes(tag)),
    ...names.filter((tag) => !firstTags.includes(tag)),
  ]
  return ordered.map((name) => ({ name, ...(tagWords[name] !== undefined && { description: tagWords[name] }) }))
}

const heightParameter: Parameter = {
  name: 'x-cosmos-block-height',
  in: 'header',
  description: 'Read the state of this height; the last one when it is left out or 0.',
  schema: { type: 'string', pattern: '^[0-9]*$' },
}

const errorSchema: Schema = {
  type: 'object',
  properties: {
    code: { type: 'integer', format: 'int32', description: 'gRPC status code: 3 invalid argument, 5 not found, ...' },
    message: { type: 'string' },
    details: { type: 'array', items: { $ref: '#/components/schemas/Any' } },
  },
  required: ['code', 'message', 'details'],
  example: { code: 5, message: 'tx not found: ABCD', details: [] },
}

const errorResponse: ResponseObject = {
  description:
    'A failed call. Status by code: 3 is 400, 4 is 504, 5 is 404, 8 is 429, 12 is 501, 13 is 500, 14 is 503.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}
