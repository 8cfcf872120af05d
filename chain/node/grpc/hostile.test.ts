import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { createRandom } from '@coin/wire/testing/random-message'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AppBehindPorts, createAppBehindPorts, type OpenGrpc, openGrpc } from '../testing/open-grpc.js'
import { encodeFrame } from './frames.js'

const path = 'cosmos.bank.v1beta1.Query/TotalSupply'
const request = encodeFrame(0, new Uint8Array(0))
let app: AppBehindPorts
let grpc: OpenGrpc

beforeAll(async () => {
  app = await createAppBehindPorts()
})
beforeEach(async () => {
  grpc = await openGrpc(app.dependencies, { streamsMax: 50, heldBytesMax: 3_000_000, arrivalMsMax: 200 })
})
/** Whatever was done to it, the server still answers others. */
afterEach(async () => {
  expect(await grpc.call(path, {})).toMatchObject({ code: 0 })
  await grpc.close()
})
function open(session: ClientHttp2Session, headers: Readonly<Record<string, string>> = {}): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${path}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  })
  stream.on('error', () => undefined) // how it ended is what the tests look at
  return stream
}

interface End {
  /** `grpc-status`, from headers or trailers. */
  readonly code: number | undefined
  readonly message: string
  readonly http: number | undefined
}

/** Resolves when the server has ended the stream, whether we did or not. */
function endOf(stream: ClientHttp2Stream): Promise<End> {
  return new Promise((resolve) => {
    const seen: Record<string, unknown> = {}
    stream.on('response', (headers) => Object.assign(seen, headers))
    stream.on('trailers', (headers) => Object.assign(seen, headers))
    stream.on('close', () => {
      const { 'grpc-status': code, 'grpc-message': message = '', ':status': http } = seen
      resolve({
        code: code === undefined ? undefined : Number(code),
        message: decodeURIComponent(String(message)),
        http: http as number | undefined,
      })
    })
    stream.resume()
  })
}

describe('hostile bytes', () => {
  it('refuses a length that is too large before its bytes are there', async () => {
    const stream = open(grpc.session())
    stream.write(Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff))
    const end = await endOf(stream)
    expect(end).toMatchObject({ code: 8, message: 'grpc: received message larger than max (4294967295 vs. 10485760)' })
  })

  it('does not wait for ever for the rest of a request', async () => {
    const session = grpc.session()
    for (const begun of [[], [0], [0, 0, 0, 0, 9, 1], [0, 0, 0, 0, 0]]) {
      const stream = open(session)
      stream.write(Uint8Array.from(begun))
      expect(await endOf(stream)).toMatchObject({ code: 4, message: 'the request did not arrive within 200 ms' })
    }
  })

  it('refuses half a request that has ended', async () => {
    for (const [body, code] of [
      [[], 12],
      [[0, 0, 0, 0, 9, 1], 12],
      [[0, 0, 0], 12],
      [[...request, ...request], 12],
    ] as const) {
      const stream = open(grpc.session())
      stream.end(Uint8Array.from(body))
      expect((await endOf(stream)).code, body.join()).toBe(code)
    }
  })

  it('refuses what claims to be compressed and is not', async () => {
    const garbage = encodeFrame(
      1,
      Uint8Array.from({ length: 500 }, (_, at) => at % 251),
    )
    for (const [encoding, code] of [
      ['gzip', 13],
      ['deflate', 13],
      ['br', 12],
      ['nope', 12],
    ] as const) {
      const stream = open(grpc.session(), { 'grpc-encoding': encoding })
      stream.end(garbage)
      expect((await endOf(stream)).code, encoding).toBe(code)
    }
  })

  it('refuses a small message that unpacks to a large one', async () => {
    const stream = open(grpc.session(), { 'grpc-encoding': 'gzip' })
    stream.end(encodeFrame(1, gzipSync(new Uint8Array(20_000_000))))
    expect((await endOf(stream)).code).toBe(8)
  })

  it('holds no more than it may of all requests together', async () => {
    const session = grpc.session()
    const streams = Array.from({ length: 6 }, () => open(session))
    const ends = streams.map(endOf)
    for (const stream of streams) {
      stream.write(encodeFrame(0, new Uint8Array(0)).with(1, 0x00).with(2, 0x90)) // 9,437,184 bytes announced
      stream.write(new Uint8Array(1_000_000))
    }
    const codes = (await Promise.all(ends)).map(({ code }) => code)
    expect(codes.filter((code) => code === 8).length).toBeGreaterThanOrEqual(1)
    expect(codes.every((code) => code === 8 || code === 4)).toBe(true)
  })

  it('is no web server', async () => {
    const session = grpc.session()
    const page = open(session, { 'content-type': 'text/html' })
    page.end()
    expect((await endOf(page)).http).toBe(415)
    const socket = grpc.socket()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
  })

  it('survives bytes that are not HTTP/2', async () => {
    const random = createRandom(5)
    const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    for (let round = 0; round < 100; round++) {
      const socket = grpc.socket()
      const garbage = Buffer.from(Uint8Array.from({ length: 1 + random(400) }, () => random(256)))
      socket.end(round % 2 === 0 ? garbage : Buffer.concat([preface, garbage]))
      socket.resume()
      await once(socket, 'close')
    }
  })

  it('survives random frames and headers on valid streams', async () => {
    const random = createRandom(6)
    const session = grpc.session()
    const ends: Promise<End>[] = []
    for (let round = 0; round < 300; round++) {
      const stream = open(session, {
        ':path': random(3) === 0 ? `/${'x'.repeat(random(50))}/é%zz` : `/${path}`,
        'grpc-timeout': ['1S', 'x', '99999999H', '0n', ''][random(5)]!,
        'x-cosmos-block-height': ['', '1', '\u00ff', '-', '1'.repeat(60)][random(5)]!,
      })
      ends.push(endOf(stream))
      stream.end(Uint8Array.from({ length: random(60) }, () => (random(3) === 0 ? random(256) : 0)))
      if (random(10) === 0) stream.close(constants.NGHTTP2_CANCEL)
      if (ends.length === 40) await Promise.all(ends.splice(0))
    }
    const codes = (await Promise.all(ends)).map(({ code }) => code)
    expect(codes.length).toBeGreaterThan(0)
  })

  it('answers a thousand calls on one connection, as many at a time as it lets', async () => {
    const session = grpc.session()
    await once(session, 'remoteSettings')
    expect(session.remoteSettings.maxConcurrentStreams).toBe(50)
    const ends = Array.from({ length: 1000 }, () => {
      const stream = open(session)
      const end = endOf(stream)
      stream.end(request)
      return end
    })
    const codes = new Set((await Promise.all(ends)).map(({ code }) => code))
    expect([...codes]).toEqual([0])
  })

  it('ends a connection that opens and cancels calls as fast as it can', async () => {
    const session = grpc.session()
    await once(session, 'remoteSettings')
    const gone = new Promise<void>((resolve) => session.once('close', resolve))
    let cancelled = 0
    while (!session.destroyed && cancelled < 100_000) {
      const streams = Array.from({ length: 50 }, () => (session.destroyed ? undefined : open(session)))
      for (const stream of streams) stream?.close(constants.NGHTTP2_CANCEL)
      cancelled += streams.length
      await new Promise((resolve) => setImmediate(resolve))
    }
    await gone
    expect(cancelled).toBeLessThan(100_000)
  })
})
