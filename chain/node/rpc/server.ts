import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from '@coin/base/logger'
import { WebSocketServer } from 'ws'
import type { NodeConfig } from '../config/node-config.js'
import { HeldBytes, heldBytesMax } from '../held-bytes.js'
import { inTurn } from '../pipelining.js'
import { serveHttp } from './http-calls.js'
import type { RpcMethods, RpcPorts } from './method.js'
import { blockMethods } from './methods-blocks.js'
import { consensusMethods, unsafeMethods } from './methods-consensus.js'
import { infoMethods } from './methods-info.js'
import { txMethods } from './methods-txs.js'
import { eventsOf } from './subscriptions.js'
import { type SocketDependencies, type SocketLimits, SocketSession } from './websocket.js'

/** CometBFT's RPC, 26657 by default. */
export interface RpcServer {
  /** Starts to listen; answers where. Rejects when the port is taken; nothing is left open then. */
  listen(): Promise<{ readonly host: string; readonly port: number }>
  /** Ends subscriptions, lets running calls end, at most two seconds, and closes. */
  close(): Promise<void>
}

const requestTimeoutMs = 30_000
const headersTimeoutMs = 10_000
/** Longer than usual pauses of a client, so that it seldom writes into a connection that is being closed. */
const keepAliveMs = 30_000
const closingMsMax = 2000
/** As CometBFT; a client that answers none is gone. */
const pingMs = 27_000

/** Bounds of what waits for one WebSocket client, so that no client takes the node's memory. */
const lateBytesMax = 16 * 1024 * 1024
const bufferedBytesMax = 64 * 1024 * 1024

export interface RpcDependencies extends RpcPorts {
  readonly log: Logger
  /** Shared with the other doors; default 512 MiB of its own. */
  readonly held?: HeldBytes
}

export function createRpcServer(options: NodeConfig['rpc'], ports: RpcDependencies): RpcServer {
  const { log, held = new HeldBytes(heldBytesMax) } = ports
  const methods: RpcMethods = new Map([
    ...infoMethods(ports),
    ...blockMethods(ports),
    ...txMethods(ports, options.broadcastCommitTimeoutMs),
    ...consensusMethods(ports),
    ...(options.unsafe ? unsafeMethods(ports) : []),
  ])
  const server = createServer({ maxHeaderSize: options.maxHeaderBytes }, (request, response) => {
    inTurn(request, response, () => void serveHttp(request, response, { methods, options, log, held }))
  })
  // As Go's: a client may end its side once it has asked, and still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.requestTimeout = requestTimeoutMs
  server.headersTimeout = headersTimeoutMs
  server.keepAliveTimeout = keepAliveMs
  if (options.maxOpenConnections > 0) server.maxConnections = options.maxOpenConnections
  const sessions = acceptSockets(server, options, { methods, log, held })
  let endFeed: () => void = () => undefined
  return {
    async listen() {
      const { address, port } = await listenOn(server, options.address)
      server.on('error', (error) => log.error({ error: error.message }, 'the RPC server failed'))
      endFeed = feedSessions(sessions.open, ports)
      return { host: address, port }
    },
    async close() {
      endFeed()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      sessions.closeAll()
      server.closeIdleConnections()
      const cut = setTimeout(() => {
        sessions.terminateAll()
        server.closeAllConnections()
      }, closingMsMax)
      await closed
      clearTimeout(cut)
    },
  }
}

function listenOn(server: Server, { host, port }: NodeConfig['rpc']['address']): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

interface Sessions {
  readonly open: ReadonlySet<SocketSession>
  closeAll(): void
  terminateAll(): void
}

/** Takes WebSocket clients on `/websocket`. */
function acceptSockets(
  server: Server,
  options: NodeConfig['rpc'],
  shared: Pick<SocketDependencies, 'methods' | 'log' | 'held'>,
): Sessions {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.maxBodyBytes })
  const open = new Set<SocketSession>()
  const limits: SocketLimits = {
    subscribersMax: options.maxSubscriptionClients,
    subscriptionsMax: options.maxSubscriptionsPerClient,
    lateEventsMax: options.subscriptionBufferSize,
    lateBytesMax,
    bufferedBytesMax,
  }
  const subscribers = () => [...open].filter((session) => session.isListening).length
  sockets.on('connection', (socket) => {
    const session = new SocketSession(socket, { ...shared, limits, subscribers })
    open.add(session)
    socket.on('close', () => open.delete(session))
  })
  server.on('upgrade', (request, socket, head) => {
    if ((request.url ?? '').split('?')[0] !== '/websocket') return refuseUpgrade(socket)
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request))
  })
  return {
    open,
    closeAll() {
      for (const client of sockets.clients) client.close(1001, 'the node stops')
    },
    terminateAll() {
      for (const client of sockets.clients) client.terminate()
    },
  }
}

function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
}

/** Tells the clients of each block, and looks now and then whether they are still there. Returns the end of it. */
function feedSessions(sessions: ReadonlySet<SocketSession>, { onBlock, blocks }: RpcPorts): () => void {
  const unsubscribe = onBlock((committed) => {
    const listening = [...sessions].filter((session) => session.isListening)
    if (listening.length === 0) return
    const events = eventsOf(committed, blocks, (name) => listening.some((session) => session.wants(name)))
    for (const session of listening) session.publish(events)
  })
  const pings = setInterval(() => {
    for (const session of sessions) session.checkAlive()
  }, pingMs)
  pings.unref()
  return () => {
    unsubscribe()
    clearInterval(pings)
  }
}
