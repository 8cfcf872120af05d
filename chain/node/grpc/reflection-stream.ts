import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import { ServerReflectionRequest, ServerReflectionResponse } from '@coin/wire/gen/grpc/reflection/v1/reflection'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import { type GrpcStatus, grpcCode, statusOf } from '../rest/grpc-status.js'
import type { Reflection } from './reflection.js'
import { unreadableStatus } from './unary-calls.js'

/** Answers one stream of reflection requests in order, no faster than its caller reads. */
export function serveReflection(stream: ServerDuplexStream<Bytes, Bytes>, reflection: Reflection, log: Logger): void {
  const sent = new Set<string>()
  let failed = false
  const fail = ({ code, message }: GrpcStatus) => {
    failed = true
    stream.emit('error', { code, details: message })
  }
  stream.on('data', (bytes: Bytes) => {
    if (failed) return
    let request: ServerReflectionRequest
    try {
      request = ServerReflectionRequest.decode(bytes)
    } catch (error) {
      fail(unreadableStatus(error))
      return
    }
    try {
      const response = ServerReflectionResponse.encode(reflection.respond(request, sent)).finish()
      if (stream.write(response)) return
      stream.pause()
      stream.once('drain', () => stream.resume())
    } catch (error) {
      const expected = statusOf(error)
      if (expected === undefined) log.error({ error: String(error) }, 'a reflection call failed')
      fail(expected ?? { code: grpcCode.internal, message: 'internal error' })
    }
  })
  stream.on('end', () => {
    if (!failed) stream.end()
  })
}
