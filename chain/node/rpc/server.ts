import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '@coin/base/logger'
import { WebSocketServer } from 'ws'
import type { NodeConfig } from '../config/node-config.js'
import { answerRequest, errorText, failureOf, resultText, rpcCodes } from './json-rpc.js'
import type { RpcMethods, RpcPorts } from './method.js'
import { blockMethods } from './methods-blocks.js'
import { infoMethods } from './methods-info.js'
import { txMethods } from './methods-txs.js'
import { readUriParams } from './params.js'
import { eventsOf } from './subscriptions.js'
import { SocketSession } from './websocket.js'

/** CometBFT's RPC, 26657 by default. */
export interface RpcServer {
  /** Starts to listen; answers where. Rejects when the port is taken. */
  listen(): Promise<{ readonly host: string; readonly port: number }>
  /** Ends subscriptions, lets running calls end, at most two seconds, and closes. */
  close(): Promise<void>
}

const requestTimeoutMs = 30_000
const closingMsMax = 2000
/** A WebSocket client that lets this much pile up is cut off. */
const bufferedBytesMax = 16 * 1024 * 1024

export function createRpcServer(options: NodeConfig['rpc'], ports: RpcPorts & { readonly log: Logger }): RpcServer {
  const { log } = ports
  const methods: RpcMethods = new Map([
    ...infoMethods(ports),
    ...blockMethods(ports),
    ...txMethods(ports, options.broadcastCommitTimeoutMs),
  ])
  const server = createServer({ maxHeaderSize: options.maxHeaderBytes }, (request, response) => {
    void serve(request, response, { methods, options, log })
  })
  server.requestTimeout = requestTimeoutMs
  server.headersTimeout = 10_000
  if (options.maxOpenConnections > 0) server.maxConnections = options.maxOpenConnections
  const sessions = new Set<SocketSession>()
  const sockets = acceptSockets({ methods, options, log, sessions })
  server.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '').split('?')[0]
    const isFull = sockets.clients.size >= Math.max(options.maxSubscriptionClients, 1) * 10
    if (path !== '/websocket' || isFull) return refuseUpgrade(socket as Socket, isFull ? 503 : 404)
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request))
  })
  const unsubscribe = ports.onBlock((committed) => {
    const listening = [...sessions].filter((session) => session.isListening)
    if (listening.length === 0) return
    for (const event of eventsOf(committed)) for (const session of listening) session.publish(event)
  })
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(options.address.port, options.address.host, () => {
          server.off('error', reject)
          const { address, port } = server.address() as AddressInfo
          resolve({ host: address, port })
        })
      }),
    async close() {
      unsubscribe()
      for (const client of sockets.clients) client.close(1001, 'the node stops')
      const cut = setTimeout(() => {
        for (const client of sockets.clients) client.terminate()
        server.closeAllConnections()
      }, closingMsMax)
      server.closeIdleConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      clearTimeout(cut)
    },
  }
}

interface Serving {
  readonly methods: RpcMethods
  readonly options: NodeConfig['rpc']
  readonly log: Logger
}

function acceptSockets({
  methods,
  options,
  log,
  sessions,
}: Serving & { sessions: Set<SocketSession> }): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.maxBodyBytes })
  const limits = { subscriptionsMax: options.maxSubscriptionsPerClient, bufferedBytesMax }
  sockets.on('connection', (socket) => {
    const session = new SocketSession(socket, methods, limits, log)
    sessions.add(session)
    socket.on('close', () => sessions.delete(session))
  })
  return sockets
}

function refuseUpgrade(socket: Socket, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${status === 404 ? 'Not Found' : 'Service Unavailable'}\r\nconnection: close\r\n\r\n`)
}

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { methods, options, log } = serving
  addCors(request, response, options.corsAllowedOrigins)
  if (request.method === 'OPTIONS') return end(response, 204, '')
  const [path, query] = splitUrl(request.url ?? '/')
  try {
    if (request.method === 'POST' && (path === '/' || path === '')) return await serveJson(request, response, serving)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return end(response, 405, errorText(-1, rpcCodes.request, 'use GET with a method in the path, or POST to /'))
    if (path === '/') return end(response, 200, listing(methods), 'text/html; charset=utf-8')
    const method = methods.get(path.slice(1))
    if (method === undefined) return end(response, 404, '404 page not found\n', 'text/plain; charset=utf-8')
    const params = readUriParams(method.params, new URLSearchParams(query))
    if (method.isCacheable(params)) response.setHeader('cache-control', 'public, max-age=86400')
    end(response, 200, resultText(-1, await method.run(params)))
  } catch (error) {
    const { code, data } = failureOf(error, log)
    response.removeHeader('cache-control')
    end(response, 500, errorText(-1, code, data))
  }
}

/** A JSON-RPC body: one request or a batch. A batch of one is answered as one, as CometBFT does. */
async function serveJson(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { methods, options, log } = serving
  const body = await readBody(request, options.maxBodyBytes)
  if (body === undefined) {
    response.setHeader('connection', 'close')
    const limit = `request body is larger than the limit of ${options.maxBodyBytes} bytes`
    return end(response, 413, errorText(undefined, rpcCodes.request, limit))
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch (error) {
    return end(
      response,
      500,
      errorText(undefined, rpcCodes.parse, `error unmarshaling request: ${(error as Error).message}`),
    )
  }
  const requests = Array.isArray(parsed) ? parsed : [parsed]
  if (options.maxBatchSize > 0 && requests.length > options.maxBatchSize) {
    const limit = `a batch of ${requests.length} requests, at most ${options.maxBatchSize}`
    return end(response, 500, errorText(undefined, rpcCodes.request, limit))
  }
  const answers: string[] = []
  for (const one of requests) {
    const answer = await answerRequest(methods, one, log)
    if (answer !== undefined) answers.push(answer)
  }
  end(response, 200, answers.length === 1 ? answers[0]! : answers.length === 0 ? '' : `[${answers.join(',')}]`)
}

/** The body as text; `undefined` when it is longer than the limit. What is over it is not kept. */
async function readBody(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function end(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  if (response.writableEnded || response.destroyed) return
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function addCors({ headers }: IncomingMessage, response: ServerResponse, allowed: readonly string[]): void {
  const { origin } = headers
  if (origin === undefined || !allowed.some((one) => one === '*' || one === origin)) return
  response.setHeader('access-control-allow-origin', allowed.includes('*') ? '*' : origin)
  response.setHeader('access-control-allow-headers', 'Origin, Accept, Content-Type, X-Requested-With, X-Server-Time')
  response.setHeader('access-control-allow-methods', 'HEAD, GET, POST')
}

function splitUrl(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** What a browser sees at `/`. */
function listing(methods: RpcMethods): string {
  const items = [...methods].map(([name, { params }]) => {
    const args = Object.keys(params).map((param) => `${param}=_`)
    return `<li><a href="/${name}${args.length > 0 ? `?${args.join('&amp;')}` : ''}">/${name}</a></li>`
  })
  return `<html><body><h1>Endpoints</h1><ul>${items.join('')}</ul><p>WebSocket: /websocket</p></body></html>`
}
