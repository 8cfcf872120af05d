import type { CodedError } from '@coin/base/errors'
import { status } from '@coin/runtime/status'

/** The caller's mistake: HTTP 400. */
export const invalidArgument = (message: string): CodedError => status('invalidArgument', message)

/** HTTP 404. */
export const notFound = (message: string): CodedError => status('notFound', message)

/** Not now: HTTP 503. */
export const unavailable = (message: string): CodedError => status('unavailable', message)
