import type { QuerySupplyOfRequest } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway } from '../testing/open-gateway.js'

let rest: OpenGateway

beforeEach(async () => {
  rest = await openGateway()
  rest.twin.addBlock()
  rest.twin.addBlock()
  rest.twin.answerQuery('/cosmos.bank.v1beta1.Query/SupplyOf', ({ denom }: QuerySupplyOfRequest, height) => ({
    amount: { denom, amount: String(height) },
  }))
})
afterEach(() => rest.close())

const supply = '/cosmos/bank/v1beta1/supply/by_denom'
const url = `${supply}?denom=ucoin`

describe('requests', () => {
  it('of verbs that a path does not have are not implemented, with those that it has', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS']) {
      const { status, json, headers } = await rest.call(url, { method })
      expect([status, json, headers.get('allow')], method).toEqual([
        501,
        { code: 12, message: 'Not Implemented', details: [] },
        'GET',
      ])
    }
    const { headers } = await rest.call('/cosmos/tx/v1beta1/txs', { method: 'PUT' })
    expect(headers.get('allow')).toBe('GET, POST')
  })

  it('by HEAD get all but the body', async () => {
    const [head, get] = [await fetch(rest.base + url, { method: 'HEAD' }), await fetch(rest.base + url)]
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'x-cosmos-block-height', 'etag'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    expect((await fetch(`${rest.base}/nope`, { method: 'HEAD' })).status).toBe(501)
  })

  it('with doubled slashes and dots go where they mean', async () => {
    for (const path of [`//cosmos//bank/v1beta1/supply/by_denom`, '/x/../cosmos/./bank/v1beta1/supply/by_denom']) {
      const text = await rest.raw(`GET ${path}?denom=ucoin HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      expect(text).toContain('{"amount":{"denom":"ucoin","amount":"2"}}')
    }
    const slash = await rest.call(`${supply}/?denom=ucoin`)
    expect([slash.status, slash.json.code]).toEqual([501, 12])
  })

  it('may name a whole URL, as clients of proxies do', async () => {
    const text = await rest.raw(`GET http://node.example${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(text).toContain('"amount":"2"')
  })

  it('take the first of a parameter that is given twice, and ignore what they do not know', async () => {
    expect((await rest.call(`${url}&denom=other&height=1&foo=2`)).json).toEqual({
      amount: { denom: 'ucoin', amount: '2' },
    })
  })

  it('may send the query as a form, as long as they like', async () => {
    const denom = 'x'.repeat(1_500_000)
    const { status, json } = await rest.call(supply, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `denom=${denom}`,
    })
    expect([status, (json.amount as { denom: string }).denom]).toEqual([200, denom])
  })

  it('are answered in order when they come in one piece', async () => {
    const get = (denom: string, more = '') => `GET ${supply}?denom=${denom} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
    const text = await rest.raw(get('a') + get('b') + get('c', 'connection: close\r\n'))
    expect([...text.matchAll(/"denom":"(.)"/g)].map(([, denom]) => denom)).toEqual(['a', 'b', 'c'])
  })
})

describe('caching', () => {
  it('says what state an answer is of, and 304 while that is the last one', async () => {
    const first = await fetch(rest.base + url)
    expect([first.headers.get('etag'), first.headers.get('vary')]).toEqual(['W/"2"', 'x-cosmos-block-height'])
    const headers = { 'if-none-match': 'W/"2"' }
    const same = await fetch(rest.base + url, { headers })
    expect([same.status, await same.text(), same.headers.get('x-cosmos-block-height')]).toEqual([304, '', '2'])
    rest.twin.addBlock()
    expect(await (await fetch(rest.base + url, { headers })).json()).toEqual({
      amount: { denom: 'ucoin', amount: '3' },
    })
    const old = await fetch(rest.base + url, { headers: { ...headers, 'x-cosmos-block-height': '2' } })
    expect(old.status).toBe(304)
  })

  it('asks once for those who ask together', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => rest.call(url)))
    expect(new Set(replies.map(({ json }) => JSON.stringify(json))).size).toBe(1)
    expect(rest.twin.queryCount()).toBe(1)
  })

  it('leaves blocks and transactions alone', async () => {
    const { headers } = await rest.call('/cosmos/base/tendermint/v1beta1/blocks/1')
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, null])
  })
})
