import { CodedError } from '@coin/base/errors'

/** gRPC status codes that query handlers answer with (grpc/codes). REST maps them to HTTP: 3 -> 400, 5 -> 404, 13 -> 500. */
export const grpcCodes = {
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const

/** Codespace of errors whose `code` is a gRPC status code; only query handlers throw them. */
export const grpcCodespace = 'grpc'

/**
 * A failed query, as `status.Error(code, message)` of grpc-go.
 *
 * @example
 * throw status('notFound', `account ${address} not found`)
 */
export function status(kind: keyof typeof grpcCodes, message: string): CodedError {
  return new CodedError(grpcCodespace, grpcCodes[kind], message)
}

const names: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(grpcCodes).map(([kind, code]) => [code, kind === 'cancelled' ? 'Canceled' : capitalized(kind)]),
)

function capitalized(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1)
}

/** As grpc-go prints it: `rpc error: code = NotFound desc = account x not found`. CosmJS matches on this text. */
export function formatStatus(error: CodedError): string {
  return `rpc error: code = ${names[error.code] ?? 'Unknown'} desc = ${error.message}`
}
