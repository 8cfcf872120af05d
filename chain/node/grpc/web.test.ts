import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { testAccount } from '@coin/app/testing/signing'
import { type Bytes, bytesToUtf8, concatBytes } from '@coin/base/bytes'
import { QueryBalanceRequest, QueryBalanceResponse } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import { createRandom } from '@coin/wire/testing/random-message'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppBehindPorts, createAppBehindPorts } from '../testing/open-grpc.js'
import { encodeFrame } from './frames.js'
import { createGrpcWeb } from './web.js'

const path = '/cosmos.bank.v1beta1.Query/Balance'
let app: AppBehindPorts
let server: Server
let base: string
let request: Bytes

beforeAll(async () => {
  app = await createAppBehindPorts()
  const handle = createGrpcWeb({ receiveBytesMax: 2000 }, app.dependencies)
  server = createServer((incoming, response) => {
    if (!handle(incoming, response)) response.writeHead(418).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { address } = await testAccount('bob')
  await app.send(address, 7)
  await app.send(address, 5)
  request = QueryBalanceRequest.encode(QueryBalanceRequest.fromPartial({ address, denom: 'ucoin' })).finish()
})
afterAll(() => server.close())

interface WebReply {
  readonly http: number
  readonly type: string | null
  readonly height: string | null
  readonly messages: readonly Bytes[]
  readonly trailers: string
}

const binary = 'application/grpc-web+proto'
const text = 'application/grpc-web-text'

async function post(
  url: string,
  body: Bytes | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<WebReply> {
  const init = { method: 'POST', body: body, headers: { 'content-type': binary, ...headers } }
  const response = await fetch(base + url, init)
  const type = response.headers.get('content-type')
  const raw = new Uint8Array(await response.arrayBuffer())
  const bytes = type?.includes('text') ? new Uint8Array(Buffer.from(bytesToUtf8(raw), 'base64')) : raw
  const messages: Bytes[] = []
  let trailers = ''
  for (let at = 0; at < bytes.length; ) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at + 1)
    const content = bytes.subarray(at + 5, at + 5 + length)
    if (bytes[at] === 0x80) trailers = bytesToUtf8(content)
    else messages.push(content)
    at += 5 + length
  }
  return { http: response.status, type, height: response.headers.get('x-cosmos-block-height'), messages, trailers }
}

const amountOf = (reply: WebReply) => QueryBalanceResponse.decode(reply.messages[0]!).balance?.amount
const base64 = (bytes: Bytes) => Buffer.from(bytes).toString('base64')

describe('gRPC-Web', () => {
  it('answers a call in frames, and its status in the last of them', async () => {
    const reply = await post(path, encodeFrame(0, request))
    expect(reply).toMatchObject({ http: 200, type: binary, height: '3', trailers: 'grpc-status: 0\r\n' })
    expect(amountOf(reply)).toBe('12')
  })

  it('does the same in base64, also of a request that was encoded in parts', async () => {
    const frame = encodeFrame(0, request)
    for (const body of [base64(frame), base64(frame.subarray(0, 5)) + base64(frame.subarray(5))]) {
      const reply = await post(path, body, { 'content-type': text })
      expect(reply).toMatchObject({ http: 200, type: `${text}+proto`, trailers: 'grpc-status: 0\r\n' })
      expect(amountOf(reply)).toBe('12')
    }
  })

  it('reads the height that is asked for', async () => {
    const reply = await post(path, encodeFrame(0, request), { 'x-cosmos-block-height': '2' })
    expect(reply.height).toBe('2')
    expect(amountOf(reply)).toBe('7')
  })

  it.each<[string, string, Bytes | string, Record<string, string>, string]>([
    [
      'a method',
      '/cosmos.bank.v1beta1.Query/Nope',
      encodeFrame(0, new Uint8Array(0)),
      {},
      '12\r\ngrpc-message: unknown method Nope for service cosmos.bank.v1beta1.Query',
    ],
    [
      'a service',
      '/nope.Query/Nope',
      encodeFrame(0, new Uint8Array(0)),
      {},
      '12\r\ngrpc-message: unknown service nope.Query',
    ],
    [
      'reflection, which is a stream',
      '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
      encodeFrame(0, new Uint8Array(0)),
      {},
      '12\r\n',
    ],
    [
      'a height',
      path,
      encodeFrame(0, new Uint8Array(0)),
      { 'x-cosmos-block-height': '9' },
      '3\r\ngrpc-message: height 9 is ahead of the chain (latest 3)',
    ],
    [
      'a request',
      path,
      encodeFrame(0, Uint8Array.of(0xff)),
      {},
      '13\r\ngrpc-message: grpc: error unmarshalling request: ',
    ],
    ['a body without frames', path, new Uint8Array(0), {}, '13\r\ngrpc-message: 0 request messages, expected one'],
    [
      'half a head',
      path,
      Uint8Array.of(0, 0),
      {},
      '13\r\ngrpc-message: malformed gRPC-Web body: 2 bytes at 0, expected a frame of at least 5',
    ],
    [
      'half a frame',
      path,
      Uint8Array.of(0, 0, 0, 0, 9, 1),
      {},
      '13\r\ngrpc-message: malformed gRPC-Web body: a frame of 9 bytes at 0, but 1 follow',
    ],
    [
      'odd flags',
      path,
      Uint8Array.of(0x80, 0, 0, 0, 0),
      {},
      '13\r\ngrpc-message: malformed gRPC-Web body: frame flags 128 at 0, expected 0 or 1',
    ],
    ['a compressed message', path, encodeFrame(1, Uint8Array.of(1)), {}, '12\r\ngrpc-message: compressed messages'],
    [
      'two messages',
      path,
      concatBytes(encodeFrame(0, new Uint8Array(0)), encodeFrame(0, new Uint8Array(0))),
      {},
      '13\r\ngrpc-message: 2 request messages, expected one',
    ],
    ['text that is not base64', path, '%%%', { 'content-type': text }, '13\r\ngrpc-message: the body is not base64'],
    ['cut base64', path, 'AAAAA', { 'content-type': text }, '13\r\ngrpc-message: the body is not base64'],
    [
      'a large message',
      path,
      encodeFrame(0, new Uint8Array(3000)),
      {},
      '8\r\ngrpc-message: grpc: received message larger than max (2000)',
    ],
    [
      'a timeout',
      path,
      encodeFrame(0, new Uint8Array(0)),
      { 'grpc-timeout': '5' },
      '13\r\ngrpc-message: malformed grpc-timeout',
    ],
  ])('refuses %s in its trailers', async (_, url, body, headers, trailers) => {
    const reply = await post(url, body, headers)
    expect(reply.http).toBe(200)
    expect(reply.messages).toEqual([])
    expect(reply.trailers.startsWith(`grpc-status: ${trailers}`), reply.trailers).toBe(true)
  })

  it('ends a call that takes longer than its caller waits', async () => {
    const { services, app: queries, log } = app.dependencies
    const never = createGrpcWeb({}, { services, app: { ...queries, query: () => new Promise(() => undefined) }, log })
    const slow = createServer((incoming, response) => void never(incoming, response))
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}${path}`
    const headers = { 'content-type': binary, 'grpc-timeout': '30m' }
    const response = await fetch(url, { method: 'POST', body: encodeFrame(0, request), headers })
    expect(await response.text()).toContain('grpc-status: 4')
    slow.close()
  })

  it('holds no more than it may of all bodies together, and lets go of what is answered', async () => {
    const handle = createGrpcWeb({ heldBytesMax: 1500 }, app.dependencies)
    const small = createServer((incoming, response) => void handle(incoming, response))
    await new Promise<void>((resolve) => small.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(small.address() as AddressInfo).port}${path}`
    const status = async (length: number) => {
      const body = encodeFrame(0, new Uint8Array(length).fill(0xff))
      const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': binary } })
      return /grpc-status: (\d+)/.exec(await response.text())?.[1]
    }
    for (let round = 0; round < 4; round++) expect(await status(1000)).toBe('13')
    expect(await status(1600)).toBe('8')
    expect(await status(1000)).toBe('13')
    small.close()
  })

  it('leaves other requests alone', async () => {
    for (const type of ['application/json', 'application/grpc', 'application/grpc-web+json', '']) {
      const response = await fetch(base + path, { method: 'POST', body: '{}', headers: { 'content-type': type } })
      expect(response.status, type).toBe(418)
    }
    expect((await fetch(base + path, { headers: { 'content-type': binary } })).status).toBe(418)
  })

  it('survives random bodies and callers who go away', async () => {
    const random = createRandom(3)
    for (let round = 0; round < 300; round++) {
      const bytes = Uint8Array.from({ length: random(50) }, () => (random(2) === 0 ? 0 : random(256)))
      const isText = random(2) === 0
      const body = isText ? base64(bytes).slice(random(3)) : bytes
      const reply = await post(path, body, { 'content-type': isText ? text : binary })
      expect(reply.trailers).toMatch(/^grpc-status: (0|3|8|12|13)\r\n/)
    }
    const { port } = new URL(base)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${binary}\r\ncontent-length: 100\r\n\r\nabc`)
    await new Promise((resolve) => setImmediate(resolve))
    socket.destroy()
    expect(amountOf(await post(path, encodeFrame(0, request)))).toBe('12')
  })
})
