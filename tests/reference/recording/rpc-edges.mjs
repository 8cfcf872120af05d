// Odd requests to CometBFT's RPC, and what is worth comparing of the answers. Used by the recorder and by the test.

const methods =
  'health status net_info blockchain genesis genesis_chunked block block_by_hash block_results commit header header_by_hash check_tx tx ' +
  'tx_search block_search validators dump_consensus_state consensus_state consensus_params unconfirmed_txs num_unconfirmed_txs ' +
  'broadcast_tx_sync broadcast_tx_async abci_query abci_info broadcast_evidence subscribe unsubscribe unsubscribe_all nothing websocket'
const heights = '5 "5" 0 -1 1 abc "abc" 1e30 999999999 0x5 5.5 %205 \'5\' 00005 +5 99999999999999999999 "" null true'
const hashes = ['HASH', '0xHASH', '"HASH"', '0xLOWER', '0x', '0xabc', '0xab', 'abc', '"abc"', '""', '0xzz']
const queries = [
  '',
  '""',
  'tx.height=5',
  '"block.height=5"',
  '"a"',
  '"a=\'b"',
  '0x626c6f636b2e6865696768743d35',
  `"${'x'.repeat(600)}"`,
]
const pages =
  'page=0 page=1 page=-1 page=1000000 per_page=0 per_page=1 per_page=101 per_page=-3 order_by="asc" order_by="desc" order_by="x" ' +
  'order_by=asc page=abc per_page="2"'
const ranges =
  'minHeight=1&maxHeight=3 minHeight=3&maxHeight=1 minHeight=-1 maxHeight=99999999 minHeight=0&maxHeight=0 minHeight=99999999 ' +
  'minHeight=2&maxHeight=2 minHeight="1"&maxHeight="2"'
const bodies = [
  '{',
  'null',
  '5',
  '"x"',
  '[]',
  '[{}]',
  '[null]',
  '[1]',
  '{}',
  'true',
  '[[]]',
  '{"id":1}',
  '{"id":1,"method":5}',
]
const ids = [1, 'a', 0, -1, 1.5, null, '', true, {}, [], '\u2028<']
const jsonHeights = ['5', 'abc', null, true, {}, [], 5.5, '5.5', '0x5', '', '05', '0', '-1', '999999999']
const evidences = [null, {}, 5, { type: 'x', value: {} }]

const call = (method, params, id = 1) => ({ jsonrpc: '2.0', id, method, params })

/** Requests for a node; hashes in them are of its block 5. */
export async function listEdges(url) {
  const { result } = await (await fetch(`${url}/block?height=5`)).json()
  const { hash } = result.block_id
  const filled = (text) => text.replaceAll('HASH', hash).replaceAll('LOWER', hash.toLowerCase())
  const edges = []
  const get = (path) => edges.push({ name: `GET ${path}`, path: filled(path) })
  const post = (body, path = '/') => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    edges.push({ name: `POST ${path} ${text}`, path, body: filled(text) })
  }
  for (const method of methods.split(' ')) get(`/${method}`)
  for (const height of heights.split(' '))
    for (const method of ['block', 'commit', 'validators', 'header', 'consensus_params', 'block_results'])
      get(`/${method}?height=${height}`)
  for (const hash of hashes)
    for (const method of ['block_by_hash', 'header_by_hash', 'tx']) get(`/${method}?hash=${hash}`)
  for (const query of queries)
    for (const method of ['tx_search', 'block_search']) get(`/${method}?query=${encodeURIComponent(query)}`)
  for (const page of pages.split(' ')) get(`/block_search?query="block.height>1"&${page}`)
  for (const range of ranges.split(' ')) get(`/blockchain?${range}`)
  for (const chunk of ['0', '1', '-1', '"0"', 'x']) get(`/genesis_chunked?chunk=${chunk}`)
  for (const path of ['/x/y', '/status/', '//status', '/status?x=1']) get(path)
  for (const evidence of ['{}', 'null', '"x"', '5']) get(`/broadcast_evidence?evidence=${evidence}`)
  for (const tx of ['abc', '0xzz', "'abc'"])
    for (const method of ['check_tx', 'broadcast_tx_sync']) get(`/${method}?tx=${tx}`)
  for (const body of bodies) post(body)
  for (const id of ids) post(call('health', {}, id))
  for (const height of jsonHeights) for (const method of ['block', 'validators']) post(call(method, { height }))
  for (const params of [['5'], [], ['5', 1], 'x', 5, { other: 1 }, [null]]) post(call('block', params))
  for (const evidence of evidences) post(call('broadcast_evidence', { evidence }))
  for (const tx of ['abc', '!!', 5]) post(call('broadcast_tx_sync', { tx }))
  for (const method of ['nothing', 'subscribe', 'dump_consensus_state', 'consensus_state', 'net_info'])
    post(call(method, {}))
  post([call('health', {}, 1), call('nothing', {}, 2), { method: 'health' }])
  post([call('block', { height: '5' }, 1), call('genesis_chunked', {}, 2)])
  post([call('block', { height: '5' }, 1), call('health', {}, 2)])
  post(Array.from({ length: 11 }, (_, id) => call('health', {}, id)))
  post(call('health', {}), '/health')
  post(call('health', {}), '/x')
  return edges
}

/** What of an answer does not depend on the chain. */
export async function observe(url, { path, body }) {
  const response = await fetch(url + path, body === undefined ? {} : { method: 'POST', body })
  const text = await response.text()
  const type = response.headers.get('content-type')
  const cache = response.headers.get('cache-control')
  return {
    status: response.status,
    type,
    cache,
    body: type === 'application/json' ? summary(JSON.parse(text)) : text.slice(0, 40),
  }
}

function summary(json) {
  if (Array.isArray(json)) return json.map(summary)
  if (!json.error) return { id: json.id, fields: fieldsOf(json.result) }
  const data = json.error.data
    ?.replace(/[0-9A-F]{64,}/g, 'HASH')
    .replace(/current blockchain height \d+/, 'current blockchain height N')
    .replace(/max height \d+/, 'max height N')
    .replace(/within \[1, \d+\]/, 'within [1, N]')
  return { id: json.id, error: { ...json.error, data } }
}

const fieldsOf = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return Array.isArray(value) ? 'list' : value === null ? null : typeof value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      typeof field === 'object' && field !== null && !Array.isArray(field) ? Object.keys(field) : fieldsOf(field),
    ]),
  )
}
