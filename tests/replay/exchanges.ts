import { callRpc, type NodeProcess } from '../process/node-process.js'
import type { JsonRecord, JsonValue, RestExchange, RpcExchange } from './vectors.js'
import { facts } from './vectors.js'

/** This chain has no blocks without transactions between the first and the last: what stood in block 4 stands in block 2. */
const heightShift = 2
/** Blocks of the recording that hold its transactions. */
const firstTxHeight = 4
const lastTxHeight = 34

/** The height here of what stood at a recorded height. */
export const ourHeight = (recorded: string): string => {
  const height = Number(recorded)
  return height >= firstTxHeight && height <= lastTxHeight ? String(height - heightShift) : recorded
}

const heightFields = new Set(['height', 'block_height'])

/** A recorded answer with the heights of this chain. */
export function withOurHeights(value: JsonValue, field = ''): JsonValue {
  if (typeof value === 'string') return heightFields.has(field) ? ourHeight(value) : value
  if (Array.isArray(value)) return value.map((item) => withOurHeights(item, field))
  if (field === 'last_commit') return beforeOurs(value as JsonRecord)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as JsonRecord).map(([name, inner]) => [name, withOurHeights(inner, name)]),
  )
}

/** The commit of the block before a recorded one, which may be one before the first transaction. */
function beforeOurs(commit: JsonRecord): JsonRecord {
  const height = Number(ourHeight(String(Number(commit.height) + 1))) - 1
  return { ...commit, height: String(height) }
}

/** Contracts' bytes are never kept in a recording: a long string stands there as its hash and length. */
const redactedLength = 20_000

async function redact(value: JsonValue): Promise<JsonValue> {
  if (typeof value === 'string' && value.length > redactedLength) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
    return `redacted:sha256=${Buffer.from(digest).toString('hex')}:length=${value.length}`
  }
  if (Array.isArray(value)) return Promise.all(value.map(redact))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value as JsonRecord).map(async ([name, inner]) => [name, await redact(inner)] as const)
  return Object.fromEntries(await Promise.all(fields))
}

export interface Answered {
  readonly status: number
  readonly content_type: string | null
  readonly body: JsonValue
}

/** The same answer as it is recorded: JSON as a value, anything else as text. */
async function recordAnswer(response: Response): Promise<Answered> {
  const text = await response.text()
  const answer = { status: response.status, content_type: response.headers.get('content-type') }
  try {
    return { ...answer, body: await redact(JSON.parse(text) as JsonValue) }
  } catch {
    return { ...answer, body: text }
  }
}

/** `/blocks/4` asks for the block of the first transaction, wherever that is. */
function ourPath(path: string): string {
  return path
    .replace(
      /(\/blocks\/|\/txs\/block\/|\?height=)([1-9]\d*)(?=$|[?&])/,
      (_, before: string, height: string) => before + ourHeight(height),
    )
    .replace(/tx\.height%3E3/, 'tx.height%3E1')
}

/** Asks this node what the reference was asked. */
export async function askRest(node: NodeProcess, { method, path, headers, request }: RestExchange): Promise<Answered> {
  const before = Number(headers?.['x-cosmos-block-height'] ?? 0) === 2 ? { 'x-cosmos-block-height': '1' } : headers
  const body = request === undefined ? {} : { body: typeof request === 'string' ? request : JSON.stringify(request) }
  const type: Record<string, string> = request === undefined ? {} : { 'content-type': 'application/json' }
  return recordAnswer(await fetch(node.rest + ourPath(path), { method, headers: { ...type, ...before }, ...body }))
}

const ourQuery = (query: string): string =>
  query.replace(/(height[<>]?=?)(\d+)/g, (_, before: string, height: string) => before + ourHeight(height))

async function ourParams(node: NodeProcess, { params }: RpcExchange): Promise<object> {
  if (params?.hash === firstTxBlockHash.toString('base64')) {
    return { hash: (await ourBlockHash(node)).toString('base64') }
  }
  const moved = withOurHeights(params ?? {}) as Record<string, JsonValue>
  const { query } = moved
  if (typeof query === 'string') moved.query = ourQuery(query)
  return moved
}

/** Of the block that holds the first transaction, there and here. */
const firstTxBlockHash = Buffer.from(facts().bankSendBlockHash, 'hex')

async function ourBlockHash(node: NodeProcess): Promise<Buffer> {
  const height = ourHeight(String(firstTxHeight))
  const { block_id } = await callRpc<{ block_id: { hash: string } }>(node.rpc, 'block', { height })
  return Buffer.from(block_id.hash, 'hex')
}

export async function askRpc(node: NodeProcess, exchange: RpcExchange): Promise<Answered> {
  const { rpc } = exchange
  const [, verb, path, body] = /^(GET|POST|PUT) (\S+) ?(.*)$/.exec(rpc) ?? []
  if (verb !== undefined) {
    const asked = ourQuery(ourPath(path!)).replace(
      facts().bankSendBlockHash,
      (await ourBlockHash(node)).toString('hex').toUpperCase(),
    )
    const headers: Record<string, string> = verb === 'POST' ? { 'content-type': 'application/json' } : {}
    return recordAnswer(
      await fetch(node.rpc + asked, { method: verb, headers, ...(verb === 'POST' ? { body: body! } : {}) }),
    )
  }
  const call = { jsonrpc: '2.0', id: 7, method: rpc, params: await ourParams(node, exchange) }
  return recordAnswer(
    await fetch(node.rpc, {
      method: 'POST',
      body: JSON.stringify(call),
      headers: { 'content-type': 'application/json' },
    }),
  )
}
