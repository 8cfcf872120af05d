import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@coin/base/logger'
import type { NodeConfig } from '../config/node-config.js'
import { type HeldBytes, tooMuchHeld } from '../held-bytes.js'
import { readBody } from '../rest/read-body.js'
import {
  answerRequest,
  errorText,
  parseRequests,
  type RpcAnswer,
  type RpcRequest,
  reasonOf,
  resultText,
  rpcCodes,
  uriId,
} from './json-rpc.js'
import type { RpcMethod, RpcMethods } from './method.js'
import { type AnyParams, readUriParams } from './params.js'
import { socketMethods } from './websocket.js'

export interface HttpCalls {
  readonly methods: RpcMethods
  readonly options: Pick<NodeConfig['rpc'], 'corsAllowedOrigins' | 'maxBatchSize' | 'maxBodyBytes'>
  readonly log: Logger
  readonly held: HeldBytes
}

interface HttpAnswer {
  readonly status: number
  readonly body: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers one HTTP request as CometBFT does: JSON-RPC at `/`, each method at its name. Never rejects. */
export async function serveHttp(request: IncomingMessage, response: ServerResponse, calls: HttpCalls): Promise<void> {
  const { held } = calls
  response.setHeader('x-server-time', String(Math.floor(Date.now() / 1000)))
  addCors(request, response, calls.options.corsAllowedOrigins)
  try {
    if (request.method === 'OPTIONS') return end(response, { status: 204, body: '' }, held)
    const { maxBodyBytes } = calls.options
    const body = await readBody(request, response, maxBodyBytes, held)
    if (body === 'aborted') return
    if (typeof body !== 'string')
      return end(response, await answerCall(request, body.text, calls, goneWith(response)), held)
    if (body === 'too many') return end(response, tooMany, held)
    const limit = body === 'too large' ? `http: request body too large (at most ${maxBodyBytes} bytes)` : 'not UTF-8'
    const text = errorText(undefined, rpcCodes.request, `error reading request body: ${limit}`)
    end(response, { status: 400, body: text, headers: { connection: 'close' } }, held)
  } catch (error) {
    end(response, { status: 500, body: errorText(uriId, rpcCodes.internal, reasonOf(error, calls.log)) }, held)
  }
}

/** Aborted when the connection ends before the answer is written. */
function goneWith(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

function answerCall(
  request: IncomingMessage,
  body: string,
  calls: HttpCalls,
  gone: AbortSignal,
): HttpAnswer | Promise<HttpAnswer> {
  const [path, query] = splitUrl(request.url ?? '/')
  if (path === '/' || path === '') return body === '' ? listing(calls.methods) : answerJson(body, calls, gone)
  const name = path.slice(1)
  if (name === 'websocket') return plain(400, 'Bad Request')
  if (socketMethods.has(name)) return { status: 404, body: errorText(uriId, rpcCodes.method) }
  const method = calls.methods.get(name)
  if (method === undefined) return plain(404, '404 page not found')
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  return answerUri(method, new URLSearchParams(isForm ? `${query}&${body}` : query), calls.log, gone)
}

const oneDay = { 'cache-control': 'public, max-age=86400' }

async function answerUri(
  method: RpcMethod,
  query: URLSearchParams,
  log: Logger,
  gone: AbortSignal,
): Promise<HttpAnswer> {
  let params: AnyParams
  try {
    params = readUriParams(method.params, query)
  } catch (error) {
    const reason = `error converting http params to arguments: ${reasonOf(error, log)}`
    return { status: 500, body: errorText(uriId, rpcCodes.params, reason) }
  }
  try {
    const body = resultText(uriId, await method.run(params, gone))
    return { status: 200, body, ...(method.isCacheable(params) && { headers: oneDay }) }
  } catch (error) {
    return { status: 500, body: errorText(uriId, rpcCodes.internal, reasonOf(error, log)) }
  }
}

/** A JSON-RPC body: one request or a batch. A batch with one answer is answered as one request is. */
async function answerJson(body: string, { methods, options, log }: HttpCalls, gone: AbortSignal): Promise<HttpAnswer> {
  let requests: ReturnType<typeof parseRequests>
  try {
    requests = parseRequests(body)
  } catch (error) {
    return { status: 500, body: errorText(undefined, rpcCodes.parse, reasonOf(error, log)) }
  }
  const { maxBatchSize } = options
  if (maxBatchSize > 0 && requests.length > maxBatchSize) {
    const limit = `batch request exceeds maximum (${maxBatchSize}) allowed number of requests`
    return { status: 200, body: errorText(undefined, rpcCodes.request, limit) }
  }
  const answers: RpcAnswer[] = []
  let length = 0
  for (const request of requests) {
    if (gone.aborted) break
    const answer = await answerRequest(methods, request, { log, gone, badParams: rpcCodes.params })
    if (answer === undefined) continue
    length += answer.text.length
    if (answers.length > 0 && length > batchAnswerMax) answers.push(tooLong(request))
    else answers.push(answer)
  }
  if (answers.length === 0) return { status: 200, body: '' }
  const texts = answers.map(({ text }) => text)
  const text = texts.length > 1 ? `[${texts.join(',')}]` : texts[0]!
  return { status: 200, body: text, ...(answers.every(({ isCacheable }) => isCacheable) && { headers: oneDay }) }
}

/** Characters of a whole batch; what goes beyond is to be asked alone. */
const batchAnswerMax = 64 * 1024 * 1024

const tooLong = ({ id }: RpcRequest): RpcAnswer => ({
  text: errorText(
    id,
    rpcCodes.server,
    `the answers of this batch are longer than ${batchAnswerMax}, ask for this one alone`,
  ),
  isCacheable: false,
})

const plain = (status: number, text: string): HttpAnswer => ({
  status,
  body: `${text}\n`,
  type: 'text/plain; charset=utf-8',
})

const tooMany: HttpAnswer = { status: 503, body: errorText(undefined, rpcCodes.server, tooMuchHeld) }

function end(response: ServerResponse, answer: HttpAnswer, held: HeldBytes): void {
  if (response.writableEnded || response.destroyed) return
  const isTaken = held.takeFor(response, answer.body.length)
  const { status, body, type = 'application/json', headers = {} } = isTaken ? answer : tooMany
  const about = body === '' ? {} : { 'content-type': type }
  response.writeHead(status, { ...about, 'content-length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

function addCors({ headers }: IncomingMessage, response: ServerResponse, allowed: readonly string[]): void {
  if (allowed.length === 0) return
  response.setHeader('vary', 'Origin')
  const { origin } = headers
  if (origin === undefined || !allowed.some((pattern) => isOrigin(pattern, origin))) return
  response.setHeader('access-control-allow-origin', allowed.includes('*') ? '*' : origin)
  response.setHeader('access-control-allow-headers', 'Origin, Accept, Content-Type, X-Requested-With, X-Server-Time')
  response.setHeader('access-control-allow-methods', 'HEAD, GET, POST')
}

/** `https://*.example.com` allows every subdomain; one star at most. */
function isOrigin(pattern: string, origin: string): boolean {
  const [start = '', ...rest] = pattern.toLowerCase().split('*')
  const name = origin.toLowerCase()
  if (rest.length === 0) return name === start
  const last = rest.join('*')
  return name.length >= start.length + last.length && name.startsWith(start) && name.endsWith(last)
}

function splitUrl(url: string): readonly [path: string, query: string] {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  const at = local.indexOf('?')
  const path = (at < 0 ? local : local.slice(0, at)).replace(/\/{2,}/g, '/') // `//status` is asked for by URLs put together
  return [path, at < 0 ? '' : local.slice(at + 1)]
}

/** What a browser sees at `/`. */
function listing(methods: RpcMethods): HttpAnswer {
  const items = [...methods].map(([name, { params }]) => {
    const args = Object.keys(params).map((param) => `${param}=_`)
    return `<li><a href="/${name}${args.length > 0 ? `?${args.join('&amp;')}` : ''}">/${name}</a></li>`
  })
  const body = `<html><body><h1>Endpoints</h1><ul>${items.join('')}</ul><p>WebSocket: /websocket</p></body></html>`
  return { status: 200, body, type: 'text/html; charset=utf-8' }
}
