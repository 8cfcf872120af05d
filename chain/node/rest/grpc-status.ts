import { CodedError } from '@coin/base/errors'
import { grpcCodespace } from '@coin/runtime/status'
import { chainJson } from '@coin/wire/json'
import { DetailedError, type ErrorDetail } from '../services/service-errors.js'

/** A failed call as gRPC and REST show it. */
export interface GrpcStatus {
  /** google.rpc.Code: 3 invalid argument, 5 not found, 13 internal ... */
  readonly code: number
  readonly message: string
  /** Packed messages of types that this chain knows. */
  readonly details?: readonly ErrorDetail[]
}

export const grpcCode = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

/** Codespaces of errors about what the caller sent: bytes, text, addresses, numbers. */
const callerCodespaces = new Set(['bytes', 'wire', 'protobuf'])

/** ABCI codes of the `sdk` codespace that have a gRPC code of their own, as in the SDK's client. */
const sdkCodes: ReadonlyMap<number, number> = new Map([
  [4, grpcCode.unauthenticated], // unauthorized
  [7, grpcCode.invalidArgument], // invalid address
  [18, grpcCode.invalidArgument], // invalid request
  [22, grpcCode.notFound], // key not found
  [26, grpcCode.invalidArgument], // invalid height
  [38, grpcCode.notFound], // not found
])

/** `undefined` for what is no expected error: our own bug, which the caller must not see the inside of. */
export function statusOf(error: unknown): GrpcStatus | undefined {
  if (!(error instanceof CodedError)) return undefined
  const status = { code: codeOf(error), message: error.message }
  return error instanceof DetailedError ? { ...status, details: error.details } : status
}

function codeOf({ codespace, code }: CodedError): number {
  if (codespace === grpcCodespace) return code
  if (callerCodespaces.has(codespace)) return grpcCode.invalidArgument
  return (codespace === 'sdk' ? sdkCodes.get(code) : undefined) ?? grpcCode.unknown
}

const httpCodes: Readonly<Record<number, number>> = {
  0: 200,
  1: 408,
  2: 500,
  3: 400,
  4: 504,
  5: 404,
  6: 409,
  7: 403,
  8: 429,
  9: 400,
  10: 409,
  11: 400,
  12: 501,
  13: 500,
  14: 503,
  15: 500,
  16: 401,
}

/** grpc-gateway's HTTP status for a gRPC code. */
export function httpStatusOf(code: number): number {
  return httpCodes[code] ?? 500
}

/** The error body: `{"code":5,"message":"...","details":[]}`. */
export function errorBody({ code, message, details = [] }: GrpcStatus): string {
  const printed = details.map((detail) => chainJson().stringify('google.protobuf.Any', detail))
  return `${JSON.stringify({ code, message }).slice(0, -1)},"details":[${printed.join(',')}]}`
}
