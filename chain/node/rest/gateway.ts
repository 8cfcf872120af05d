import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Answer, failure, heightHeader, sendAnswer } from './answer.js'
import { type CallDependencies, type Calls, createCalls } from './calls.js'
import { grpcCode } from './grpc-status.js'
import { readBody } from './read-body.js'

export interface GatewayOptions {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Browsers of every origin may call. As `enabled-unsafe-cors` of app.toml; default false. */
  readonly cors?: boolean
  /** Default 2,000,000: the largest transaction of the mempool in base64 fits. */
  readonly bodyBytesMax?: number
  /** For the whole request and again for its answer. Default 30,000. */
  readonly timeoutMs?: number
  /** Default 1,000. */
  readonly connectionsMax?: number
}

/** The node's REST interface, 1317 by default. */
export interface Gateway {
  /** Starts to listen; answers where. Rejects when the port is taken. */
  listen(): Promise<{ readonly host: string; readonly port: number }>
  /** Lets running calls end, at most two seconds, and closes. */
  close(): Promise<void>
}

/** Longest request line and headers together: contract queries stand in the URL. */
const headerBytesMax = 1024 * 1024
const closingMsMax = 2000
const preflightSeconds = '86400'

/**
 * @example
 * const gateway = createGateway({ host: '127.0.0.1', port: 1317 }, { services, app, log })
 * await gateway.listen()
 */
export function createGateway(options: GatewayOptions, dependencies: CallDependencies): Gateway {
  const settings: Settings = {
    bodyBytesMax: options.bodyBytesMax ?? 2_000_000,
    timeoutMs: options.timeoutMs ?? 30_000,
    headers: options.cors === true ? corsHeaders : {},
    cors: options.cors === true,
  }
  const calls = createCalls(dependencies)
  const server = createServer({ maxHeaderSize: headerBytesMax }, (request, response) => {
    void serve(request, response, calls, settings)
  })
  server.requestTimeout = settings.timeoutMs
  server.headersTimeout = Math.min(settings.timeoutMs, 10_000)
  server.maxConnections = options.connectionsMax ?? 1000
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Asked beforehand, so a body that is too large is never sent.
    if (Number(request.headers['content-length'] ?? 0) <= settings.bodyBytesMax) response.writeContinue()
    void serve(request, response, calls, settings)
  })
  server.on('clientError', refuseBadHttp)
  return { listen: () => listen(server, options), close: () => close(server) }
}

interface Settings {
  readonly bodyBytesMax: number
  readonly timeoutMs: number
  readonly cors: boolean
  readonly headers: Readonly<Record<string, string>>
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': heightHeader,
} as const

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  calls: Calls,
  settings: Settings,
): Promise<void> {
  const verb = request.method ?? ''
  const target = request.url ?? '/'
  if (settings.cors && verb === 'OPTIONS') {
    sendPreflight(response)
    return
  }
  const answer = await beforeTimeout(answerOf(request, verb, target, calls, settings), settings.timeoutMs)
  // An answer that does not wait for the end of the body ends the connection too.
  const closing: Record<string, string> = request.complete ? {} : { connection: 'close' }
  sendAnswer(response, answer, { ...settings.headers, ...closing })
}

async function answerOf(
  request: IncomingMessage,
  verb: string,
  target: string,
  calls: Calls,
  { bodyBytesMax }: Settings,
): Promise<Answer> {
  const height = request.headers[heightHeader]
  const call = { verb, target, height: Array.isArray(height) ? height[0] : height }
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > bodyBytesMax && request.headers.expect !== undefined) return tooLarge(bodyBytesMax)
  const hasBody = announced > 0 || request.headers['transfer-encoding'] !== undefined
  if (!hasBody) return calls.answer({ ...call, body: '' })
  const body = await readBody(request, bodyBytesMax)
  if (!calls.hasRoute(verb, target)) return calls.answer({ ...call, body: '' })
  if (body === 'too large') return tooLarge(bodyBytesMax)
  if (typeof body === 'string') return failure({ code: grpcCode.invalidArgument, message: `request body: ${body}` })
  return calls.answer({ ...call, body: body.text })
}

function tooLarge(bodyBytesMax: number): Answer {
  const message = `request body too large, expected at most ${bodyBytesMax} bytes`
  return failure({ code: grpcCode.resourceExhausted, message }, 413)
}

async function beforeTimeout(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Answer>((resolve) => {
    const message = `no answer within ${timeoutMs} ms`
    timer = setTimeout(() => resolve(failure({ code: grpcCode.deadlineExceeded, message })), timeoutMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

function sendPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': `content-type, ${heightHeader}`,
    'access-control-max-age': preflightSeconds,
  })
  response.end()
}

/** What is not even HTTP. */
function refuseBadHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const code = isSlow ? grpcCode.deadlineExceeded : grpcCode.invalidArgument
  const message = isLong ? 'request line and headers are too large' : isSlow ? 'the request took too long' : 'not HTTP'
  const { status, body } = failure({ code, message }, isLong ? 431 : isSlow ? 408 : 400)
  const lines = [`HTTP/1.1 ${status} Bad Request`, 'content-type: application/json', `content-length: ${body.length}`]
  socket.end(`${lines.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`)
}

function listen(server: Server, { host, port }: GatewayOptions): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address() as AddressInfo
      resolve({ host: address.address, port: address.port })
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), closingMsMax)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
