import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway, type Reply, sendTx, transferTo } from '../testing/open-gateway.js'

let rest: OpenGateway

beforeEach(async () => {
  rest = await openGateway()
})
afterEach(() => rest.close())

describe('transaction search', () => {
  const memos = (json: Reply['json']) => (json.txs as { body: { memo: string } }[]).map((tx) => tx.body.memo)
  const search = (query: string) => rest.call(`/cosmos/tx/v1beta1/txs?${query}`)

  beforeEach(() => {
    for (let height = 1; height <= 3; height++) {
      rest.twin.addBlock(
        { bytes: sendTx(`${height}a`), result: { events: transferTo('coin1b') } },
        { bytes: sendTx(`${height}b`), result: { events: transferTo('coin1c') } },
      )
    }
  })

  it('takes query=, repeated events= and both together', async () => {
    const by = (query: string) => search(query).then(({ json }) => memos(json))
    expect(await by(`query=${encodeURIComponent("transfer.recipient='coin1b'")}`)).toEqual(['1a', '2a', '3a'])
    expect(await by(`events=${encodeURIComponent("transfer.recipient='coin1b'")}&events=tx.height=2`)).toEqual(['2a'])
    expect(
      await by(
        `events=${encodeURIComponent("transfer.recipient='coin1c'")}&query=${encodeURIComponent('tx.height>1')}`,
      ),
    ).toEqual(['2b', '3b'])
  })

  it('answers the whole form', async () => {
    const { json } = await search('events=tx.height=2')
    expect(json).toMatchObject({
      tx_responses: [{ height: '2', timestamp: '2023-11-14T22:13:22Z' }, { height: '2' }],
      pagination: { next_key: null, total: '2' },
      total: '2',
    })
  })

  it('pages by page and limit, by pagination.*, and by next_key to the end', async () => {
    const all = 'events=tx.height%3E0'
    expect(memos((await search(`${all}&page=2&limit=4`)).json)).toEqual(['3a', '3b'])
    expect(memos((await search(`${all}&pagination.limit=2&pagination.offset=3`)).json)).toEqual(['2b', '3a'])
    expect(memos((await search(`${all}&order_by=ORDER_BY_DESC&pagination.limit=1`)).json)).toEqual(['3b'])
    expect(memos((await search(`${all}&pagination.reverse=true&limit=1`)).json)).toEqual(['3b'])
    for (const order of ['ORDER_BY_ASC', 'ORDER_BY_DESC']) {
      const seen: string[] = []
      let key = ''
      do {
        const { json } = await search(
          `${all}&order_by=${order}&pagination.limit=4&pagination.key=${encodeURIComponent(key)}`,
        )
        seen.push(...memos(json))
        key = String((json.pagination as { next_key: string | null }).next_key ?? '')
      } while (key !== '')
      const expected = ['1a', '1b', '2a', '2b', '3a', '3b']
      expect(seen).toEqual(order === 'ORDER_BY_ASC' ? expected : expected.reverse())
    }
  })

  it('has 100 per page unless asked for less, and never more', async () => {
    await search('events=tx.height=1')
    await search('events=tx.height=1&limit=5000')
    await search('events=tx.height=1&pagination.limit=7')
    expect(rest.twin.searches.map(({ limit }) => limit)).toEqual([100, 100, 7])
  })

  it('counts unless told not to or it costs too much, and not again for a following page', async () => {
    await search('events=tx.height=1')
    await search('events=tx.height=1&pagination.count_total=true')
    await search('events=tx.height=1&pagination.count_total=false')
    const key = encodeURIComponent('AAAAAAAAAAEAAAAA')
    await search(`events=tx.height=1&pagination.key=${key}`)
    await search(`events=tx.height=1&pagination.key=${key}&pagination.count_total=true`)
    expect(rest.twin.searches.map(({ countTotal }) => countTotal)).toEqual(['cheaply', true, false, false, true])
  })

  it('refuses no filter, broken filters and broken cursors', async () => {
    for (const query of [
      '',
      'query=',
      'events=&events=',
      'query=foo',
      'events=tx.height=1&pagination.key=AAAA',
      'events=tx.height=1&pagination.key=AAAAAAAAAAEAAAAA&page=2',
      'events=tx.height=1&limit=x',
      'events=tx.height=1&order_by=UP',
    ]) {
      const { status: http, json } = await search(query)
      expect([http, json.code], query).toEqual([400, 3])
    }
    expect((await search('')).json.message).toMatch(/^no filter, expected/)
    expect((await search('query=foo')).json.message).toContain('"foo"')
  })
})
