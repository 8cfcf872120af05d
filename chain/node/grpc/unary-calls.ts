import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import { codecOf, descriptors } from '@coin/wire/registry'
import type { AppQueries } from '../ports.js'
import { type GrpcStatus, grpcCode, statusOf } from '../rest/grpc-status.js'
import { readHeightText } from '../services/heights.js'
import type { Services } from '../services/service.js'
import { callService } from '../services.js'

export interface CallDependencies {
  readonly services: Services
  readonly app: AppQueries
  readonly log: Logger
}

/** How a call ended. */
export interface CallEnd {
  /** Only when `status.code` is 0. */
  readonly response?: Bytes
  readonly status: GrpcStatus
  /** Height of the state that was read; left out when none was. */
  readonly height?: number
}

/** Every method that the node serves, bytes in and bytes out, for gRPC and gRPC-Web alike. */
export interface UnaryCalls {
  /** Why a path cannot be called, in grpc-go's words; undefined when it can. */
  refusal(path: string): GrpcStatus | undefined
  /** `height` is the text of `x-cosmos-block-height`. Never throws: what goes wrong is a status. */
  call(path: string, request: Bytes, height: string | undefined): Promise<CallEnd>
  /** Full names of what is served, in order. */
  serviceNames(): readonly string[]
}

const ok: GrpcStatus = { code: grpcCode.ok, message: '' }

export function createUnaryCalls({ services, app, log }: CallDependencies): UnaryCalls {
  const paths = new Set([...services.keys(), ...app.methods()])
  const names = new Set([...paths].map((path) => splitPath(path)!.service))

  async function run(path: string, request: Bytes, height: number | undefined): Promise<CallEnd> {
    const response = await callService(services, path, request, { height, given: new Set() })
    if (response !== undefined) return { response, status: ok, height: height ?? app.height() }
    const answer = await app.query(path, request, height)
    return { response: answer.response, status: ok, height: answer.height }
  }

  function statusFor(path: string, error: unknown): GrpcStatus {
    const expected = statusOf(error)
    if (expected === undefined) {
      const text = error instanceof Error ? error.stack : String(error)
      log.error({ path, error: text }, 'a gRPC call failed')
      return { code: grpcCode.internal, message: 'internal error' }
    }
    return expected
  }

  return {
    refusal: (path) => (paths.has(path) ? undefined : notServed(path, names)),
    serviceNames: () => [...names].sort(),
    async call(path, request, heightText) {
      let height: number | undefined
      try {
        height = readHeightText(heightText, app.height())
      } catch (error) {
        return { status: statusFor(path, error) }
      }
      try {
        return await run(path, request, height)
      } catch (error) {
        const status = statusFor(path, error)
        const unread = unreadable(path, request)
        return unread === undefined ? { status, height: height ?? app.height() } : { status: unread }
      }
    },
  }
}

function splitPath(path: string): { readonly service: string; readonly method: string } | undefined {
  const end = path.lastIndexOf('/')
  return end <= 0 ? undefined : { service: path.slice(1, end), method: path.slice(end + 1) }
}

/** grpc-go tells an unknown service from an unknown method. */
function notServed(path: string, services: ReadonlySet<string>): GrpcStatus {
  const parts = splitPath(path)
  const code = grpcCode.unimplemented
  if (parts === undefined) return { code, message: `malformed method name: ${JSON.stringify(path)}` }
  if (!services.has(parts.service)) return { code, message: `unknown service ${parts.service}` }
  return { code, message: `unknown method ${parts.method} for service ${parts.service}` }
}

/** When the request itself is not protobuf, gRPC says so before anything else; its code differs from that of REST. */
function unreadable(path: string, request: Bytes): GrpcStatus | undefined {
  const method = descriptors().method(path)
  if (method === undefined) return undefined
  try {
    codecOf(method.input).decode(request)
    return undefined
  } catch (error) {
    return unreadableStatus(error)
  }
}

/** As grpc-go calls a message that it cannot decode. */
export function unreadableStatus(error: unknown): GrpcStatus {
  const reason = error instanceof Error ? error.message : String(error)
  return { code: grpcCode.internal, message: `grpc: error unmarshalling request: ${reason}` }
}
