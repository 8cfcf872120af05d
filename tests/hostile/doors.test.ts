import { connect, type Socket } from 'node:net'
import { createRandom } from '@coin/base/testing/random'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBody } from '../rest/rest-node.js'
import { sendMessage } from '../traffic/sender.js'
import { bodyBytesMax, expectUnchanged, type HostileNode, type StateView, startHostileNode } from './hostile-node.js'

const seed = Number(process.env.COIN_SEED ?? 20261121)
const megabytes = 10_000_000

let node: HostileNode
let before: StateView

beforeAll(async () => {
  node = await startHostileNode('hostile-doors-1', 2)
  const [alice, bob] = node.senders
  await node.deliver(alice!.sign([sendMessage(alice!.address, bob!.address, 1n)]))
  await node.expectAlive()
  before = await node.view()
})
afterAll(() => node?.close())

const doors = () => [node.process.rest, node.process.rpc]

/** Opens a connection to a door; what comes back is collected. */
function dial(door: string): Promise<{ readonly socket: Socket; answer(): string; readonly closed: Promise<string> }> {
  const { hostname, port } = new URL(door)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  const answer = () => Buffer.concat(chunks).toString('latin1')
  socket.on('data', (chunk) => chunks.push(chunk))
  // A connection that is reset is as good as one that is closed.
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer()))
  })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve({ socket, answer, closed }))
  })
}

/** Sends bytes as they are, ends, and gives everything that comes back. */
async function send(door: string, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const { socket, closed } = await dial(door)
  for (const part of parts) socket.write(part)
  socket.end()
  return closed
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4)

describe('a body of 10 MB', () => {
  it('is refused with 413 by REST, with a length and without', async () => {
    const body = JSON.stringify({ tx_bytes: 'A'.repeat(megabytes), mode: 'BROADCAST_MODE_SYNC' })
    const { status, json } = await node.post('/cosmos/tx/v1beta1/txs', body)
    expect([status, json]).toEqual([413, errorBody(8, expect.stringContaining(String(bodyBytesMax)))])
    const { closed, socket } = await dial(node.process.rest)
    socket.write('POST /cosmos/tx/v1beta1/simulate HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    for (let sent = 0; sent < megabytes; sent += 100_000) socket.write(`186a0\r\n${'a'.repeat(100_000)}\r\n`)
    socket.end('0\r\n\r\n')
    expect(statusOf(await closed)).toBe(413)
    await expectUnchanged(node, before)
  })

  it('is refused by the RPC, with a length and without', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: 'A'.repeat(megabytes) } }
    const response = await fetch(node.process.rpc, { method: 'POST', body: JSON.stringify(call) })
    expect(response.status).toBe(400)
    const limit = expect.stringContaining(`at most ${bodyBytesMax} bytes`)
    expect(await response.json()).toMatchObject({ error: { code: -32600, data: limit } })
    const { closed, socket } = await dial(node.process.rpc)
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n')
    for (let sent = 0; sent < megabytes; sent += 100_000) socket.write(`186a0\r\n${'a'.repeat(100_000)}\r\n`)
    socket.end('0\r\n\r\n')
    expect(statusOf(await closed)).toBe(400)
    await expectUnchanged(node, before)
  })

  it('is refused as a transaction too', async () => {
    const url = `${node.process.rpc}/broadcast_tx_sync?tx=0x${'ab'.repeat(500_000)}`
    const response = await fetch(url)
    expect([200, 400, 414, 431, 500]).toContain(response.status)
    await expectUnchanged(node, before)
  })
})

describe('half a request', () => {
  it('keeps nobody else waiting, however many come', async () => {
    const half = [
      'G',
      'GET /cosmos/base/tendermint/v1beta1/syncing HTTP/1.1\r\nhost: x\r\n',
      'POST /cosmos/tx/v1beta1/txs HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"tx_bytes":',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"jsonrpc":',
      'GET /websocket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n',
    ]
    const open = []
    for (const door of doors()) {
      for (let index = 0; index < 100; index++) {
        const { socket } = await dial(door)
        socket.write(half[index % half.length]!)
        open.push(socket)
      }
    }
    const start = Date.now()
    expect(await node.get('/cosmos/base/tendermint/v1beta1/syncing')).toMatchObject({ status: 200 })
    expect(await node.rpc('health')).toEqual({})
    expect(Date.now() - start).toBeLessThan(5_000)
    // One byte more, then gone.
    for (const socket of open) socket.write('x', () => socket.destroy())
    await expectUnchanged(node, before)
  })

  it('is cut off by the sender in the middle of an answer without harm', async () => {
    for (const door of doors()) {
      for (let index = 0; index < 30; index++) {
        const { socket } = await dial(door)
        socket.write(get(door === node.process.rpc ? '/genesis' : '/cosmos/bank/v1beta1/supply').repeat(3))
        socket.destroy()
      }
    }
    await expectUnchanged(node, before)
  })
})

describe('bytes that are no HTTP', () => {
  it(`are answered or cut off (seed ${seed})`, async () => {
    const random = createRandom(seed)
    const bytes = (length: number) => Uint8Array.from({ length }, () => random.int(256))
    for (const door of doors()) {
      for (let index = 0; index < 60; index++) {
        const answer = await send(door, bytes(1 + random.int(300)), '\r\n\r\n')
        expect([0, 400, 404, 405, 431, 501], `${index}, seed ${seed}`).toContain(statusOf(answer))
      }
    }
    await expectUnchanged(node, before)
  })

  it('are answered with an error where they are nearly HTTP', async () => {
    const nearly = [
      'HELO there\r\n\r\n',
      'GET\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET /no\r\n\r\n',
      `GET /${'a'.repeat(1_500_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
      `GET /no HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(300_000)}\r\n`,
      'POST /cosmos/tx/v1beta1/txs HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /cosmos/tx/v1beta1/txs HTTP/1.1\r\nhost: x\r\ncontent-length: -5\r\n\r\n',
      'POST /cosmos/tx/v1beta1/txs HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999\r\n\r\n{}',
      'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nbad\u0000header: 1\r\n\r\n',
      'CONNECT example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n',
    ]
    for (const door of doors()) {
      for (const [index, text] of nearly.entries()) {
        const status = statusOf(await send(door, text))
        expect([0, 400, 404, 405, 413, 431, 501], `${index}: ${text.slice(0, 60)}`).toContain(status)
      }
    }
    await expectUnchanged(node, before)
  })
})

describe('a path', () => {
  const balances = '/cosmos/bank/v1beta1/balances/'
  it.each([
    [`${balances}%FF%FE`, 400],
    [`${balances}%C0%80`, 400],
    [`${balances}%ED%A0%80`, 400],
    [`${balances}%00`, 400],
    [`${balances}%`, 400],
    [`${balances}%zz`, 400],
    [`${balances}${'%F0%9F%92%A9'.repeat(1000)}`, 400],
    [`${balances}${'a'.repeat(100_000)}`, 400],
    [`${balances}..%2f..%2fetc%2fpasswd`, 400],
    [`${balances}x?pagination.key=%FF`, 400],
    [`${balances}x?%FF=1`, 400],
    ['/../../etc/passwd', 501],
    ['/cosmos/tx/v1beta1/txs/__proto__', 400],
    ['/cosmos/bank/v1beta1/denoms_metadata/__proto__', 400],
    ['/cosmos/bank/v1beta1/denoms_metadata/constructor?constructor=1&__proto__.x=2', 404],
    ['/cosmwasm/wasm/v1/contract/coin1x/smart/%00', 400],
  ] as const)('that is hostile gets its error: %s', async (path, status) => {
    const answer = await send(node.process.rest, get(path))
    expect([statusOf(answer), JSON.parse(bodyOf(answer))]).toEqual([
      status,
      errorBody(expect.any(Number) as unknown as number, expect.any(String)),
    ])
    expect(answer).not.toMatch(/passwd:|root:|TypeError|\.js:/)
  })

  it('of raw bytes that are no UTF-8 is refused', async () => {
    for (const bytes of [[0xff, 0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0x80]]) {
      for (const door of doors()) {
        const head = Buffer.concat([
          Buffer.from(`GET ${balances}`),
          Buffer.from(bytes),
          Buffer.from(' HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
        ])
        expect([400, 404], String(bytes)).toContain(statusOf(await send(door, head)))
      }
    }
    await expectUnchanged(node, before)
  })

  it('of an RPC method with hostile parameters is refused', async () => {
    for (const path of [
      ...['/block?height=%FF', '/block?height=abc', '/block?height=1e99', '/block?height="', '/block?height=[1]'],
      ...['/tx?hash=0xzz', '/tx?hash=%22', '/tx?hash=0x', '/tx_search?query=%22x', '/tx_search?query="a.b=\'c"'],
      ...['/abci_query?path="/store/bank/key"&data=0xzz', '/validators?page=-1', '/blockchain?minHeight=9&maxHeight=1'],
      ...['/block_search?query=""', '/__proto__'],
      ...['/constructor', '/toString?x=1', `/tx_search?query="${'a.b=1 AND '.repeat(5_000)}a.b=1"`],
    ]) {
      const response = await fetch(node.process.rpc + path)
      const text = await response.text()
      expect([404, 500], `${path.slice(0, 80)} ${text.slice(0, 200)}`).toContain(response.status)
      expect(text).not.toMatch(/TypeError|RangeError|\.js:|its log says why/)
    }
    await expectUnchanged(node, before)
  })
})

describe('JSON', () => {
  const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
  const hostile = (): readonly string[] => [
    ...['', ' ', '{', '}', '[', '"', 'nul', 'NaN', '1e999', '-', '{"a":}', '{"a":1,}', "{'a':1}", '\u0000', '{}{}'],
    ...[
      '\ufeff{}',
      '{"a":"\\ud800"}',
      '{"a":"\\u0000"}',
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":{"x":1}}}',
    ],
    ...[deep('[', ']', 100_000), deep('{"a":', '}', 100_000).replace('{"a":}', '{"a":1}'), '['.repeat(1_000_000)],
    ...[
      `{"tx_bytes":${deep('[', ']', 50_000)}}`,
      `{"mode":${'9'.repeat(100_000)}}`,
      `{"tx_bytes":"${'A'.repeat(2_000_000)}"}`,
    ],
    ...[
      `{"id":${deep('[', ']', 50_000)},"method":"health"}`,
      `{"id":1,"method":"block","params":${deep('[', ']', 50_000)}}`,
    ],
    ...[
      `{"id":1,"method":"tx","params":{"hash":${deep('{"a":', '1', 1)}}}}`,
      '{"id":1,"method":{}}',
      '{"id":{},"method":"x"}',
    ],
    ...[`[${'{"id":1,"method":"health"},'.repeat(500)}{}]`, `[${'[],'.repeat(5)}1]`, '[]', '[null]', '[1,"a",null]'],
  ]

  it('that is hostile gets an error from REST', async () => {
    for (const path of ['/cosmos/tx/v1beta1/txs', '/cosmos/tx/v1beta1/simulate', '/cosmos/tx/v1beta1/decode']) {
      for (const body of hostile()) {
        const { status, json } = await node.post(path, body)
        expect([400, 500], `${path} ${body.slice(0, 60)} ${JSON.stringify(json).slice(0, 200)}`).toContain(status)
        expect(json, body.slice(0, 60)).toEqual(errorBody(expect.any(Number) as unknown as number, expect.any(String)))
        expect(json.message, body.slice(0, 60)).not.toMatch(/internal error|call stack/i)
        expect(json.message.length, body.slice(0, 60)).toBeLessThan(2_000)
      }
    }
    await expectUnchanged(node, before)
  })

  it('that is hostile gets an error from the RPC', async () => {
    for (const body of hostile()) {
      const response = await fetch(node.process.rpc, { method: 'POST', body })
      expect([200, 500], body.slice(0, 60)).toContain(response.status)
      const text = await response.text()
      expect(text, body.slice(0, 60)).not.toMatch(/TypeError|RangeError|\.js:|its log says why/)
      expect(text.length, body.slice(0, 60)).toBeLessThan(4_000)
    }
    await expectUnchanged(node, before)
  })

  it('that is no UTF-8 gets an error from both', async () => {
    for (const bytes of [
      [0xff, 0xfe],
      [...Buffer.from('{"id":1,"method":"'), 0xff, ...Buffer.from('"}')],
      [0x7b, 0xc0, 0x80],
    ]) {
      for (const url of [`${node.process.rest}/cosmos/tx/v1beta1/txs`, node.process.rpc]) {
        const response = await fetch(url, { method: 'POST', body: Uint8Array.from(bytes) })
        expect(response.ok && !(await response.text()).includes('error')).toBe(false)
      }
    }
    await expectUnchanged(node, before)
  })
})

describe('a WebSocket', () => {
  const upgrade =
    'GET /websocket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n' +
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

  /** A masked frame of a client. */
  function frame(opcode: number, payload: Uint8Array, fin = 0x80): Uint8Array {
    const { length } = payload
    const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255]
    return Uint8Array.from([fin | opcode, ...size, 0, 0, 0, 0, ...payload])
  }
  const text = (value: string) => frame(1, new Uint8Array(Buffer.from(value)))

  /** Upgrades a connection and writes frames; resolves when the server has answered `until` or closed. */
  async function speak(frames: readonly Uint8Array[], until?: RegExp): Promise<string> {
    const { socket, answer, closed } = await dial(node.process.rpc)
    socket.write(upgrade)
    for (const one of frames) socket.write(one)
    const seen = new Promise<string>((resolve) => {
      socket.on('data', () => {
        if (until?.test(answer())) resolve(answer())
      })
    })
    const said = await Promise.race([seen, closed])
    socket.destroy()
    return said
  }

  it('answers what is no request, and goes on', async () => {
    const garbage = [
      '',
      'hello',
      '{',
      '[]',
      '[1]',
      'null',
      '{"id":1}',
      '{"id":{},"method":"health"}',
      '['.repeat(60_000),
    ]
    const frames = [...garbage.map(text), frame(2, Uint8Array.of(1, 2, 3)), text('{"id":99,"method":"health"}')]
    const said = await speak(frames, /"id":99,"result":\{\}/)
    expect(statusOf(said)).toBe(101)
    expect(said).toMatch(/"id":99,"result":\{\}/)
    await expectUnchanged(node, before)
  })

  it('answers hostile subscriptions, and takes only so many', async () => {
    const queries = [
      '',
      'x',
      "tm.event='",
      'a AND',
      `${'a.b=1 AND '.repeat(2_000)}a.b=1`,
      '\u0000',
      'tm.event=NewBlock OR 1',
    ]
    const many = Array.from({ length: 50 }, (_, index) => `tx.height=${index + 1_000_000}`)
    const ask = (query: string, id: number) =>
      text(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { query } }))
    const frames = [
      ...[...queries, ...many].map(ask),
      text('{"id":999,"method":"unsubscribe","params":{"query":"nothing"}}'),
    ]
    const said = await speak(frames, /"id":999,"error"/)
    expect(said).toMatch(/max_subscriptions_per_client 5/)
    expect(said).not.toMatch(/TypeError|RangeError|\.js:|its log says why/)
    await expectUnchanged(node, before)
  })

  it(`cuts off what is no WebSocket (seed ${seed})`, async () => {
    const random = createRandom(seed)
    const broken: Uint8Array[] = [
      Uint8Array.of(0x81, 5, 1, 2, 3, 4, 5), // not masked
      frame(1, Uint8Array.of(0xff, 0xfe)), // no UTF-8
      frame(3, Uint8Array.of(1)), // no such opcode
      frame(0, Uint8Array.of(1)), // goes on with nothing
      Uint8Array.of(0xf1, 0x80, 0, 0, 0, 0), // reserved bits
      Uint8Array.of(0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0), // 2^63 bytes
      Uint8Array.of(0x81, 0xff, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0), // 256 MB
      frame(9, new Uint8Array(126)), // a ping that is too long
      frame(8, Uint8Array.of(1)), // a close of one byte
    ]
    for (const [index, one] of broken.entries()) expect(statusOf(await speak([one])), String(index)).toBe(101)
    for (let index = 0; index < 20; index++) {
      const bytes = Uint8Array.from({ length: 200 }, () => random.int(256))
      // Not a frame that could be the beginning of a good one.
      bytes[0]! |= 0x70
      expect(statusOf(await speak([bytes])), `${index}, seed ${seed}`).toBe(101)
    }
    await expectUnchanged(node, before)
  })

  it('is not opened elsewhere or by what does not know how', async () => {
    expect(statusOf(await send(node.process.rpc, upgrade.replace('/websocket', '/other')))).toBe(404)
    expect([400, 426]).toContain(statusOf(await send(node.process.rpc, upgrade.replace('version: 13', 'version: 1'))))
    expect([400, 426]).toContain(
      statusOf(await send(node.process.rpc, upgrade.replace('dGhlIHNhbXBsZSBub25jZQ==', 'x'))),
    )
    expect([0, 400, 404, 501]).toContain(statusOf(await send(node.process.rest, upgrade)))
    await expectUnchanged(node, before)
  })
})
