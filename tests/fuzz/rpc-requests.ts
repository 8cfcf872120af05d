import type { Random } from '@coin/base/testing/random'
import { type HttpRequest, printable } from './rest-requests.js'
import type { Seeds } from './seeds.js'
import { anyQuery, mutateText, oddText, percentEncode, randomBytes, valueFor } from './values.js'

/** Methods of CometBFT's OpenAPI with their parameters, and those of its WebSocket. */
const methods: Readonly<Record<string, readonly string[]>> = {
  health: [],
  status: [],
  net_info: [],
  genesis: [],
  genesis_chunked: ['chunk'],
  blockchain: ['minHeight', 'maxHeight'],
  block: ['height'],
  block_by_hash: ['hash'],
  block_results: ['height'],
  block_search: ['query', 'page', 'per_page', 'order_by'],
  header: ['height'],
  header_by_hash: ['hash'],
  commit: ['height'],
  validators: ['height', 'page', 'per_page'],
  consensus_params: ['height'],
  consensus_state: [],
  dump_consensus_state: [],
  unconfirmed_txs: ['limit'],
  num_unconfirmed_txs: [],
  tx: ['hash', 'prove'],
  tx_search: ['query', 'prove', 'page', 'per_page', 'order_by'],
  check_tx: ['tx'],
  broadcast_tx_async: ['tx'],
  broadcast_tx_sync: ['tx'],
  broadcast_tx_commit: ['tx'],
  broadcast_evidence: ['evidence'],
  abci_info: [],
  abci_query: ['path', 'data', 'height', 'prove'],
  dial_seeds: ['seeds'],
  unsafe_flush_mempool: [],
  nothing: ['x'],
}

const socketMethods = ['subscribe', 'unsubscribe', 'unsubscribe_all']

const abciPaths = [
  ...[
    '/cosmos.bank.v1beta1.Query/Balance',
    '/cosmos.tx.v1beta1.Service/GetTx',
    '/store/bank/key',
    '/store/wasm/subspace',
  ],
  ...['/app/simulate', '/app/version', '/p2p/filter/id/x', '/custom/x', '/store', 'store/acc/key', '/', ''],
]

function paramOf(name: string, random: Random, seeds: Seeds): unknown {
  if (random.int(8) === 0) return random.pick<unknown>([null, [], {}, true, -1, 1.5, 1e300, '', [[]], { a: 1 }])
  if (name === 'path') return random.pick(abciPaths)
  if (name === 'query') return anyQuery(random, seeds)
  if (name === 'hash')
    return Buffer.from(random.pick([...seeds.hashes, ...seeds.blockHashes]), 'hex').toString('base64')
  if (name === 'prove') return random.int(2) === 0
  if (name === 'tx') return Buffer.from(random.pick(seeds.txs)).toString('base64')
  if (name === 'data') return Buffer.from(randomBytes(random, 40)).toString(random.int(2) === 0 ? 'hex' : 'base64')
  return valueFor(name, random, seeds)
}

/** One call as a JSON value. */
function callOf(random: Random, seeds: Seeds, names: readonly string[]): object {
  const method = random.int(15) === 0 ? oddText(random) : random.pick(names)
  const params = (Object.hasOwn(methods, method) ? methods[method] : undefined) ?? ['query']
  const named = Object.fromEntries(
    params.filter(() => random.int(5) > 0).map((name) => [name, paramOf(name, random, seeds)]),
  )
  return {
    ...(random.int(10) > 0 && { jsonrpc: '2.0' }),
    id: random.int(10) === 0 ? random.pick<unknown>([null, -1, 'x', 1.5, {}, 2 ** 60]) : random.int(1000),
    method,
    params: random.int(4) === 0 ? Object.values(named) : named,
  }
}

const names = Object.keys(methods)

/** A JSON text of one call, a batch, or something near to it. */
export function anyCallText(random: Random, seeds: Seeds, isSocket = false): string {
  const known = isSocket ? [...names, ...socketMethods, ...socketMethods] : names
  const count = random.int(isSocket ? 40 : 8) === 0 ? random.int(12) : 1
  const calls = Array.from({ length: count }, () => callOf(random, seeds, known))
  const text = JSON.stringify(count === 1 && random.int(isSocket ? 30 : 6) > 0 ? calls[0] : calls)
  return random.int(5) === 0 ? mutateText(random, text) : text
}

/** As a POST, or by URI. */
export function anyRpcRequest(random: Random, seeds: Seeds): HttpRequest {
  if (random.int(3) > 0) {
    const body =
      random.int(25) === 0 ? randomBytes(random, 300) : new Uint8Array(Buffer.from(anyCallText(random, seeds)))
    const path = random.int(20) === 0 ? `/${printable(oddText(random))}` : '/'
    return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body }
  }
  const method = random.pick(names)
  const parts = methods[method]!.filter(() => random.int(5) > 0).map((name) => {
    const value = paramOf(name, random, seeds)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const form = random.pick([text, `"${text}"`, `0x${Buffer.from(text).toString('hex')}`])
    return `${name}=${percentEncode(form)}`
  })
  const path = `/${method}${parts.length > 0 ? `?${parts.join('&')}` : ''}`
  return {
    method: 'GET',
    path: random.int(6) === 0 ? `/${printable(mutateText(random, path).slice(1))}` : path,
    headers: {},
  }
}
