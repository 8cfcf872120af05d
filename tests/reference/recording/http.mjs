import { createHash } from 'node:crypto'

/** Contracts' bytes are never committed: a long string is replaced by its own sha256 and length. */
const stringLengthMax = 20_000

export function redact(value) {
  if (typeof value === 'string' && value.length > stringLengthMax) {
    return `redacted:sha256=${createHash('sha256').update(value).digest('hex')}:length=${value.length}`
  }
  // A crash of the reference: what it says, not where its code stands.
  if (typeof value === 'string' && value.includes('\nstack:\n')) return value.slice(0, value.indexOf('\nstack:\n'))
  if (Array.isArray(value)) return value.map(redact)
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(inner)]))
  }
  return value
}

/** JSON as a value, anything else as text. */
function parsed(text) {
  try {
    return redact(JSON.parse(text))
  } catch {
    return text
  }
}

/** One exchange as it is stored. */
export async function exchange(base, { method = 'GET', path, body, headers }) {
  const answer = await fetch(base + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    method,
    path,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { request: redact(body) }),
    status: answer.status,
    content_type: answer.headers.get('content-type'),
    body: parsed(text),
  }
}

export async function rpc(base, path) {
  const { body } = await exchange(base, { path })
  if (body.error) throw new Error(`${path}: ${JSON.stringify(body.error)}`)
  return body.result
}

/** A JSON-RPC exchange by POST as it is stored. */
export async function rpcCall(base, method, params) {
  const { status, body } = await exchange(base, {
    method: 'POST',
    path: '/',
    body: { jsonrpc: '2.0', id: 7, method, params },
  })
  return { rpc: method, params: redact(params), status, body }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
