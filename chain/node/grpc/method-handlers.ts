import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServerDuplexStream,
  type ServerUnaryCall,
} from '@grpc/grpc-js'
import { heightHeader } from '../rest/answer.js'
import type { GrpcStatus } from '../rest/grpc-status.js'
import { type Reflection, reflectionServices } from './reflection.js'
import { serveReflection } from './reflection-stream.js'
import type { UnaryCalls } from './unary-calls.js'

/** What grpc-js keeps of a method. */
interface Handler {
  readonly path: string
  readonly type: 'unary' | 'bidi'
  readonly func: handleUnaryCall<Bytes, Bytes> | handleBidiStreamingCall<Bytes, Bytes>
  serialize(response: Bytes): Buffer
  deserialize(request: Buffer): Bytes
}

/** Messages go through as bytes: the services decode them. Copied, because the library's stand in memory that others share. */
const asBytes = {
  serialize: (response: Bytes) => Buffer.from(response.buffer, response.byteOffset, response.byteLength),
  deserialize: (request: Buffer): Bytes => new Uint8Array(request),
}

/** The handler of every path, also of those that are not served. */
export function createMethodHandlers(
  calls: UnaryCalls,
  reflection: Reflection,
  log: Logger,
): { get(path: string): Handler } {
  const known = new Map<string, Handler>()
  for (const service of reflectionServices) {
    const path = `/${service}/ServerReflectionInfo`
    const func: handleBidiStreamingCall<Bytes, Bytes> = (stream) => serveReflection(stream, reflection, log)
    known.set(path, { path, type: 'bidi', func, ...asBytes })
  }
  return {
    get(path) {
      const handler = known.get(path)
      if (handler !== undefined) return handler
      const refusal = calls.refusal(path)
      // Only paths that are served are remembered: callers can make up any number of others.
      if (refusal !== undefined) return refusing(path, refusal)
      const added: Handler = { path, type: 'unary', func: unaryFunction(path, calls), ...asBytes }
      known.set(path, added)
      return added
    },
  }
}

/** Ends the call at once, whatever the caller is going to send. */
function refusing(path: string, { code, message }: GrpcStatus): Handler {
  const func = (stream: ServerDuplexStream<Bytes, Bytes>) => void stream.emit('error', { code, details: message })
  return { path, type: 'bidi', func, ...asBytes }
}

function unaryFunction(path: string, calls: UnaryCalls): handleUnaryCall<Bytes, Bytes> {
  return (call, reply) => {
    if (call.cancelled) return
    void calls.call(path, call.request, heightOf(call)).then(({ response, status, height }) => {
      if (call.cancelled) return
      if (height !== undefined) call.sendMetadata(heightMetadata(height))
      if (response === undefined) reply({ code: status.code, details: status.message })
      else reply(null, response)
    })
  }
}

function heightOf({ metadata }: ServerUnaryCall<Bytes, Bytes>): string | undefined {
  const given = metadata.get(heightHeader)
  return given.length === 0 ? undefined : String(given[0])
}

function heightMetadata(height: number): Metadata {
  const metadata = new Metadata()
  metadata.set(heightHeader, String(height))
  return metadata
}
