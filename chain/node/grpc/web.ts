import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Bytes, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { HeldBytes, heldBytesMax, tooMuchHeld } from '../held-bytes.js'
import { heightHeader } from '../rest/answer.js'
import { type GrpcStatus, grpcCode } from '../rest/grpc-status.js'
import { decodeFrames, encodeFrame, trailersFlag } from './frames.js'
import { type CallDependencies, type CallEnd, createUnaryCalls, type UnaryCalls } from './unary-calls.js'

export interface GrpcWebOptions {
  /** Largest request message. Default 10,485,760, as for gRPC. */
  readonly receiveBytesMax?: number
  /** Of request bodies that are arriving or are being answered, all together. Default 64 MiB. */
  readonly heldBytesMax?: number
  /** For an answer; the caller's `grpc-timeout` may be shorter. Default 600,000. */
  readonly answerMsMax?: number
  /** Of answers that are being taken: shared with the other doors; default 512 MiB of its own. */
  readonly held?: HeldBytes
}

/** Answers a request when it is gRPC-Web, whose body it then reads. False leaves the request untouched. */
export type GrpcWebHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/** `application/grpc-web`, `application/grpc-web+proto`, and the same as base64: `application/grpc-web-text+proto`. */
const contentTypePattern = /^application\/grpc-web(-text)?(?:\+proto)?(?:\s*;.*)?$/i

/**
 * gRPC for browsers: unary calls over HTTP/1.1, which end in a frame of trailers. As everywhere in gRPC the HTTP status is 200
 * whatever the call's own status is.
 *
 * @example
 * createGateway(options, { ...dependencies, hooks: [createGrpcWeb({}, dependencies)] })
 */
export function createGrpcWeb(options: GrpcWebOptions, dependencies: CallDependencies): GrpcWebHandler {
  const calls = createUnaryCalls(dependencies)
  const limits = {
    receiveBytesMax: options.receiveBytesMax ?? 10_485_760,
    heldBytesMax: options.heldBytesMax ?? 64 * 1024 * 1024,
    answerMsMax: options.answerMsMax ?? 600_000,
    held: options.held ?? new HeldBytes(heldBytesMax),
  }
  const held: Held = { bytes: 0 }
  return (request, response) => {
    const type = contentTypePattern.exec(request.headers['content-type'] ?? '')
    if (request.method !== 'POST' || type === null) return false
    const isText = type[1] !== undefined
    const body = new IncomingBody(request, held)
    void answer(request, body, isText, calls, limits)
      .then((end) => send(request, response, isText, end && holding(response, end, limits.held)))
      .finally(() => body.release())
    return true
  }
}

type Limits = Required<GrpcWebOptions>

/** What all bodies together hold at the moment. */
interface Held {
  bytes: number
}

async function answer(
  request: IncomingMessage,
  incoming: IncomingBody,
  isText: boolean,
  calls: UnaryCalls,
  limits: Limits,
): Promise<CallEnd | undefined> {
  const path = (request.url ?? '/').split('?')[0]!
  const timeoutMs = readTimeout(request.headers['grpc-timeout']?.toString(), limits.answerMsMax)
  if (timeoutMs === undefined) return failed(grpcCode.internal, 'malformed grpc-timeout')
  const body = await incoming.read(bodyBytesMax(isText, limits.receiveBytesMax), limits.heldBytesMax)
  if (body === 'aborted') return undefined
  if (body === 'too many')
    return failed(grpcCode.resourceExhausted, 'the node holds too many requests, try again later')
  const refused = calls.refusal(path)
  if (refused !== undefined) return { status: refused }
  if (body === 'too large') return failed(grpcCode.resourceExhausted, tooLarge(limits.receiveBytesMax))
  const message = messageOf(body, isText, limits.receiveBytesMax)
  if ('code' in message) return { status: message }
  const height = request.headers[heightHeader]?.toString()
  return within(timeoutMs, calls.call(path, message.bytes, height))
}

const failed = (code: number, message: string): CallEnd => ({ status: { code, message } })

const tooLarge = (bytesMax: number): string => `grpc: received message larger than max (${bytesMax})`

/** A frame's head, and for base64 four characters for three bytes. */
function bodyBytesMax(isText: boolean, messageBytesMax: number): number {
  const bytes = messageBytesMax + 5
  return isText ? Math.ceil(bytes / 3) * 4 : bytes
}

const timeoutUnitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }

/** `100m` is 100 milliseconds, `5S` five seconds. */
function readTimeout(text: string | undefined, msMax: number): number | undefined {
  if (text === undefined) return msMax
  const parts = /^([0-9]{1,8})([HMSmun])$/.exec(text)
  return parts === null ? undefined : Math.min(Number(parts[1]) * timeoutUnitMs[parts[2]!]!, msMax)
}

/** The body of one request, counted with those of all others until it is released. */
class IncomingBody {
  private readonly request: IncomingMessage
  private readonly held: Held
  private length = 0

  constructor(request: IncomingMessage, held: Held) {
    this.request = request
    this.held = held
  }

  /** What is more than the limits is thrown away. */
  read(bytesMax: number, heldBytesMax: number): Promise<Bytes | 'too large' | 'too many' | 'aborted'> {
    return new Promise((resolve) => {
      const chunks: Bytes[] = []
      let isRefused = false
      const refuse = (why: 'too large' | 'too many') => {
        isRefused = true
        chunks.length = 0
        resolve(why)
      }
      this.request.on('data', (chunk: Uint8Array) => {
        if (isRefused) return
        chunks.push(chunk)
        this.length += chunk.length
        this.held.bytes += chunk.length
        if (this.length > bytesMax) refuse('too large')
        else if (this.held.bytes > heldBytesMax) refuse('too many')
      })
      this.request.on('end', () => resolve(concatBytes(...chunks)))
      this.request.on('close', () => resolve('aborted'))
    })
  }

  release(): void {
    this.held.bytes -= this.length
    this.length = 0
  }
}

/** The only message of a unary call, or why there is none. */
function messageOf(body: Bytes, isText: boolean, bytesMax: number): { readonly bytes: Bytes } | GrpcStatus {
  const bytes = isText ? fromBase64(body) : body
  if (bytes === undefined) return { code: grpcCode.internal, message: 'the body is not base64' }
  const frames = decodeFrames(bytes)
  if (typeof frames === 'string') return { code: grpcCode.internal, message: `malformed gRPC-Web body: ${frames}` }
  const [frame] = frames
  if (frame === undefined || frames.length > 1)
    return { code: grpcCode.internal, message: `${frames.length} request messages, expected one` }
  if (frame.isCompressed)
    return { code: grpcCode.unimplemented, message: 'compressed messages are not taken over gRPC-Web' }
  if (frame.bytes.length > bytesMax) return { code: grpcCode.resourceExhausted, message: tooLarge(bytesMax) }
  return frame
}

/** Of one or more runs of base64, each with its padding: clients encode chunk by chunk. */
function fromBase64(body: Bytes): Bytes | undefined {
  const text = Buffer.from(body).toString('latin1')
  if (!/^[A-Za-z0-9+/=\r\n]*$/.test(text)) return undefined
  const runs = text.replace(/[\r\n]/g, '').match(/[^=]+=*/g) ?? []
  if (runs.some((run) => run.length % 4 !== 0)) return undefined
  return concatBytes(...runs.map((run) => new Uint8Array(Buffer.from(run, 'base64'))))
}

async function within(timeoutMs: number, call: Promise<CallEnd>): Promise<CallEnd> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<CallEnd>((resolve) => {
    timer = setTimeout(() => resolve(failed(grpcCode.deadlineExceeded, 'Deadline exceeded')), timeoutMs)
  })
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What is sent, when that is not too much to be held. */
function holding(response: ServerResponse, end: CallEnd, held: HeldBytes): CallEnd {
  const isTaken = held.takeFor(response, end.response?.length ?? 0)
  return isTaken ? end : failed(grpcCode.resourceExhausted, tooMuchHeld)
}

function send(request: IncomingMessage, response: ServerResponse, isText: boolean, end: CallEnd | undefined): void {
  if (end === undefined || response.headersSent || response.destroyed) return
  const { status, response: message, height } = end
  const trailers = encodeFrame(trailersFlag, utf8ToBytes(trailersText(status)))
  const frames = message === undefined ? trailers : concatBytes(encodeFrame(0, message), trailers)
  const body = isText ? Buffer.from(frames).toString('base64') : frames
  response.writeHead(200, {
    'content-type': isText ? 'application/grpc-web-text+proto' : 'application/grpc-web+proto',
    'content-length': body.length,
    ...(height !== undefined && { [heightHeader]: String(height) }),
    // An answer that does not wait for the end of the body ends the connection too.
    ...(!request.complete && { connection: 'close' }),
  })
  response.end(body)
}

/** As HTTP/1 headers; in the message what is not printable ASCII is percent-encoded. */
function trailersText({ code, message }: GrpcStatus): string {
  const text = [...message.replace(/\p{Surrogate}/gu, '\ufffd')].map(percentEncode).join('')
  return `grpc-status: ${code}\r\n${text === '' ? '' : `grpc-message: ${text}\r\n`}`
}

function percentEncode(character: string): string {
  if (/^[ -$&-~]$/.test(character)) return character
  return [...utf8ToBytes(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
