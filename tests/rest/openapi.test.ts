import type { OpenApiDocument, Operation } from '@coin/node/openapi/openapi-types'
import { checkJson } from '@coin/node/testing/check-json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { type RestNode, startRestNode } from './rest-node.js'

let rest: RestNode
let document: OpenApiDocument
let hash: string

beforeAll(async () => {
  rest = await startRestNode('rest-openapi-1', 1, ['--engine.block-time', '300ms'])
  const [alice] = rest.senders
  hash = (await rest.deliver(alice!.sign([sendMessage(alice!.address, alice!.address, 1n)]))).hash
  document = (await rest.get('/openapi.json')).json
})
afterAll(() => rest.close())

/** The path of an operation with the example of each parameter, and otherwise something. */
function pathOf(template: string, { parameters }: Operation): string {
  const values = new Map(parameters.map(({ name, example }) => [name, example]))
  const path = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    if (name === 'hash') return hash
    return encodeURIComponent(String(values.get(name) ?? '1'))
  })
  const query = parameters.filter((it) => it.in === 'query' && it.example !== undefined)
  return `${path}?${query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&')}`
}

describe('the OpenAPI document of a node', () => {
  it('is what its routes really answer, and each of them answers', async () => {
    const wrong: string[] = []
    let answered = 0
    for (const [template, operations] of Object.entries(document.paths)) {
      const { get } = operations
      if (get === undefined) continue
      const path = pathOf(template, get)
      const { status, json } = await rest.get(path)
      if (status === 501 || (status === 500 && json.code === 13))
        wrong.push(`${path}: ${status} ${JSON.stringify(json)}`)
      if (status === 200) answered++
      const schema =
        status === 200
          ? get.responses[200]!.content!['application/json']!.schema
          : { $ref: '#/components/schemas/Error' }
      wrong.push(...checkJson(json, schema, document).map((problem) => `${path}: ${problem}`))
    }
    expect(wrong).toEqual([])
    expect(answered).toBeGreaterThan(30)
  })

  it('has every path that the documentation of the service names', () => {
    const named = [
      'get /cosmos/bank/v1beta1/denoms_metadata',
      'get /cosmos/bank/v1beta1/denoms_metadata/{denom}',
      'get /cosmwasm/wasm/v1/contract/{address}/smart/{query_data}',
      'get /cosmos/tx/v1beta1/txs/{hash}',
      'get /cosmos/tx/v1beta1/txs',
      'post /cosmos/tx/v1beta1/txs',
      'post /cosmos/tx/v1beta1/simulate',
      'get /cosmos/base/tendermint/v1beta1/blocks/latest',
      'get /cosmos/base/tendermint/v1beta1/blocks/{height}',
      'get /cosmos/base/tendermint/v1beta1/node_info',
      'get /cosmos/base/tendermint/v1beta1/syncing',
      'get /cosmos/mint/v1beta1/params',
      'get /cosmos/gov/v1/params/{params_type}',
    ]
    const served = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb} ${path}`),
    )
    expect(served).toEqual(expect.arrayContaining(named))
  })

  it('names the chain, and is what the page loads', async () => {
    expect(document.info.title).toBe('rest-openapi-1 REST API')
    const page = await fetch(`${rest.process.rest}/swagger/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('swagger-ui-bundle.js')])
    const script = await (await fetch(`${rest.process.rest}/swagger/start.js`)).text()
    expect(script).toContain("url: '../openapi.json'")
  })
})
