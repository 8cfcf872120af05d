import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import { toJsonText } from './comet-json.js'
import { RpcFailure, type RpcMethods } from './method.js'
import { paramErrors, readJsonParams } from './params.js'

/** Codes of JSON-RPC 2.0, as CometBFT uses them. */
export const rpcCodes = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603 } as const

const messages: Readonly<Record<number, string>> = {
  [rpcCodes.parse]: 'Parse error. Invalid JSON',
  [rpcCodes.request]: 'Invalid Request',
  [rpcCodes.method]: 'Method not found',
  [rpcCodes.params]: 'Invalid params',
  [rpcCodes.internal]: 'Internal error',
}

/** A request's id comes back as it was; `undefined` asks for no answer. */
export type RequestId = string | number | undefined

export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":${result}}`
}

export function errorText(id: RequestId, code: number, data?: string): string {
  const error = { code, message: messages[code]!, ...(data !== undefined && { data }) }
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${JSON.stringify(id)},`}"error":${toJsonText(error)}}`
}

/** What went wrong in a method, for the client. A bug is logged and told without its details. */
export function failureOf(error: unknown, log: Logger): { readonly code: number; readonly data: string } {
  if (error instanceof CodedError) {
    const isParams = error.codespace === 'rpc' && error.code === paramErrors.badParams.code
    return { code: isParams ? rpcCodes.params : rpcCodes.internal, data: error.message }
  }
  if (error instanceof RpcFailure) return { code: rpcCodes.internal, data: error.message }
  log.error({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }, 'an RPC method failed')
  return { code: rpcCodes.internal, data: 'the node failed to answer; its log says why' }
}

/** A request that is well formed so far. */
export interface RpcRequest {
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
}

/** Reads one request of a body. Answers an error's text when it is none. */
export function readRequest(value: unknown): RpcRequest | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return errorText(undefined, rpcCodes.request, 'a request is a JSON object')
  const { id, method, params } = value as Readonly<Record<string, unknown>>
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number')
    return errorText(undefined, rpcCodes.request, 'id is a string or a number')
  const known = id === null ? undefined : (id as RequestId)
  if (typeof method !== 'string' || method === '') return errorText(known, rpcCodes.request, 'method is missing')
  return { id: known, method, params }
}

/** Runs one request and answers its text; `undefined` for a notification, which runs nothing (as CometBFT). */
export async function answerRequest(methods: RpcMethods, request: unknown, log: Logger): Promise<string | undefined> {
  const read = readRequest(request)
  if (typeof read === 'string') return read
  const { id, method: name, params } = read
  if (id === undefined) return undefined
  const method = methods.get(name)
  if (method === undefined) return errorText(id, rpcCodes.method)
  try {
    return resultText(id, await method.run(readJsonParams(method.params, params)))
  } catch (error) {
    const { code, data } = failureOf(error, log)
    return errorText(id, code, data)
  }
}
