import { grpcRequests } from './grpc-requests.mjs'
import { addressOf } from './transactions.mjs'

const hex = (bytes) => Buffer.from(bytes).toString('hex')
const base64OfHex = (text) => Buffer.from(text, 'hex').toString('base64')

/** Calls by POST: method and parameters. What is odd in the form of requests is asked by rpc-edges.mjs. */
export function rpcRequests({ hashes, known, latest }) {
  const account = Buffer.from('balance')
  const height = String(known.bankSendHeight)
  return [
    ['health', {}],
    ['status', {}],
    ['abci_info', {}],
    ['net_info', {}],
    ['num_unconfirmed_txs', {}],
    ['unconfirmed_txs', {}],
    ['block', {}],
    ['block', { height }],
    ['block', { height: '0' }],
    ['block', { height: String(latest + 1_000_000) }],
    ['header', { height }],
    ['commit', { height }],
    ['validators', { height }],
    ['validators', { height, page: '2', per_page: '1' }],
    ['block_results', { height }],
    ['blockchain', { minHeight: '1', maxHeight: '3' }],
    ['consensus_params', { height }],
    ['block_by_hash', { hash: base64OfHex(known.bankSendBlockHash) }],
    ['tx', { hash: base64OfHex(hashes.bank_send), prove: true }],
    ['tx', { hash: base64OfHex('00'.repeat(32)) }],
    ['tx_search', { query: `transfer.recipient='${addressOf('carol')}'`, per_page: '2', order_by: 'desc' }],
    ['tx_search', { query: `tx.height=${height}`, prove: true }],
    ['tx_search', { query: 'nonsense query' }],
    ['block_search', { query: `block.height=${height}` }],
    ['abci_query', { path: '/store/bank/key', data: hex(Buffer.from([0])), prove: true, height }],
    ['abci_query', { path: '/store/acc/key', data: hex(Buffer.from('globalAccountNumber')), prove: true, height }],
    ['abci_query', { path: '/store/bank/key', data: hex(account), prove: true, height }],
    ['abci_query', { path: '/store/nothing/key', data: hex(account), height }],
    ['abci_query', { path: '/store/bank/key', data: hex(account), height: String(latest + 1_000_000) }],
    ['abci_query', { path: '/cosmos.bank.v1beta1.Query/Params', data: '' }],
    ['abci_query', { path: '/cosmos.bank.v1beta1.Query/Nothing', data: '' }],
    ['abci_query', { path: '/app/version', data: '' }],
    ['abci_query', { path: '/app/simulate', data: 'ff' }],
    ['abci_query', { path: 'nonsense', data: '' }],
    ['genesis', {}],
    ['nothing', {}],
    ...oddCalls({ hashes, height }),
    ...abciQueries({ hashes, known, latest }),
  ]
}

/** Parameters that are wrong, missing, or of another kind. */
function oddCalls({ hashes, height }) {
  const hash = Buffer.from(hashes.bank_send, 'hex')
  const hashForms = [hash.toString('hex'), `0x${hash.toString('hex')}`, 'AAAA', '', null, 5]
  const search = (more) => ['tx_search', { query: `tx.height=${height}`, ...more }]
  return [
    ...['0', '-1', '+1', 'abc', ''].flatMap((value) => [
      ['validators', { height, page: value }],
      ['validators', { height, per_page: value }],
    ]),
    ...['tx', 'header_by_hash', 'block_by_hash'].flatMap((method) =>
      hashForms.map((value) => [method, { hash: value }]),
    ),
    ['genesis_chunked', { chunk: '1' }],
    ['genesis_chunked', { chunk: '-1' }],
    ['tx_search', {}],
    ['tx_search', { query: '' }],
    search({ page: '0' }),
    search({ page: '9' }),
    search({ per_page: '0' }),
    search({ order_by: 'sideways' }),
    ['tx_search', { query: `tx.height>${height} AND tx.height<=${Number(height) + 2}`, order_by: 'asc' }],
    ['tx_search', { query: `transfer.amount EXISTS AND tx.height=${height}` }],
    ['tx_search', { query: `transfer.recipient CONTAINS 'wasm1' AND tx.height=${height}` }],
    ['block_search', { query: '' }],
    ['block_search', { query: `block.height>=${height} AND block.height<${Number(height) + 2}`, order_by: 'asc' }],
    ['blockchain', { minHeight: '3', maxHeight: '1' }],
    ['blockchain', { minHeight: '-1', maxHeight: '1' }],
    ['broadcast_tx_sync', {}],
    ['broadcast_tx_sync', { tx: '' }],
    ['broadcast_tx_async', { tx: 'AAAA' }],
    ['broadcast_tx_commit', { tx: 'AAAB' }],
    ['check_tx', { tx: 'AAAC' }],
    ['check_tx', {}],
    ['broadcast_evidence', { evidence: { type: 'tendermint/DuplicateVoteEvidence', value: {} } }],
    ['unsafe_flush_mempool', {}],
  ]
}

/** gRPC methods called through abci_query, and paths that are none. */
function abciQueries(context) {
  const { latest } = context
  const byMethod = /\.(Query|ReflectionService)\/(?!Codes?$|PinnedCodes|ListAll)/
  const asked = grpcRequests({ ...context, refused: {} })
    .filter(({ path, request, metadata }) => byMethod.test(path) && request !== '' && metadata === undefined)
    .map(({ path, request }) => ({ path, data: hex(Buffer.from(request, 'base64')) }))
  const params = { path: '/cosmos.bank.v1beta1.Query/Params', data: '' }
  const heights = ['0', '1', '-1', String(latest + 1_000_000), '9223372036854775807']
  const paths = ['', '/', '/app', '/app/nothing', '/app/snapshots', '/p2p/filter/addr/x', '/p2p', '/custom/x']
  const stores = [
    '/store',
    '/store/bank',
    '/store/bank/nothing',
    '/store//key',
    '/store/bank/key/more',
    'store/bank/key',
  ]
  return [
    ...asked,
    { ...params, prove: true },
    ...heights.map((height) => ({ ...params, height })),
    ...[...paths, ...stores].map((path) => ({ path, data: '00' })),
    { path: '/store/bank/key', data: '' },
    { path: '/store/bank/subspace', data: '05' },
    { path: '/store/bank/key', data: '00', height: '1', prove: true },
  ].map((params) => ['abci_query', params])
}

/** The same methods as paths, and bodies that are no single call; what rpc-edges.mjs does not ask. */
export function uriRequests({ hashes, known }) {
  const height = known.bankSendHeight
  const hash = hashes.bank_send
  const paths = [
    `/header?height=${height}&height=1`,
    `/header?height=${height}&unknown=1`,
    `/tx?hash=0x${hash}`,
    `/tx?hash=0x${hash.toLowerCase()}`,
    `/tx?hash=0x${hash}&prove=maybe`,
    `/header_by_hash?hash=0x${known.bankSendBlockHash}`,
    `/tx_search?query=%22tx.height=${height}%22&prove=false&page=1&per_page=1`,
    '/abci_query?path=%22/app/version%22&data=&height=0&prove=false',
    '/abci_query?path=/app/version',
    '/abci_query?path=%22/app/version%22&data=abc',
    '/broadcast_tx_sync?tx=0xAAAA',
    '/broadcast_tx_sync?tx=%22text%22',
  ]
  const bodies = [
    '{"jsonrpc":"2.0","method":"health"}',
    '{"jsonrpc":"1.0","id":1,"method":"health"}',
    '{"id":1,"method":"health"}',
    '[{"jsonrpc":"2.0","method":"health"},{"jsonrpc":"2.0","id":2,"method":"health"}]',
  ]
  return [
    ...paths.map((path) => ({ path })),
    ...bodies.map((body) => ({ method: 'POST', path: '/', body })),
    { method: 'PUT', path: '/health' },
    { method: 'POST', path: '/health', body: '' },
  ]
}
