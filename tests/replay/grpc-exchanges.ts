import { equalBytes } from '@coin/base/bytes'
import { chainJson } from '@coin/wire/json'
import { codecOf, descriptors } from '@coin/wire/registry'
import { ourHeight } from './exchanges.js'
import type { GrpcExchange, JsonRecord, JsonValue, ReflectionExchange } from './vectors.js'

/** How a call ended; `response` is base64. */
export type GrpcAnswer = Omit<GrpcExchange, 'path' | 'request' | 'metadata'>

export interface GrpcClient {
  close(): void
}

/** The recorder's own way to ask. */
interface Asking {
  createGrpcClient(address: string): GrpcClient
  callGrpc(client: GrpcClient, call: Pick<GrpcExchange, 'path' | 'request' | 'metadata'>): Promise<GrpcAnswer>
  reflect(client: GrpcClient, version: string, request: JsonRecord): Promise<JsonRecord>
}

/** From tests/dist/replay. */
export const asking = async (): Promise<Asking> =>
  (await import(new URL('../../reference/recording/grpc.mjs', import.meta.url).href)) as Asking

const heightHeader = 'x-cosmos-block-height'
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The same request with the height of this chain in it. */
function ourRequest({ path, request }: GrpcExchange): string {
  const method = descriptors().method(path)
  if (method === undefined || !/Height$|WithTxs$/.test(method.name)) return request
  const codec = codecOf(method.input)
  const asked = codec.decode(new Uint8Array(Buffer.from(request, 'base64'))) as { readonly height: bigint }
  return base64(codec.encode({ ...asked, height: BigInt(ourHeight(String(asked.height))) }).finish())
}

/** Block 2 is the last one there without a transaction; here that is block 1. */
const ourMetadata = (metadata: Readonly<Record<string, string>>) =>
  metadata[heightHeader] === '2' ? { [heightHeader]: '1' } : metadata

export async function askGrpc(client: GrpcClient, exchange: GrpcExchange): Promise<GrpcAnswer> {
  const { callGrpc } = await asking()
  const { path, metadata } = exchange
  const request = ourRequest(exchange)
  return callGrpc(
    client,
    metadata === undefined ? { path, request } : { path, request, metadata: ourMetadata(metadata) },
  )
}

/** An answer with its response as JSON; bytes that these protobuf types do not say whole stay bytes. */
export function readable(path: string, answer: GrpcAnswer): JsonValue {
  const { code, message, headers, trailers, response } = answer
  return { code, message, headers, trailers, response: response === null ? null : responseOf(path, response) }
}

function responseOf(path: string, response: string): JsonValue {
  const method = descriptors().method(path)
  if (method === undefined || response.startsWith('redacted:')) return response
  const codec = codecOf(method.output)
  const bytes = new Uint8Array(Buffer.from(response, 'base64'))
  const message = codec.decode(bytes) as object
  // Bytes that these types do not say whole.
  if (!equalBytes(codec.encode(message).finish(), bytes)) return `not whole: ${response}`
  return JSON.parse(chainJson().stringify(method.output, message)) as JsonValue
}

/** An answer of `abci_query` with the response of a gRPC method as JSON. */
export function withReadableValue(path: string, body: JsonValue): JsonValue {
  const { result } = body as { readonly result?: { readonly response?: JsonRecord } }
  const { response } = result ?? {}
  if (response === undefined || typeof response.value !== 'string') return body
  return { ...(body as JsonRecord), result: { response: { ...response, value: responseOf(path, response.value) } } }
}

/** `Balance {"address":"wasm1...","denom":"ucosm"} at height 2` */
export function grpcName({ path, request, metadata }: GrpcExchange): string {
  const height = metadata?.[heightHeader]
  return `gRPC ${path} ${requestText(path, request)}${height === undefined ? '' : ` at height ${height}`}`
}

function requestText(path: string, request: string): string {
  const method = descriptors().method(path)
  try {
    if (method === undefined) return request
    const message = codecOf(method.input).decode(new Uint8Array(Buffer.from(request, 'base64'))) as object
    return chainJson().stringify(method.input, message)
  } catch {
    return request
  }
}

export const reflectionName = ({ request }: ReflectionExchange): string => `gRPC reflection ${JSON.stringify(request)}`
