import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '@coin/base/logger'
import { HeldBytes, heldBytesMax, tooMuchHeld } from '../held-bytes.js'
import { inTurn } from '../pipelining.js'
import { type Answer, failure, heightHeader, sendAnswer } from './answer.js'
import { type CallDependencies, type Calls, createCalls } from './calls.js'
import { allowOrigins, sendPreflight } from './cors.js'
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
  /** For the whole request to come in. Default 30,000. */
  readonly readTimeoutMs?: number
  /** For the answer, from when the request is there. 0 or none is 10 minutes: what takes long has shorter limits of its own. */
  readonly answerTimeoutMs?: number
  /** Default 1,000. */
  readonly connectionsMax?: number
}

/**
 * Answers requests on the REST port that are no REST calls: gRPC-Web, the pages. False leaves the request to others; a hook must
 * not have touched its body then. CORS is done already: its headers are set, and a preflight is never seen.
 */
export type RequestHook = (request: IncomingMessage, response: ServerResponse) => boolean

export interface GatewayDependencies extends CallDependencies {
  /** Asked in order. */
  readonly hooks?: readonly RequestHook[]
  /** Shared with the other doors; default 512 MiB of its own. */
  readonly held?: HeldBytes
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
const answerTimeoutMsMax = 600_000
/** Longer than usual pauses of a client, so that it seldom writes into a connection that is being closed. */
const keepAliveMs = 30_000

/**
 * @example
 * const gateway = createGateway({ host: '127.0.0.1', port: 1317 }, { services, app, log })
 * await gateway.listen()
 */
export function createGateway(options: GatewayOptions, dependencies: GatewayDependencies): Gateway {
  const settings: Settings = {
    bodyBytesMax: options.bodyBytesMax ?? 2_000_000,
    readTimeoutMs: options.readTimeoutMs ?? 30_000,
    answerTimeoutMs: options.answerTimeoutMs || answerTimeoutMsMax,
    cors: options.cors === true,
    held: dependencies.held ?? new HeldBytes(heldBytesMax),
  }
  const calls = createCalls(dependencies)
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (settings.cors) allowOrigins(response)
    if (settings.cors && request.method === 'OPTIONS') sendPreflight(request, response)
    else if (!dependencies.hooks?.some((hook) => hook(request, response)))
      void serve(request, response, calls, settings)
  }
  const server = createServer({ maxHeaderSize: headerBytesMax }, (request, response) =>
    inTurn(request, response, () => answer(request, response)),
  )
  // As Go's: a client may end its side once it has asked, and still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.requestTimeout = settings.readTimeoutMs
  server.headersTimeout = Math.min(settings.readTimeoutMs, 10_000)
  server.keepAliveTimeout = keepAliveMs
  server.maxConnections = options.connectionsMax ?? 1000
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Asked beforehand, so a body that is too large is never sent.
    if (Number(request.headers['content-length'] ?? 0) <= settings.bodyBytesMax) response.writeContinue()
    inTurn(request, response, () => answer(request, response))
  })
  server.on('clientError', refuseBadHttp)
  return { listen: () => listen(server, options, dependencies.log), close: () => close(server) }
}

interface Settings {
  readonly bodyBytesMax: number
  readonly readTimeoutMs: number
  readonly answerTimeoutMs: number
  readonly cors: boolean
  readonly held: HeldBytes
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  calls: Calls,
  settings: Settings,
): Promise<void> {
  const { answerTimeoutMs, held } = settings
  const made = await beforeTimeout(answerOf(request, response, calls, settings), answerTimeoutMs)
  const answer = held.takeFor(response, made.body.length) ? made : tooMany
  // An answer that does not wait for the end of the body ends the connection too.
  const closing: Record<string, string> = request.complete ? {} : { connection: 'close' }
  sendAnswer(response, answer, closing)
}

async function answerOf(
  request: IncomingMessage,
  response: ServerResponse,
  calls: Calls,
  { bodyBytesMax, held }: Settings,
): Promise<Answer> {
  const { method = '', url = '/', headers } = request
  const call = {
    verb: method === 'HEAD' ? 'GET' : method,
    target: url,
    isForm: headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false,
    height: headers[heightHeader]?.toString(),
    known: headers['if-none-match'],
  }
  const announced = Number(headers['content-length'] ?? 0)
  if (announced > bodyBytesMax && headers.expect !== undefined) return tooLarge(bodyBytesMax)
  const hasBody = announced > 0 || headers['transfer-encoding'] !== undefined
  if (!hasBody) return calls.answer({ ...call, body: '' })
  const body = await readBody(request, response, bodyBytesMax, held)
  if (!calls.hasRoute(call)) return calls.answer({ ...call, body: '' })
  if (body === 'too large') return tooLarge(bodyBytesMax)
  if (body === 'too many') return tooMany
  if (typeof body === 'string') return failure({ code: grpcCode.invalidArgument, message: `request body: ${body}` })
  return calls.answer({ ...call, body: body.text })
}

const tooMany = failure({ code: grpcCode.unavailable, message: tooMuchHeld })

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

function listen(server: Server, { host, port }: GatewayOptions, log: Logger): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', (error) => log.error({ error: error.message }, 'the REST server failed'))
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
