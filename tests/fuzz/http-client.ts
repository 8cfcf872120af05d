import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { Random } from '@coin/base/testing/random'
import type { HttpRequest } from './rest-requests.js'
import { count, shapeOf, type Tally } from './tally.js'
import { mutateBytes, randomBytes } from './values.js'

export interface HttpAnswer {
  readonly status: number
  readonly text: string
}

/** One connection that is kept as long as the server keeps it. */
export function createHttpClient(door: string): { send(request: HttpRequest): Promise<HttpAnswer>; close(): void } {
  const { hostname, port } = new URL(door)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        // With a length, or the body of a HEAD would be taken for the next request.
        const all = { ...headers, ...(body && { 'content-length': String(body.length) }) }
        const request = httpRequest({ hostname, port, agent, method, path, headers: all }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }))
          response.on('error', reject)
        })
        request.on('error', reject)
        request.end(body)
      }),
    close: () => agent.destroy(),
  }
}

export function describeRequest({ method, path, headers, body }: HttpRequest): string {
  const text = body === undefined ? '' : Buffer.from(body).toString().slice(0, 400)
  return `${method} ${path.slice(0, 400)} ${JSON.stringify(headers)} ${text}`
}

const restStatuses = new Set([
  200, 204, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 429, 431, 500, 501, 503, 504,
])

export function checkRest(tally: Tally, request: HttpRequest, { status, text }: HttpAnswer): void {
  count(tally.answers, `REST ${status}`)
  const what = `REST ${describeRequest(request)} -> ${status} ${text.slice(0, 300)}`
  if (!restStatuses.has(status)) tally.wrong.push(what)
  if (leaks(text)) tally.internal.push(what)
  if (status < 400 || request.method === 'HEAD') return
  const body = parse(text) as { code?: unknown; message?: unknown; details?: unknown } | undefined
  if (typeof body?.code !== 'number' || typeof body.message !== 'string' || !Array.isArray(body.details)) {
    tally.wrong.push(what)
  } else if (status === 500) {
    if (body.code === 13 || body.message === '') tally.internal.push(what)
    else count(tally.told, shapeOf(body.message))
  }
}

export function checkRpc(tally: Tally, request: HttpRequest, { status, text }: HttpAnswer): void {
  const what = `RPC ${describeRequest(request)} -> ${status} ${text.slice(0, 300)}`
  if (leaks(text)) tally.internal.push(what)
  const code = /"error":\{"code":(-?\d+)/.exec(text)?.[1]
  count(tally.answers, `RPC ${status} ${code ?? ''}`)
  if (status === 200 && text !== '' && parse(text) === undefined && !text.startsWith('<html>')) tally.wrong.push(what)
  if (![200, 204, 304, 400, 403, 404, 405, 413, 431, 500].includes(status)) tally.wrong.push(what)
}

/** A bug shows: by name, or by the node's own words for one. */
export function leaks(text: string): boolean {
  return (
    /TypeError|RangeError|ReferenceError|its log says why|internal error|\.js:\d|node:internal/.test(text) &&
    !text.includes('<!doctype')
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const heads = [
  'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 30\r\n\r\n{"id":1,"method":"health"}',
  'POST /cosmos/tx/v1beta1/txs HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"tx_\r\n0\r\n\r\n',
  'GET /websocket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\u0081\u0085\u0000\u0000\u0000\u0000hello',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
]

/** Bytes that are hardly a request of anything; whatever comes back, the connection must end once we have ended it. */
export function sendGarbage(door: string, random: Random): Promise<void> {
  const { hostname, port } = new URL(door)
  const head = Buffer.from(random.pick(heads), 'latin1')
  const bytes = random.int(3) === 0 ? randomBytes(random, 400) : mutateBytes(random, head)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.on('connect', () => {
      socket.write(bytes)
      if (random.int(2) === 0) socket.end()
      else setImmediate(() => socket.destroy())
    })
    socket.resume()
    // A server may wait for the rest of half a request; this client does not.
    socket.setTimeout(1000, () => socket.destroy())
  })
}
