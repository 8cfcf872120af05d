import { type ClientHttp2Session, connect } from 'node:http2'
import { connect as connectSocket, type Socket } from 'node:net'
import { sendMsg, type TestAccount, testAccount } from '@coin/app/testing/signing'
import { appStateOf, createTestChain, type TestChain } from '@coin/app/testing/test-chain'
import type { Bytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { codecOf, descriptors } from '@coin/wire/registry'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { createGrpcServer, type GrpcServer, type GrpcServerOptions } from '../grpc/server.js'
import type { CallDependencies } from '../grpc/unary-calls.js'
import { createAppQueries } from '../services/app-queries.js'
import { createServices } from '../services.js'
import { type ChainTwin, createChainTwin } from './chain-twin.js'

/** What a caller sees of one call. */
export interface GrpcReply {
  readonly code: number
  readonly details: string
  /** `x-cosmos-block-height` of the response headers. */
  readonly height: string | undefined
  /** Decoded; undefined when the call failed. */
  readonly response: Record<string, unknown> | undefined
}

export interface CallWith {
  readonly metadata?: Readonly<Record<string, string>>
  readonly deadlineMs?: number
}

/** A gRPC server on a free port, and ways to call it. */
export interface OpenGrpc {
  readonly port: number
  readonly server: GrpcServer
  /** `path` without leading slash; a request that is an object is encoded. */
  call(path: string, request: object | Bytes, options?: CallWith): Promise<GrpcReply>
  /** Sends messages on a stream one after the other, each when the one before is answered; answers what came, and the end's code. */
  stream(
    path: string,
    messages: readonly Bytes[],
  ): Promise<{ readonly answers: readonly Bytes[]; readonly code: number }>
  /** HTTP/2 without gRPC. */
  session(): ClientHttp2Session
  /** Not even HTTP/2. */
  socket(): Socket
  close(): Promise<void>
}

const asIs = (bytes: Buffer): Buffer => bytes

export async function openGrpc(
  dependencies: CallDependencies,
  options: Partial<GrpcServerOptions> = {},
): Promise<OpenGrpc> {
  const server = createGrpcServer({ host: '127.0.0.1', port: 0, ...options }, dependencies)
  const { port } = await server.listen()
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  })
  const opened: (() => void)[] = []
  return {
    port,
    server,
    call: (path, request, callWith) => callOnce(client, path, request, callWith),
    stream: (path, messages) => streamOf(client, path, messages),
    session() {
      const session = connect(`http://127.0.0.1:${port}`)
      session.on('error', () => undefined) // what the server ends is for the streams to tell
      opened.push(() => session.destroy())
      return session
    },
    socket() {
      const socket = connectSocket(port, '127.0.0.1')
      socket.on('error', () => undefined)
      opened.push(() => socket.destroy())
      return socket
    },
    async close() {
      client.close()
      for (const end of opened) end()
      await server.close()
    },
  }
}

function callOnce(
  client: Client,
  path: string,
  request: object | Bytes,
  { metadata = {}, deadlineMs }: CallWith = {},
): Promise<GrpcReply> {
  const method = descriptors().method(path)
  const bytes = request instanceof Uint8Array ? request : encode(method?.input ?? '', request)
  const sent = new Metadata()
  for (const [name, value] of Object.entries(metadata)) sent.set(name, value)
  return new Promise((resolve) => {
    let height: string | undefined
    const deadline = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs }
    const onEnd = (error: ServiceError | null, response?: Buffer) =>
      resolve({
        code: error?.code ?? 0,
        details: error?.details ?? '',
        height,
        response: response && (codecOf(method!.output).decode(response) as Record<string, unknown>),
      })
    const call = client.makeUnaryRequest(`/${path}`, asIs, asIs, Buffer.from(bytes), sent, deadline, onEnd)
    call.on('metadata', (received: Metadata) => {
      height = received.get('x-cosmos-block-height')[0]?.toString()
    })
  })
}

function encode(type: string, message: object): Bytes {
  const codec = codecOf(type)
  return codec.encode(codec.fromPartial(message)).finish()
}

function streamOf(
  client: Client,
  path: string,
  messages: readonly Bytes[],
): Promise<{ readonly answers: readonly Bytes[]; readonly code: number }> {
  const stream = client.makeBidiStreamRequest(`/${path}`, asIs, asIs)
  const answers: Bytes[] = []
  const rest = [...messages]
  const next = () => {
    const message = rest.shift()
    if (message === undefined) stream.end()
    else stream.write(Buffer.from(message))
  }
  return new Promise((resolve) => {
    stream.on('data', (answer: Buffer) => {
      answers.push(answer)
      next()
    })
    stream.on('error', () => undefined)
    stream.on('status', ({ code }) => resolve({ answers, code }))
    next()
  })
}

/** The real application, in memory, behind the ports; blocks and transactions are the twin's. */
export interface AppBehindPorts {
  readonly alice: TestAccount
  readonly chain: TestChain
  readonly twin: ChainTwin
  readonly dependencies: CallDependencies
  /** A block of the application and of the twin in which alice sends bob so many ucoin; answers its height. */
  send(to: string, amount: number): Promise<number>
}

export async function createAppBehindPorts(): Promise<AppBehindPorts> {
  const alice = await testAccount('alice')
  const chain = createTestChain({ appState: appStateOf({ [alice.address]: '1000000000' }) })
  const twin = createChainTwin()
  const ports = { ...twin.ports, app: createAppQueries(chain.app) }
  const addBlock = (...txs: readonly Bytes[]): number => {
    chain.deliver(...txs)
    return twin.addBlock(...txs.map((bytes) => ({ bytes })))
  }
  addBlock()
  return {
    alice,
    chain,
    twin,
    dependencies: { services: createServices(ports), app: ports.app, log: silentLogger },
    send: async (to, amount) => addBlock(await chain.sign(alice, [sendMsg(alice.address, to, String(amount))])),
  }
}
