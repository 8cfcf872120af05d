import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { grpcCodespace, status } from '@coin/runtime/status'

/** The caller's mistake: HTTP 400. */
export const invalidArgument = (message: string): CodedError => status('invalidArgument', message)

/** HTTP 404. */
export const notFound = (message: string): CodedError => status('notFound', message)

/** Not now: HTTP 503. */
export const unavailable = (message: string): CodedError => status('unavailable', message)

/** A packed message, as `google.rpc.Status` carries it. */
export interface ErrorDetail {
  readonly typeUrl: string
  readonly value: Bytes
}

/** A failure with more than words: `details` of the REST body and of gRPC's status. */
export class DetailedError extends CodedError {
  readonly details: readonly ErrorDetail[]

  constructor(code: number, message: string, details: readonly ErrorDetail[]) {
    super(grpcCodespace, code, message)
    this.details = details
  }
}
