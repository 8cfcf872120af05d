import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { type Delivered, errorBody, launchContract, type RestNode, readArtifact, startRestNode } from './rest-node.js'

let rest: RestNode
/** Sends of alice to bob, the n-th with memo `n`; one block may hold several. */
const sends: Delivered[] = []
const sendCount = 12

beforeAll(async () => {
  rest = await startRestNode('rest-search-1', 3)
  const [alice, bob, carol] = rest.senders
  for (let index = 0; index < sendCount; index++) {
    const message = sendMessage(alice!.address, bob!.address, BigInt(index + 1))
    sends.push(await rest.deliver(alice!.sign([message], { memo: String(index) })))
  }
  await launchContract(rest, carol!, readArtifact('cw20_base'), {
    ...{ name: 'Moon', symbol: 'MOON', decimals: 6, mint: null },
    initial_balances: [],
  })
  await rest.reach((await rest.height()) + 1)
})
afterAll(() => rest.close())

interface Found {
  readonly status: number
  readonly memos: readonly string[]
  readonly hashes: readonly string[]
  readonly total: string
  readonly nextKey: string | null
}

async function search(query: string): Promise<Found> {
  const { status, json } = await rest.get(`/cosmos/tx/v1beta1/txs?${query}`)
  expect([status, json], query).toMatchObject([200, { txs: expect.any(Array), tx_responses: expect.any(Array) }])
  expect(json.total).toBe(json.pagination.total)
  return {
    status,
    memos: json.txs.map((tx: { body: { memo: string } }) => tx.body.memo),
    hashes: json.tx_responses.map((response: { txhash: string }) => response.txhash),
    total: json.total,
    nextKey: json.pagination.next_key,
  }
}

const dialects = ['events', 'query'] as const
const filter = (dialect: string, condition: string) => `${dialect}=${encodeURIComponent(condition)}`
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String(from + index))

describe.each(dialects)('transaction search with %s=', (dialect) => {
  it('finds by sender, recipient, height and message type', async () => {
    const [alice, bob] = rest.senders
    const hashes = sends.map(({ hash }) => hash)
    const all = numbers(0, sendCount)
    expect(await search(filter(dialect, `message.sender='${alice!.address}'`))).toMatchObject({ hashes, memos: all })
    expect(await search(filter(dialect, `transfer.recipient='${bob!.address}'`))).toMatchObject({ hashes, memos: all })
    expect((await search(filter(dialect, `tx.height=${sends[3]!.height}`))).hashes).toEqual([hashes[3]])
    expect((await search(filter(dialect, "message.action='/cosmos.bank.v1beta1.MsgSend'"))).memos).toEqual(all)
    expect((await search(filter(dialect, "message.action='/cosmwasm.wasm.v1.MsgStoreCode'"))).total).toBe('1')
    expect((await search(filter(dialect, "message.sender='nobody'"))).hashes).toEqual([])
    expect((await search(filter(dialect, 'tx.height=1'))).total).toBe('0')
  })

  it('takes the other operators of CometBFT', async () => {
    const [alice, bob] = rest.senders
    const sender = `message.sender='${alice!.address}'`
    const height = (index: number) => Number(sends[index]!.height)
    const memos = (condition: string) => search(filter(dialect, condition)).then((found) => found.memos)
    expect(await memos(`${sender} AND tx.height>${height(8)}`)).toEqual(numbers(9, 12))
    expect(await memos(`${sender} AND tx.height>=${height(8)}`)).toEqual(numbers(8, 12))
    expect(await memos(`${sender} AND tx.height<${height(3)}`)).toEqual(numbers(0, 3))
    expect(await memos(`tx.height <= ${height(3)} AND ${sender}`)).toEqual(numbers(0, 4))
    expect(await memos(`${sender} AND transfer.amount='5ucoin'`)).toEqual(['4'])
    expect(await memos(`transfer.recipient CONTAINS '${bob!.address.slice(8, 30)}'`)).toEqual(numbers(0, sendCount))
    expect(await memos(`instantiate._contract_address EXISTS`)).toEqual([''])
    expect(await memos(`tx.hash='${sends[2]!.hash}'`)).toEqual(['2'])
  })

  it('answers in both orders', async () => {
    const all = filter(dialect, `message.sender='${rest.senders[0]!.address}'`)
    expect((await search(`${all}&order_by=ORDER_BY_ASC`)).memos).toEqual(numbers(0, sendCount))
    expect((await search(`${all}&order_by=ORDER_BY_DESC`)).memos).toEqual(numbers(0, sendCount).reverse())
    expect((await search(`${all}&order_by=ORDER_BY_UNSPECIFIED`)).memos).toEqual(numbers(0, sendCount))
    expect((await search(`${all}&order_by=2`)).memos).toEqual(numbers(0, sendCount).reverse())
  })

  it('pages by page and limit, by offset, and by cursor to the end', async () => {
    const all = filter(dialect, `message.sender='${rest.senders[0]!.address}'`)
    expect(await search(`${all}&limit=5&page=2`)).toMatchObject({ memos: numbers(5, 10), total: '12' })
    expect(await search(`${all}&limit=5&page=3`)).toMatchObject({ memos: numbers(10, 12), nextKey: null })
    expect((await search(`${all}&pagination.limit=4&pagination.offset=6`)).memos).toEqual(numbers(6, 10))
    expect((await search(`${all}&pagination.limit=2&order_by=ORDER_BY_DESC`)).memos).toEqual(['11', '10'])
    for (const order of ['ORDER_BY_ASC', 'ORDER_BY_DESC']) {
      const seen: string[] = []
      let key: string | null = ''
      while (key !== null) {
        const cursor: string = key === '' ? '' : `&pagination.key=${encodeURIComponent(key)}`
        const page: Found = await search(`${all}&order_by=${order}&pagination.limit=5${cursor}`)
        seen.push(...page.memos)
        key = page.nextKey
      }
      const expected = numbers(0, sendCount)
      expect(seen, order).toEqual(order === 'ORDER_BY_ASC' ? expected : expected.reverse())
    }
  })

  it('counts, unless told not to', async () => {
    const all = filter(dialect, `message.sender='${rest.senders[0]!.address}'`)
    expect((await search(`${all}&limit=3`)).total).toBe('12')
    expect((await search(`${all}&pagination.limit=3&pagination.count_total=true`)).total).toBe('12')
    expect((await search(`${all}&pagination.limit=3&pagination.count_total=false`)).total).toBe('0')
  })

  it('refuses conditions, orders and pages that are none', async () => {
    const good = filter(dialect, 'tx.height=1')
    for (const query of [
      ...[filter(dialect, 'this is no query'), filter(dialect, 'message.sender'), filter(dialect, "a.b='")],
      ...[filter(dialect, 'tx.height='), filter(dialect, "tx.height>'x'x"), `${dialect}=`, `${dialect}=%FF`],
      ...[filter(dialect, "a.b='c' AND"), filter(dialect, "a.b='c' OR a.b='d'")],
      ...[`${good}&order_by=SIDEWAYS`, `${good}&limit=-1`, `${good}&limit=x`, `${good}&page=1e9`],
      ...[`${good}&pagination.key=AAAA`, `${good}&pagination.key=%2A`],
    ]) {
      const { status, json } = await rest.get(`/cosmos/tx/v1beta1/txs?${query}`)
      expect([status, json], query).toEqual([400, errorBody(3, expect.any(String))])
    }
  })
})

describe('transaction search', () => {
  it('joins repeated events, and both dialects, by AND', async () => {
    const sender = `message.sender='${rest.senders[0]!.address}'`
    const { height } = sends[7]!
    for (const query of [
      `${filter('events', sender)}&${filter('events', `tx.height=${height}`)}`,
      `${filter('events', sender)}&${filter('query', `tx.height=${height}`)}`,
      filter('events', `${sender} AND tx.height=${height}`),
    ]) {
      expect((await search(query)).memos, query).toEqual(['7'])
    }
  })

  it('without any filter is 400 and says what is expected', async () => {
    for (const query of ['', 'order_by=ORDER_BY_DESC', 'pagination.limit=5', 'events=', 'query=&events=', 'foo=bar']) {
      const { status, json } = await rest.get(`/cosmos/tx/v1beta1/txs?${query}`)
      expect([status, json.code, json.details], query).toEqual([400, 3, []])
    }
    const { json } = await rest.get('/cosmos/tx/v1beta1/txs')
    expect(json.message).toMatch(/^no filter, expected .*events=/)
  })

  it('gives at most 100, and 100 unless asked', async () => {
    const [, bob] = rest.senders
    const tx = (index: number) => bob!.sign([sendMessage(bob!.address, bob!.address, 1n)], { memo: `b${index}` })
    const txs = Array.from({ length: 105 }, (_, index) => Buffer.from(tx(index)).toString('base64'))
    for (const bytes of txs) expect(await rest.rpc('broadcast_tx_sync', { tx: bytes })).toMatchObject({ code: 0 })
    const by = filter('events', `message.sender='${bob!.address}'`)
    for (;;) {
      const found = await search(`${by}&limit=1`)
      if (found.total === '105') break
    }
    for (const limit of ['', '&limit=1000', '&pagination.limit=101', '&limit=0', '&limit=100']) {
      const found = await search(`${by}${limit}`)
      expect([found.hashes.length, found.total, found.nextKey !== null], limit).toEqual([100, '105', true])
    }
    expect((await search(`${by}&page=2`)).memos).toEqual(Array.from({ length: 5 }, (_, index) => `b${index + 100}`))
  })
})
