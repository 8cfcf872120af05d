import { bytesToBase64, utf8ToBytes } from '@coin/base/bytes'
import { sdkErrors } from '@coin/runtime/errors'
import { status } from '@coin/runtime/status'
import type { QueryDenomMetadataRequest, QuerySupplyOfRequest } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import type { QuerySmartContractStateRequest } from '@coin/wire/gen/cosmwasm/wasm/v1/query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway } from '../testing/open-gateway.js'

let rest: OpenGateway

beforeEach(async () => {
  rest = await openGateway()
})
afterEach(() => rest.close())

describe('routes', () => {
  it('answers 501 with the gateway body where there is none', async () => {
    for (const [path, method] of [
      ['/nope', 'GET'],
      ['/cosmos/tx/v1beta1/simulate', 'DELETE'],
      ['/', 'GET'],
      ['/cosmos/tx/v1beta1/simulate', 'OPTIONS'],
    ] as const) {
      const { status: http, json } = await rest.call(path, { method })
      expect([http, json]).toEqual([501, { code: 12, message: 'Not Implemented', details: [] }])
    }
    expect((await rest.post('/nope', 'x'.repeat(1000))).status).toBe(501)
  })

  it('answers 501 for methods of modules that are not there', async () => {
    const { status: http, json } = await rest.call('/cosmos/mint/v1beta1/params')
    expect([http, json.code]).toEqual([501, 12])
  })

  it('answers 400 for a path that is not percent-encoded', async () => {
    expect((await rest.call('/cosmos/tx/v1beta1/txs/%zz')).status).toBe(400)
    expect((await rest.call('/cosmos/tx/v1beta1/txs?query=%zz')).status).toBe(400)
  })
})

describe('queries of the application', () => {
  beforeEach(() => {
    rest.twin.addBlock()
    rest.twin.addBlock()
    rest.twin.answerQuery('/cosmos.bank.v1beta1.Query/SupplyOf', ({ denom }: QuerySupplyOfRequest, height) => ({
      amount: { denom, amount: String(height) },
    }))
  })

  it('read the last state, print Cosmos JSON and name the height', async () => {
    const {
      status: http,
      json,
      headers,
    } = await rest.call('/cosmos/bank/v1beta1/supply/by_denom?denom=ucoin&unknown=1')
    expect([http, json]).toEqual([200, { amount: { denom: 'ucoin', amount: '2' } }])
    expect(headers.get('x-cosmos-block-height')).toBe('2')
  })

  it('read an older state by header, and refuse heights that cannot be', async () => {
    const at = (height: string) =>
      rest.call('/cosmos/bank/v1beta1/supply/by_denom?denom=ucoin', { headers: { 'x-cosmos-block-height': height } })
    const { json, headers } = await at('1')
    expect(json).toEqual({ amount: { denom: 'ucoin', amount: '1' } })
    expect(headers.get('x-cosmos-block-height')).toBe('1')
    expect((await at('0')).json).toEqual({ amount: { denom: 'ucoin', amount: '2' } })
    const ahead = await at('900')
    expect([ahead.status, ahead.json]).toEqual([
      400,
      { code: 3, message: 'height 900 is ahead of the chain (latest 2)', details: [] },
    ])
    for (const height of ['-1', 'abc', '1.5', '99999999999999999999']) expect((await at(height)).status).toBe(400)
  })

  it('are asked once per height and URL', async () => {
    const url = '/cosmos/bank/v1beta1/supply/by_denom?denom=ucoin'
    await rest.call(url)
    await rest.call(url)
    expect(rest.twin.queryCount()).toBe(1)
    rest.twin.addBlock()
    expect((await rest.call(url)).json).toEqual({ amount: { denom: 'ucoin', amount: '3' } })
    expect(rest.twin.queryCount()).toBe(2)
  })

  it('turn errors into the HTTP status of grpc-gateway', async () => {
    const cases = [
      [status('notFound', 'client metadata for denom x'), 404, 5],
      [status('invalidArgument', 'bad'), 400, 3],
      [status('unavailable', 'later'), 503, 14],
      [status('internal', 'oh'), 500, 13],
      [sdkErrors.invalidRequest('bad'), 400, 3],
      [sdkErrors.invalidHeight('pruned, 5 to 9 are available'), 400, 3],
      [sdkErrors.outOfGas('x'), 500, 2],
      [new TypeError('a secret of the implementation'), 500, 13],
    ] as const
    for (const [error, http, code] of cases) {
      rest.twin.answerQuery('/cosmos.bank.v1beta1.Query/DenomMetadata', () => {
        throw error
      })
      const reply = await rest.call(`/cosmos/bank/v1beta1/denoms_metadata/x${http}${code}`)
      expect([reply.status, reply.json.code, reply.json.details]).toEqual([http, code, []])
      expect(reply.json.message).toBe(error instanceof TypeError ? 'internal error' : error.message)
    }
  })

  it('take denominations with slashes, encoded or not', async () => {
    const seen: string[] = []
    rest.twin.answerQuery('/cosmos.bank.v1beta1.Query/DenomMetadata', ({ denom }: QueryDenomMetadataRequest) => {
      seen.push(denom)
      throw status('notFound', 'x')
    })
    await rest.call('/cosmos/bank/v1beta1/denoms_metadata/ibc/ABC')
    await rest.call('/cosmos/bank/v1beta1/denoms_metadata/ibc%2FABC')
    expect(seen).toEqual(['ibc/ABC', 'ibc/ABC'])
  })

  it('take contract queries in standard and URL-safe base64, percent-encoded or not', async () => {
    const query = '{"a":">>>???~~~"}'
    rest.twin.answerQuery(
      '/cosmwasm.wasm.v1.Query/SmartContractState',
      ({ queryData }: QuerySmartContractStateRequest) => ({
        data: queryData,
      }),
    )
    const standard = bytesToBase64(utf8ToBytes(query))
    expect(standard).toMatch(/[+/]/)
    const urlSafe = standard.replaceAll('+', '-').replaceAll('/', '_')
    for (const text of [
      standard,
      encodeURIComponent(standard),
      urlSafe,
      urlSafe.replaceAll('=', ''),
      encodeURIComponent(urlSafe),
    ]) {
      const { status: http, json } = await rest.call(`/cosmwasm/wasm/v1/contract/coin1x/smart/${text}`)
      expect([http, json], text).toEqual([200, { data: JSON.parse(query) }])
    }
    const bad = await rest.call('/cosmwasm/wasm/v1/contract/coin1x/smart/!!')
    expect([bad.status, bad.json.code]).toEqual([400, 3])
    expect(bad.json.message).toContain('base64')
  })

  it('refuse parameters of another type by name', async () => {
    const { status: http, json } = await rest.call('/cosmos/bank/v1beta1/supply?pagination.limit=abc')
    expect([http, json.code]).toEqual([400, 3])
    expect(json.message).toMatch(/pagination.limit.*abc/)
  })
})
