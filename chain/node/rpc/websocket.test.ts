import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { silentLogger } from '@coin/base/logger'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ClientOptions, WebSocket, WebSocketServer } from 'ws'
import { HeldBytes, heldBytesMax } from '../held-bytes.js'
import { type OpenRpc, openRpc } from '../testing/open-rpc.js'
import type { RpcMethod } from './method.js'
import { SocketSession } from './websocket.js'

let rpc: OpenRpc
beforeAll(async () => {
  rpc = await openRpc({ subscriptionBufferSize: 5 })
  rpc.chain.engine.produceBlock()
})
afterAll(() => rpc.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer
type Answer = any

interface Client {
  readonly socket: WebSocket
  send(value: unknown): void
  /** The next message, in the order they came. */
  next(): Promise<Answer>
  call(method: string, params?: unknown, id?: string | number): Promise<Answer>
  /** Close code, when it is over. */
  readonly closed: Promise<number>
}

const clients: Client[] = []
afterEach(async () => {
  for (const { socket, closed } of clients.splice(0)) {
    socket.terminate()
    await closed
  }
  // The server has noticed.
  await new Promise((resolve) => setTimeout(resolve, 20))
})

async function openClient(port = rpc.port): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`)
  const messages: Answer[] = []
  const waiting: ((message: Answer) => void)[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    const wake = waiting.shift()
    if (wake) wake(message)
    else messages.push(message)
  })
  socket.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  const next = () =>
    new Promise<Answer>((resolve) => (messages.length > 0 ? resolve(messages.shift()) : waiting.push(resolve)))
  const send = (value: unknown) => socket.send(typeof value === 'string' ? value : JSON.stringify(value))
  const client: Client = {
    socket,
    send,
    next,
    closed,
    call(method, params = {}, id = 1) {
      send({ jsonrpc: '2.0', id, method, params })
      return next()
    },
  }
  clients.push(client)
  return client
}

const internal = (id: number, data: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32603, message: 'Internal error', data },
})
const newBlock = { query: "tm.event='NewBlock'" }

describe('requests over WebSocket', () => {
  it('are answered in order, whatever their methods', async () => {
    const client = await openClient()
    for (let id = 0; id < 100; id++)
      client.send({ id, method: id % 2 ? 'status' : 'tx_search', params: { query: 'tx.height>0' } })
    for (let id = 0; id < 100; id++) expect((await client.next()).id).toBe(id)
  })

  it('have the errors of CometBFT', async () => {
    const client = await openClient()
    expect(await client.call('nothing')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32601, message: 'Method not found' },
    })
    expect(await client.call('block', { height: '0' })).toEqual(internal(1, 'height must be greater than 0, but got 0'))
    expect((await client.call('block', { height: 'x' })).error).toMatchObject({
      code: -32603,
      data: expect.stringMatching(/^error converting json params to arguments: /),
    })
    for (const text of ['{', '5', '[]', '[{"id":1,"method":"health"}]', '{"id":[]}']) {
      client.send(text)
      const { id, error } = await client.next()
      expect([id, error.code, error.message]).toEqual([undefined, -32700, 'Parse error. Invalid JSON'])
    }
  })

  it('without an id get no answer, and subscribe to nothing', async () => {
    const client = await openClient()
    client.send({ method: 'subscribe', params: newBlock })
    client.send({ method: 'health' })
    expect((await client.call('health', {}, 'last')).id).toBe('last')
    rpc.chain.engine.produceBlock()
    expect(await client.call('health', {}, 5)).toEqual({ jsonrpc: '2.0', id: 5, result: {} })
  })

  it('may be binary', async () => {
    const client = await openClient()
    client.socket.send(Buffer.from('{"id":9,"method":"health"}'), { binary: true })
    expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} })
  })

  it('may come in fragments, with pings between them', async () => {
    const client = await openClient()
    const ponged = new Promise((resolve) => client.socket.once('pong', resolve))
    client.socket.send('{"id":9,', { fin: false })
    client.socket.ping()
    client.socket.send('"method":', { fin: false })
    client.socket.send('"health"}', { fin: true })
    await ponged
    expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} })
  })
})

describe('subscriptions', () => {
  it('answer {} and then send what they asked for, with their own id and query', async () => {
    const client = await openClient()
    expect(await client.call('subscribe', newBlock, 'a')).toEqual({ jsonrpc: '2.0', id: 'a', result: {} })
    const header = { query: "tm.event = 'NewBlockHeader'" }
    expect(await client.call('subscribe', header, 'b')).toEqual({ jsonrpc: '2.0', id: 'b', result: {} })
    const { block, blockId } = rpc.chain.engine.produceBlock()
    const first = await client.next()
    expect([first.id, first.result.query, first.result.data.type]).toEqual([
      'a',
      newBlock.query,
      'tendermint/event/NewBlock',
    ])
    expect(first.result.events).toMatchObject({ 'tm.event': ['NewBlock'] })
    const { value } = first.result.data
    expect(value.block.header.height).toBe(String(block.header.height))
    expect(value.block_id.hash).toBe(Buffer.from(blockId.hash).toString('hex').toUpperCase())
    expect(value.result_finalize_block.app_hash).toMatch(/^[A-Za-z0-9+/]{43}=$/)
    expect(value.block).toEqual((await rpc.call('block')).block)
    const second = await client.next()
    expect([second.id, second.result.query]).toEqual(['b', header.query])
    expect(second.result.data.value.header).toEqual(value.block.header)
  })

  it('end with unsubscribe, however the query is written', async () => {
    const client = await openClient()
    await client.call('subscribe', newBlock)
    await client.call('subscribe', { query: "tm.event='NewBlockHeader'" })
    expect(await client.call('unsubscribe', { query: "  tm.event =  'NewBlock'" })).toMatchObject({ result: {} })
    rpc.chain.engine.produceBlock()
    expect((await client.next()).result.query).toBe("tm.event='NewBlockHeader'")
    expect(await client.call('unsubscribe', newBlock)).toEqual(internal(1, 'subscription not found'))
    expect(await client.call('unsubscribe_all')).toMatchObject({ result: {} })
    expect(await client.call('unsubscribe_all')).toEqual(internal(1, 'subscription not found'))
    rpc.chain.engine.produceBlock()
    expect(await client.call('health', {}, 'nothing between')).toMatchObject({ id: 'nothing between' })
  })

  it('are had once each, in a number that is limited', async () => {
    const client = await openClient()
    await client.call('subscribe', newBlock)
    expect(await client.call('subscribe', { query: "tm.event = 'NewBlock'" })).toEqual(
      internal(1, 'already subscribed'),
    )
    await client.call('subscribe', { query: 'a.b = 1' })
    await client.call('subscribe', { query: 'a.b = 2' })
    expect(await client.call('subscribe', { query: 'a.b = 3' })).toEqual(
      internal(1, 'max_subscriptions_per_client 3 reached'),
    )
    await client.call('unsubscribe', { query: 'a.b=1' })
    expect(await client.call('subscribe', { query: 'a.b = 3' })).toMatchObject({ result: {} })
  })

  it('are for a limited number of clients; one that leaves makes room', async () => {
    const first = await openClient()
    await first.call('subscribe', newBlock)
    for (let i = 0; i < 2; i++) await (await openClient()).call('subscribe', newBlock)
    const late = await openClient()
    expect(await late.call('subscribe', newBlock)).toEqual(internal(1, 'max_subscription_clients 3 reached'))
    first.socket.close()
    await first.closed
    await expect.poll(async () => (await late.call('subscribe', newBlock)).result).toEqual({})
  })

  it('refuse queries that are none', async () => {
    const client = await openClient()
    const { error } = await client.call('subscribe', { query: 'nonsense query' })
    expect(error.data).toMatch(/^failed to parse query: offset 9: /)
    expect((await client.call('subscribe')).error.data).toMatch(/^failed to parse query: /)
    expect((await client.call('unsubscribe', { query: 'x' })).error.data).toMatch(/^failed to parse query: /)
    const long = { query: `a.b='${'x'.repeat(510)}'` }
    expect(await client.call('subscribe', long)).toEqual(internal(1, 'maximum query length exceeded'))
    expect((await client.call('subscribe', { query: 5 })).error.code).toBe(-32603)
  })
})

describe('clients that misbehave', () => {
  it('and take nothing are told why and cut off; the others get everything', async () => {
    const good = await openClient()
    await good.call('subscribe', newBlock)
    const slow = await openClient()
    await slow.call('subscribe', { query: 'tm.event EXISTS' }, 'slow')
    slow.socket.pause()
    // Answers that fill what the system buffers for the socket, so that events really wait.
    for (let i = 0; i < 4000; i++) slow.send({ id: i, method: 'genesis' })
    for (let i = 0; i < 2000 && rpc.warnings.length === 0; i++) {
      const { block } = rpc.chain.engine.produceBlock()
      expect((await good.next()).result.data.value.block.header.height).toBe(String(block.header.height))
    }
    expect(rpc.warnings).toEqual(['a slow subscriber is cut off'])
    slow.socket.resume()
    expect(await slow.closed).toBe(1013)
    let last: Answer
    for (let message = await slow.next(); ; message = await slow.next()) {
      last = message
      if (message.error) break
    }
    expect(last).toEqual({
      jsonrpc: '2.0',
      id: 'slow',
      error: {
        code: -32000,
        message: 'Server error',
        data: 'subscription was canceled (reason: client is not pulling messages fast enough), events not sent of the last block: 14',
      },
    })
  })

  it('and send too much at once are closed with 1009', async () => {
    const client = await openClient()
    client.send({ id: 1, method: 'x'.repeat(1_000_000) })
    expect(await client.closed).toBe(1009)
  })

  it('and break the protocol are closed, and the node goes on', async () => {
    const frames: readonly (readonly [string, Buffer, number | undefined])[] = [
      ['reserved bits', Buffer.from([0xf1, 0x80, 0, 0, 0, 0]), 1002],
      ['no mask', Buffer.from([0x81, 0x01, 0x41]), 1002],
      ['an unknown opcode', Buffer.from([0x83, 0x80, 0, 0, 0, 0]), 1002],
      ['a long ping', Buffer.from([0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0]), 1002],
      ['a continuation of nothing', Buffer.from([0x80, 0x80, 0, 0, 0, 0]), 1002],
      ['text that is no UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]), 1007],
      ['a length of 2^63', Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 1009],
      ['fragments of more than a message may have', tooManyFragments(), 1009],
      ['half a frame, then nothing', Buffer.from([0x81]), undefined],
      ['noise', randomBytes(4000), undefined],
    ]
    for (const [name, frame, code] of frames) {
      const socket = await openRaw()
      socket.write(frame)
      if (code !== undefined) expect([name, await closeCodeOf(socket)]).toEqual([name, code])
      socket.destroy()
    }
    const client = await openClient()
    expect(await client.call('health')).toMatchObject({ result: {} })
  })

  it('and knock at another door are sent away', async () => {
    const socket = connect(rpc.port, '127.0.0.1')
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: '
    socket.write(`GET /other HTTP/1.1\r\nhost: x\r\n${upgrade}${randomBytes(16).toString('base64')}\r\n\r\n`)
    const answer = await new Promise((resolve) => socket.once('data', resolve))
    expect(String(answer)).toMatch(/^HTTP\/1.1 404 /)
    socket.destroy()
  })

  it('are not waited for when the node stops', async () => {
    const own = await openRpc()
    const client = await openClient(own.port)
    await client.call('subscribe', newBlock)
    const silent = await openRaw(own.port)
    const begin = performance.now()
    await own.close()
    expect(performance.now() - begin).toBeLessThan(4000)
    expect(await client.closed).toBe(1001)
    silent.destroy()
  })
})

describe('a client that is looked after', () => {
  it('stays while it answers pings, and is gone when it does not', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const limits = { subscribersMax: 1, subscriptionsMax: 1, lateEventsMax: 1, lateBytesMax: 1, bufferedBytesMax: 1 }
    const held = new HeldBytes(heldBytesMax)
    const open = async (options: ClientOptions) => {
      const accepted = once(server, 'connection')
      const client = new WebSocket(`ws://127.0.0.1:${port}`, options)
      const [socket] = (await accepted) as [WebSocket]
      const methods = new Map<string, RpcMethod>()
      return {
        client,
        socket,
        session: new SocketSession(socket, { methods, limits, log: silentLogger, held, subscribers: () => 0 }),
      }
    }
    const alive = await open({})
    const dead = await open({ autoPong: false })
    const closed = once(dead.client, 'close')
    for (let i = 0; i < 3; i++) {
      const ponged = once(alive.socket, 'pong')
      alive.session.checkAlive()
      dead.session.checkAlive()
      await ponged
    }
    await closed
    expect([alive.client.readyState, dead.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.CLOSED])
    alive.client.terminate()
    server.close()
  })
})

/** A connection that has shaken hands and is then written to byte by byte. */
async function openRaw(port = rpc.port): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  const key = randomBytes(16).toString('base64')
  socket.on('error', () => undefined)
  socket.write(
    `GET /websocket HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

/** Sixteen masked fragments of 65,535 bytes: each is small, the message is not. */
function tooManyFragments(): Buffer {
  const fragment = (opcode: number) =>
    Buffer.concat([Buffer.from([opcode, 0xfe, 0xff, 0xff, 0, 0, 0, 0]), Buffer.alloc(65_535, 32)])
  return Buffer.concat([fragment(1), ...Array.from({ length: 15 }, () => fragment(0))])
}

/** Of the close frame that comes. */
async function closeCodeOf(socket: Socket): Promise<number> {
  const frame = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  return frame[0] === 0x88 ? frame.readUInt16BE(2) : -1
}
