import type { ServerResponse } from 'node:http'
import { errorBody, type GrpcStatus, httpStatusOf } from './grpc-status.js'

/** Asks for the state of a height, and says which one was read. */
export const heightHeader = 'x-cosmos-block-height'

/** What goes back to the caller. */
export interface Answer {
  /** HTTP status. */
  readonly status: number
  /** JSON text; empty with status 304. */
  readonly body: string
  /** Height of the state that was read, if any was. */
  readonly height?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** The answer for a failed call. `httpStatus` where HTTP has a better one than the gRPC code. */
export function failure(status: GrpcStatus, httpStatus = httpStatusOf(status.code)): Answer {
  return { status: httpStatus, body: errorBody(status) }
}

/** Writes an answer, once; nothing happens when the caller has gone. A HEAD gets everything but the body. */
export function sendAnswer(
  response: ServerResponse,
  { status, body, height, headers }: Answer,
  more: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return
  const at =
    height === undefined ? {} : { [heightHeader]: String(height), [`grpc-metadata-${heightHeader}`]: String(height) }
  if (status === 304) {
    response.writeHead(status, { ...at, ...headers, ...more })
    response.end()
    return
  }
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...at,
    ...headers,
    ...more,
  })
  response.end(bytes)
}
