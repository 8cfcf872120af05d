import { readFileSync } from 'node:fs'
import { descriptors } from '@coin/wire/registry'
import { describe, expect, it } from 'vitest'
import { checkJson, operationAt } from '../testing/check-json.js'
import { createDocument } from './document.js'
import type { OpenApiDocument } from './openapi-types.js'

const everyMethod = descriptors()
  .services()
  .flatMap(({ methods }) => methods.map(({ fullName }) => `/${fullName}`))

function documentWith(queries: readonly string[]): OpenApiDocument {
  const examples = { address: 'coin1x', denom: 'ucoin' }
  const services = ['/cosmos.tx.v1beta1.Service/GetTx']
  return createDocument({
    descriptors: descriptors(),
    services,
    queries,
    chainId: 'test-1',
    version: '1.2.3',
    examples,
  })
}

const whole = documentWith(everyMethod)
const operations = Object.entries(whole.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
)

/** Every `$ref` of a value. */
function refsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === '$ref' ? [String(inner)] : refsOf(inner)))
}

describe('the OpenAPI document', () => {
  it('has the routes of what is served, and no others', () => {
    const { paths } = documentWith(['/cosmos.bank.v1beta1.Query/Balance'])
    expect(Object.keys(paths)).toEqual([
      '/cosmos/bank/v1beta1/balances/{address}/by_denom',
      '/cosmos/tx/v1beta1/txs/{hash}',
    ])
    expect(Object.keys(whole.paths).length).toBeGreaterThan(100)
  })

  it('holds together: references lead somewhere, names are unique, path parameters are declared', () => {
    const at = (ref: string): unknown =>
      ref
        .slice(2)
        .split('/')
        .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], whole)
    for (const ref of refsOf(whole)) expect(at(ref), ref).toBeDefined()
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    const shapes = Object.keys(whole.paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'))
    expect(new Set(shapes).size).toBe(shapes.length)
    for (const { path, operation } of operations) {
      const inPath = operation.parameters.filter((it) => it.in === 'path')
      expect(inPath.map(({ name }) => name).sort(), path).toEqual(
        [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name).sort(),
      )
      const names = operation.parameters.map(({ in: place, name }) => `${place} ${name}`)
      expect(new Set(names).size, path).toBe(names.length)
      for (const tag of operation.tags) expect(whole.tags.map(({ name }) => name)).toContain(tag)
    }
    for (const name of Object.keys(whole.components.schemas)) expect(name).toMatch(/^[A-Za-z0-9._-]+$/)
    for (const name of Object.keys(whole.components.schemas))
      expect(refsOf(whole)).toContain(`#/components/schemas/${name}`)
  })

  it('says how a page is asked for, and at which height', () => {
    const { operation } = operationAt(whole, 'GET', '/cosmos/bank/v1beta1/denoms_metadata')!
    expect(operation.parameters.map(({ name, $ref }) => name ?? $ref)).toEqual([
      'pagination.key',
      'pagination.offset',
      'pagination.limit',
      'pagination.count_total',
      'pagination.reverse',
      '#/components/parameters/height',
    ])
    const { operation: search } = operationAt(whole, 'GET', '/cosmos/tx/v1beta1/txs')!
    expect(search.parameters.find(({ name }) => name === 'events')?.schema).toEqual({
      type: 'array',
      items: { type: 'string' },
    })
    const { operation: broadcast } = operationAt(whole, 'POST', '/cosmos/tx/v1beta1/txs')!
    expect(broadcast.requestBody?.content['application/json']?.schema.$ref).toMatch(/BroadcastTxRequest\.Input$/)
  })

  it('fits what the reference answers', () => {
    const file = new URL('../../../../tests/vectors/reference/rest.json', import.meta.url)
    const { entries } = JSON.parse(readFileSync(file, 'utf8')) as {
      entries: readonly { method: string; path: string; status: number; body: unknown }[]
    }
    const seen = new Set<string>()
    const wrong = entries.flatMap(({ method, path, status, body }) => {
      const found = operationAt(whole, method, path.split('?')[0]!)
      if (found === undefined || typeof body === 'string') return []
      // Two methods have this path; the document has the one for text.
      if (found.template === '/cosmos/auth/v1beta1/bech32/{address_string}' && status === 200) return []
      seen.add(found.template)
      const schema =
        status === 200
          ? found.operation.responses[200]!.content!['application/json']!.schema
          : { $ref: '#/components/schemas/Error' }
      return checkJson(body, schema, whole).map((problem) => `${method} ${path}: ${problem}`)
    })
    expect(wrong).toEqual([])
    expect(seen.size).toBeGreaterThan(40)
  })

  it('would notice another answer', () => {
    const { operation } = operationAt(whole, 'GET', '/cosmos/tx/v1beta1/txs/AB')!
    const { schema } = operation.responses[200]!.content!['application/json']!
    expect(checkJson({ tx: null, tx_response: { height: 5 } }, schema, whole)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('$.tx_response.height: 5, expected a string'),
        '$.tx_response.txhash is missing',
      ]),
    )
  })
})
