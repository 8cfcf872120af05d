import { type Bytes, bytesToHex } from '@coin/base/bytes'
import { decodeBase64 } from '@coin/wire/base64'
import type { Json } from '@coin/wire/json'
import { nodeErrors } from '../../errors.js'

type JsonObject = { readonly [key: string]: Json }

/** What the command line asks of a node's RPC; a Go node answers it as well. */
export interface RpcClient {
  readonly url: string
  /** The result of one call. Throws `rpcFailed` when nobody answers, `queryFailed` when the answer is an error. */
  call(method: string, params: JsonObject): Promise<JsonObject>
  /** Bytes that a gRPC query answers, through abci_query, after block `height` or the last. Throws `queryFailed`. */
  query(path: string, request: Bytes, height?: number): Promise<Bytes>
}

const timeoutMs = 30_000

/** What Go puts before the words of a gRPC error, once for each server that passed it on. */
const grpcPrefix = /^(?:rpc error: code = \w+ desc = )+/

/** `node` is `tcp://host:port`, `http(s)://...` or `host:port`. Throws `badFlag`. */
export function createRpcClient(node: string): RpcClient {
  const url = rpcUrl(node)
  async function call(method: string, params: JsonObject): Promise<JsonObject> {
    let answer: { readonly result?: JsonObject; readonly error?: { readonly message?: string; readonly data?: string } }
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      answer = (await response.json()) as typeof answer
    } catch (error) {
      throw unreachable(url, error)
    }
    if (answer.error !== undefined) {
      const { message = 'error', data = '' } = answer.error
      throw nodeErrors.queryFailed(`${url} ${method}: ${message}${data === '' ? '' : `: ${data}`}`)
    }
    if (typeof answer.result !== 'object' || answer.result === null)
      throw nodeErrors.rpcFailed(`${url} is not the RPC of a node, which is usually on port 26657`)
    return answer.result
  }
  async function query(path: string, request: Bytes, height = 0): Promise<Bytes> {
    const params = { path, data: bytesToHex(request), height: String(height), prove: false }
    const { response } = await call('abci_query', params)
    const {
      code = 0,
      log = '',
      value = null,
    } = (response ?? {}) as { code?: number; log?: string; value?: string | null }
    if (code !== 0) throw nodeErrors.queryFailed(`${path}: ${log.replace(grpcPrefix, '')} (code ${code})`)
    return typeof value === 'string' ? decodeBase64(value) : new Uint8Array(0)
  }
  return { url, call, query }
}

/** Nobody answers at `url`: says who was asked, why it failed and what to do. */
export function unreachable(url: string, error: unknown): Error {
  return nodeErrors.rpcFailed(`${url}: ${reasonOf(error)}; does a node run there? --node names another`)
}

function rpcUrl(node: string): string {
  const withScheme = node.includes('://') ? node.replace(/^tcp:/, 'http:') : `http://${node}`
  try {
    const url = new URL(withScheme)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url.href
  } catch {
    // told below
  }
  throw nodeErrors.badFlag(`--node "${node}", expected a URL like tcp://localhost:26657`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? (error.cause as Error & { code?: string }) : undefined
  const { code } = error as Error & { code?: unknown }
  return cause?.code ?? cause?.message ?? (typeof code === 'string' ? code : error.message)
}
