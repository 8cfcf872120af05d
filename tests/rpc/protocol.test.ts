import { once } from 'node:events'
import { readVectors } from '@coin/engine/testing/comet-vectors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startTallyNode, type TallyNode } from './tally-node.js'

/** What the answers look like on the wire, to the byte where CometBFT's are recorded. */
const vectors = readVectors<Readonly<Record<string, string>>>('rpc-json.json')

let node: TallyNode
beforeAll(async () => {
  node = await startTallyNode()
  await node.block('a=1', 'b=2')
  await node.block()
})
afterAll(() => node?.close())

async function get(
  path: string,
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const response = await fetch(`${node.http}${path}`)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

async function post(body: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(node.http, { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}

const call = (id: unknown, method: string, params: unknown = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

describe('a call by URI', () => {
  it('has id -1; health is exactly the documented answer', async () => {
    const { status, text, headers } = await get('/health')
    expect([status, text]).toEqual([200, vectors.rpc_ok])
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('takes integers plain and quoted, strings quoted, bytes as 0x and quoted', async () => {
    const plain = await get('/block?height=1')
    expect(plain.text).toBe((await get('/block?height=%221%22')).text)
    const { result } = JSON.parse(plain.text)
    expect(JSON.parse((await get(`/block_by_hash?hash=0x${result.block_id.hash}`)).text).result).toEqual(result)
    expect(JSON.parse((await get(`/header_by_hash?hash=0x${result.block_id.hash}`)).text).result.header).toEqual(
      result.block.header,
    )
    const query = JSON.parse((await get('/abci_query?path=%22/x%22&data=0x61&prove=true')).text)
    expect(query.result.response).toMatchObject({ code: 0, key: 'YQ==', value: 'MQ==', height: '2' })
    const search = JSON.parse((await get(`/tx_search?query=${encodeURIComponent('"tally.b=\'2\'"')}`)).text)
    expect(search.result.total_count).toBe('1')
    expect(JSON.parse((await get('/broadcast_tx_sync?tx=%22quoted=1%22')).text).result.code).toBe(0)
  })

  it('may be cached when the answer never changes', async () => {
    const cached = async (path: string) => (await get(path)).headers.get('cache-control')
    expect(await cached('/block?height=1')).toBe('public, max-age=86400')
    expect(await cached('/block')).toBeNull()
    expect(await cached('/status')).toBeNull()
  })

  it.each([
    ['/block?height=x', 500, -32602, 'error converting http params to arguments'],
    ['/block?height=9', 500, -32603, 'height 9 must be less than or equal to the current blockchain height 2'],
    ['/tx?hash=abc', 500, -32602, 'error converting http params to arguments'],
    ['/subscribe?query=1', 404, -32601, undefined],
  ])('%s fails with HTTP %i', async (path, status, code, data) => {
    const answer = await get(path)
    const { error, id } = JSON.parse(answer.text)
    expect([answer.status, id, error.code]).toEqual([status, -1, code])
    if (data !== undefined) expect(error.data).toContain(data)
  })

  it('of something unknown is a plain 404', async () => {
    expect((await get('/nothing')).status).toBe(404)
    expect((await get('/')).text).toContain('/broadcast_tx_sync')
  })
})

describe('a JSON-RPC request', () => {
  it('gets its id back, strings and numbers, and parameters by name or place', async () => {
    const byName = await post(call('é<', 'block', { height: '1' }))
    expect(byName.text.startsWith('{"jsonrpc":"2.0","id":"é\\u003c","result":')).toBe(true)
    const byPlace = await post(call(7, 'block', ['1']))
    expect(JSON.parse(byPlace.text)).toEqual({ ...JSON.parse(byName.text), id: 7 })
  })

  it('fails as in CometBFT: not JSON, unknown method, bad parameters, failing method', async () => {
    const bad = await post('{"jsonrpc":')
    expect(bad.status).toBe(500)
    expect(JSON.parse(bad.text)).toMatchObject({ error: { code: -32700, message: 'Parse error. Invalid JSON' } })
    expect(JSON.parse(bad.text)).not.toHaveProperty('id')
    expect((await post(call('x', 'nothing'))).text).toBe(vectors.rpc_method)
    expect(JSON.parse((await post(call(1, 'block', { height: 'x' }))).text).error.code).toBe(-32602)
    const failed = await post(call(5, 'block', { height: '100' }))
    expect(failed.status).toBe(200)
    expect(JSON.parse(failed.text)).toMatchObject({ id: 5, error: { code: -32603, message: 'Internal error' } })
  })

  it('without an id is not answered', async () => {
    expect((await post('{"jsonrpc":"2.0","method":"health"}')).text).toBe('')
  })

  it('comes in batches of a limited size', async () => {
    const health = (id: number) => call(id, 'health')
    expect(JSON.parse((await post(`[${health(1)},${health(2)}]`)).text).map(({ id }: { id: number }) => id)).toEqual([
      1, 2,
    ])
    const many = await post(`[${[1, 2, 3, 4].map(health).join(',')}]`)
    expect(JSON.parse(many.text).error.data).toBe('batch request exceeds maximum (3) allowed number of requests')
  })

  it('that is too large is refused, and the next one answered', async () => {
    const large = await post(call(1, 'broadcast_tx_sync', { tx: 'A'.repeat(150_000) }))
    expect(large.status).toBe(400)
    expect(JSON.parse(large.text).error).toMatchObject({ code: -32600, data: expect.stringContaining('too large') })
    expect((await get('/health')).status).toBe(200)
  })
})

describe('a WebSocket', () => {
  async function open() {
    const socket = new WebSocket(`${node.socket}/websocket`)
    const received: {
      id: number
      result?: { events?: Record<string, string[]> }
      error?: { code: number; data: string }
    }[] = []
    socket.on('message', (data) => received.push(JSON.parse(String(data))))
    await once(socket, 'open')
    const next = async (count: number) => {
      while (received.length < count) await once(socket, 'message')
      return received
    }
    return {
      socket,
      next,
      send: (id: number, method: string, query?: string) =>
        socket.send(call(id, method, query === undefined ? {} : { query })),
    }
  }

  it('subscribes once to each query, a few at most, and ends subscriptions', async () => {
    await node.block() // takes what the tests before left behind
    const { socket, send, next } = await open()
    send(1, 'subscribe', "tm.event='Tx'")
    send(2, 'subscribe', "tm.event = 'Tx'")
    send(3, 'subscribe', 'tx.height > 1')
    send(4, 'subscribe', "tm.event='NewBlock'")
    send(5, 'subscribe', "tm.event='NewBlockHeader'")
    send(6, 'subscribe', 'nonsense')
    send(7, 'unsubscribe', "tm.event='NewBlock'")
    send(8, 'unsubscribe', "tm.event='NewBlock'")
    const answers = await next(8)
    expect(answers.map(({ id, error }) => [id, error?.data])).toEqual([
      [1, undefined],
      [2, 'already subscribed'],
      [3, undefined],
      [4, undefined],
      [5, 'max_subscriptions_per_client 3 reached'],
      [6, 'max_subscriptions_per_client 3 reached'],
      [7, undefined],
      [8, 'subscription not found'],
    ])
    await node.block('who=ws')
    const events = (await next(10)).slice(8)
    expect(events.map(({ id }) => id)).toEqual([1, 3])
    expect(events[0]!.result!.events).toMatchObject({ 'tm.event': ['Tx'], 'tally.who': ['ws'] })
    send(9, 'unsubscribe_all')
    expect((await next(11))[10]).toEqual({ jsonrpc: '2.0', id: 9, result: {} })
    send(10, 'subscribe', 'nonsense')
    expect((await next(12))[11]!.error!.data).toContain('failed to parse query')
    socket.close()
  })

  it('is limited in clients that subscribe', async () => {
    const clients = await Promise.all([open(), open(), open(), open()])
    for (const { send, next } of clients.slice(0, 3)) {
      send(1, 'subscribe', "tm.event='NewBlock'")
      await next(1)
    }
    const last = clients[3]!
    last.send(1, 'subscribe', "tm.event='NewBlock'")
    expect((await last.next(1))[0]!.error!.data).toBe('max_subscription_clients 3 reached')
    for (const { socket } of clients) socket.close()
    await Promise.all(clients.map(({ socket }) => once(socket, 'close')))
  })

  it('whose client takes nothing is cut off with a reason', async () => {
    const slow = await startTallyNode()
    const socket = new WebSocket(`${slow.socket}/websocket`)
    await once(socket, 'open')
    socket.send(call(1, 'subscribe', { query: "tm.event='Tx'" }))
    const [first] = await once(socket, 'message')
    expect(JSON.parse(String(first)).result).toEqual({})
    socket.pause()
    const messages: string[] = []
    const closed = once(socket, 'close')
    socket.on('message', (data) => messages.push(String(data)))
    const filler = 'x'.repeat(60_000)
    for (let i = 0; i < 400; i++) {
      await slow.block(`n=${i}&filler=${filler}`)
      if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    socket.resume()
    const [code, reason] = await closed
    expect([code, String(reason)]).toEqual([1013, 'client is not pulling messages fast enough'])
    expect(messages.at(-1)).toContain('subscription was canceled (reason: client is not pulling messages fast enough)')
    expect((await fetch(`${slow.http}/health`)).status).toBe(200)
    await slow.close()
  })
})
