import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import { toJsonText } from './comet-json.js'
import { failure, type RpcMethods } from './method.js'
import { type AnyParams, readJsonParams } from './params.js'

/** Codes of JSON-RPC 2.0, as CometBFT uses them. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  server: -32000,
} as const

export type RpcCode = (typeof rpcCodes)[keyof typeof rpcCodes]

const messages: Readonly<Record<RpcCode, string>> = {
  [rpcCodes.parse]: 'Parse error. Invalid JSON',
  [rpcCodes.request]: 'Invalid Request',
  [rpcCodes.method]: 'Method not found',
  [rpcCodes.params]: 'Invalid params',
  [rpcCodes.internal]: 'Internal error',
  [rpcCodes.server]: 'Server error',
}

/** A request's id comes back as it was; numbers without their fraction. */
export type RequestId = string | number

/** Id of what is called by URI, where a request has none. */
export const uriId = -1

export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${toJsonText(id)},"result":${result}}`
}

/** `id` undefined where the request could not be read. */
export function errorText(id: RequestId | undefined, code: RpcCode, data?: string): string {
  const error = { code, message: messages[code], ...(data !== undefined && { data }) }
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${toJsonText(id)},`}"error":${toJsonText(error)}}`
}

/** What went wrong in a method, for the client. A bug is logged and told without its details. */
export function reasonOf(error: unknown, log: Logger): string {
  if (error instanceof CodedError) return error.message
  log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'an RPC method failed')
  return 'the node failed to answer; its log says why'
}

/** A request; without an id it is a notification, which CometBFT neither runs nor answers. */
export interface RpcRequest {
  readonly id: RequestId | undefined
  readonly method: string
  readonly params: unknown
}

const notification: RpcRequest = { id: undefined, method: '', params: undefined }

/** Reads the JSON of one request. Throws what CometBFT answers as a parse error. */
export function readRequest(value: unknown): RpcRequest {
  const bad = (what: string) => failure(`error unmarshaling request: ${what}`)
  if (value === null) return notification
  if (typeof value !== 'object' || Array.isArray(value)) throw bad('a request is a JSON object')
  const { id, method = '', params } = value as Readonly<Record<string, unknown>>
  if (id === undefined || id === null) return notification
  if (typeof id !== 'string' && typeof id !== 'number') throw bad('id is neither a string nor a number')
  if (typeof method !== 'string') throw bad('method is not a string')
  return { id: typeof id === 'number' ? Math.trunc(id) : id, method, params }
}

/** Reads JSON text; throws as `readRequest`. */
export function parseRequests(text: string): readonly RpcRequest[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw failure(`error unmarshaling request: ${(error as Error).message}`)
  }
  return Array.isArray(value) ? value.map(readRequest) : [readRequest(value)]
}

export interface RequestContext {
  readonly log: Logger
  /** Aborted when the client has left. */
  readonly gone: AbortSignal
  /** The code for wrong parameters. */
  readonly badParams: RpcCode
}

export interface RpcAnswer {
  readonly text: string
  /** For a day, as CometBFT says. Failures are not, other than there: they may be over in a moment. */
  readonly isCacheable: boolean
}

/** Runs one request; `undefined` for a notification. */
export async function answerRequest(
  methods: RpcMethods,
  request: RpcRequest,
  { log, gone, badParams }: RequestContext,
): Promise<RpcAnswer | undefined> {
  const { id } = request
  if (id === undefined) return undefined
  const method = methods.get(request.method)
  const failed = (code: RpcCode, data?: string): RpcAnswer => ({ text: errorText(id, code, data), isCacheable: false })
  if (method === undefined) return failed(rpcCodes.method)
  let params: AnyParams
  try {
    params = readJsonParams(method.params, request.params)
  } catch (error) {
    return failed(badParams, `error converting json params to arguments: ${reasonOf(error, log)}`)
  }
  try {
    return { text: resultText(id, await method.run(params, gone)), isCacheable: method.isCacheable(params) }
  } catch (error) {
    return failed(rpcCodes.internal, reasonOf(error, log))
  }
}
