import { type AddressInfo, createServer, type Socket, type Server as SocketServer } from 'node:net'
import type { Logger } from '@coin/base/logger'
import { descriptors } from '@coin/wire/registry'
import { logVerbosity, Server, ServerCredentials, setLogVerbosity } from '@grpc/grpc-js'
import { HeldBytes, heldBytesMax } from '../held-bytes.js'
import { guardArrival } from './arrival.js'
import { createMethodHandlers } from './method-handlers.js'
import { createReflection, reflectionServices } from './reflection.js'
import { type CallDependencies, createUnaryCalls } from './unary-calls.js'

export interface GrpcServerOptions {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Largest request message. Default 10,485,760, as in the SDK. */
  readonly receiveBytesMax?: number
  /** Largest response message. Default 2,147,483,647, as in the SDK. */
  readonly sendBytesMax?: number
  /** Default 1,000. */
  readonly connectionsMax?: number
  /** Calls at one time on one connection. Default 100. */
  readonly streamsMax?: number
  /** Of requests that are arriving or are being answered, of all connections together. Default 256 MiB. */
  readonly heldBytesMax?: number
  /** For a unary request to arrive whole. Default 30,000. */
  readonly arrivalMsMax?: number
  /** Of answers that are being taken: shared with the other doors; default 512 MiB of its own. */
  readonly held?: HeldBytes
}

/** The node's gRPC interface, 9090 by default: every method of every service, and server reflection. */
export interface GrpcServer {
  /** Starts to listen; answers where. Rejects when the port is taken. */
  listen(): Promise<{ readonly host: string; readonly port: number }>
  /** Lets running calls end, at most two seconds, and closes. */
  close(): Promise<void>
}

const closingMsMax = 2000
/** As grpc-go: a silent peer is asked after two hours and has 20 seconds to answer. */
const keepalive = { 'grpc.keepalive_time_ms': 7_200_000, 'grpc.keepalive_timeout_ms': 20_000 } as const

/**
 * @example
 * const server = createGrpcServer({ host: '127.0.0.1', port: 9090 }, { services, app, log })
 * await server.listen()
 */
export function createGrpcServer(options: GrpcServerOptions, dependencies: CallDependencies): GrpcServer {
  const receiveBytesMax = options.receiveBytesMax ?? 10_485_760
  // The library writes a line to stderr for each odd header, which callers send as many as they like of.
  setLogVerbosity(logVerbosity.NONE)
  const calls = createUnaryCalls(dependencies)
  const reflection = createReflection(descriptors(), [...calls.serviceNames(), ...reflectionServices].sort())
  const server = new Server({
    ...keepalive,
    'grpc.enable_channelz': 0,
    'grpc.max_receive_message_length': receiveBytesMax,
    'grpc.max_send_message_length': options.sendBytesMax ?? 2_147_483_647,
    'grpc.max_concurrent_streams': options.streamsMax ?? 100,
    interceptors: [
      guardArrival({
        receiveBytesMax,
        heldBytesMax: options.heldBytesMax ?? 256 * 1024 * 1024,
        arrivalMsMax: options.arrivalMsMax ?? 30_000,
        held: options.held ?? new HeldBytes(heldBytesMax),
      }),
    ],
  })
  // The library looks a path up in a map and has no handler for those that are not in it; here every path has one.
  Object.assign(server as object, { handlers: createMethodHandlers(calls, reflection, dependencies.log) })
  // Own sockets: the library binds every address of a name, and its errors do not say which kind they are.
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure())
  const sockets = new Set<Socket>()
  const door = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    connections.injectConnection(socket)
  })
  door.maxConnections = options.connectionsMax ?? 1000
  return {
    listen: () => listen(door, options, dependencies.log),
    async close() {
      const closed = new Promise<void>((resolve) => door.close(() => resolve()))
      connections.drain(closingMsMax)
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
      }, closingMsMax)
      await closed
      clearTimeout(timer)
      server.forceShutdown()
    },
  }
}

function listen(
  door: SocketServer,
  { host, port }: GrpcServerOptions,
  log: Logger,
): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    door.once('error', reject)
    door.listen(port, host, () => {
      door.off('error', reject)
      door.on('error', (error) => log.error({ error: error.message }, 'the gRPC server failed'))
      const { address, port: taken } = door.address() as AddressInfo
      resolve({ host: address, port: taken })
    })
  })
}
