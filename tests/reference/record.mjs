// Plays transactions on a fresh chain of the reference and records what it answers, into tests/vectors/reference:
//   node tests/reference/record.mjs <rpc url> <rest url> <its home> [folder]
// The chain is one started by start.sh a moment ago. Contracts come from fetch-contracts.sh.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { exchange, pause, rpc, rpcCall } from './recording/http.mjs'
import { play } from './recording/play.mjs'
import { refusedTransactions } from './recording/refused.mjs'
import { postRequests, restRequests } from './recording/rest-requests.mjs'
import { addressOf, createSigner, hashOf, transactions, validatorAddress } from './recording/transactions.mjs'

const [rpcUrl, restUrl, home, folder = fileURLToPath(new URL('../vectors/reference', import.meta.url))] =
  process.argv.slice(2)
if (home === undefined) throw new Error('usage: node record.mjs <rpc url> <rest url> <its home> [folder]')

const base64 = (bytes) => Buffer.from(bytes).toString('base64')

/** One JSON file with one line per entry, so that a difference is one line. */
async function store(name, about, entries) {
  const lines = entries.map((entry) => JSON.stringify(entry)).join(',\n')
  await writeFile(`${folder}/${name}`, `{"about":${JSON.stringify(about)},\n"entries":[\n${lines}\n]}\n`)
  console.log(`${name}: ${entries.length} entries, ${lines.length} bytes`)
}

/** What `/block` and `/block_results` say, contracts' bytes redacted. A block's commit is in the block after it. */
async function recordBlocks(last) {
  const blocks = []
  for (let height = 1; height <= last; height++) {
    const read = (method) => exchange(rpcUrl, { path: `/${method}?height=${height}` }).then(({ body }) => body.result)
    const [block, results] = [await read('block'), await read('block_results')]
    const hashes = (await rpc(rpcUrl, `/block?height=${height}`)).block.data.txs.map((tx) =>
      hashOf(Buffer.from(tx, 'base64')),
    )
    blocks.push({ height, tx_hashes: hashes, block, block_results: results })
  }
  return blocks
}

function rpcRequests({ hashes, known, latest }) {
  const key = (bytes) => Buffer.from(bytes).toString('hex')
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
    ['block_by_hash', { hash: Buffer.from(known.bankSendBlockHash, 'hex').toString('base64') }],
    ['tx', { hash: Buffer.from(hashes.bank_send, 'hex').toString('base64'), prove: true }],
    ['tx', { hash: Buffer.from('00'.repeat(32), 'hex').toString('base64') }],
    ['tx_search', { query: `transfer.recipient='${addressOf('carol')}'`, per_page: '2', order_by: 'desc' }],
    ['tx_search', { query: `tx.height=${height}`, prove: true }],
    ['tx_search', { query: 'nonsense query' }],
    ['block_search', { query: `block.height=${height}` }],
    ['abci_query', { path: '/store/bank/key', data: key(Buffer.from([0])), prove: true, height }],
    ['abci_query', { path: '/store/acc/key', data: key(Buffer.from('globalAccountNumber')), prove: true, height }],
    ['abci_query', { path: '/store/bank/key', data: key(account), prove: true, height }],
    ['abci_query', { path: '/store/nothing/key', data: key(account), height }],
    ['abci_query', { path: '/store/bank/key', data: key(account), height: String(latest + 1_000_000) }],
    ['abci_query', { path: '/cosmos.bank.v1beta1.Query/Params', data: '' }],
    ['abci_query', { path: '/cosmos.bank.v1beta1.Query/Nothing', data: '' }],
    ['abci_query', { path: '/app/version', data: '' }],
    ['abci_query', { path: '/app/simulate', data: 'ff' }],
    ['abci_query', { path: 'nonsense', data: '' }],
    ['genesis', {}],
    ['nothing', {}],
    ...oddCalls({ hashes, height }),
  ]
}

/** Parameters that are wrong, missing, or of another kind. */
function oddCalls({ hashes, height }) {
  const hash = Buffer.from(hashes.bank_send, 'hex')
  const odd = [
    '0',
    '-1',
    '+1',
    '1e30',
    'abc',
    '',
    '1.5',
    '0x1',
    '01',
    '18446744073709551615',
    1,
    1.5,
    null,
    true,
    [],
    {},
  ]
  const hashForms = [hash.toString('hex'), `0x${hash.toString('hex')}`, 'AAAA', '', null, 5]
  return [
    ...odd.map((value) => ['header', { height: value }]),
    ...odd.slice(0, 10).map((value) => ['validators', { height, page: value }]),
    ...odd.slice(0, 10).map((value) => ['validators', { height, per_page: value }]),
    ...hashForms.map((value) => ['tx', { hash: value }]),
    ...hashForms.map((value) => ['header_by_hash', { hash: value }]),
    ...hashForms.map((value) => ['block_by_hash', { hash: value }]),
    ['header', []],
    ['header', [height]],
    ['header', [height, 'more']],
    ['header', { height, unknown: 1 }],
    ['header', null],
    ['header', 'text'],
    ['genesis_chunked', { chunk: '1' }],
    ['genesis_chunked', { chunk: '-1' }],
    ['tx_search', {}],
    ['tx_search', { query: '' }],
    ['tx_search', { query: `tx.height=${height}`, page: '0' }],
    ['tx_search', { query: `tx.height=${height}`, page: '9' }],
    ['tx_search', { query: `tx.height=${height}`, per_page: '0' }],
    ['tx_search', { query: `tx.height=${height}`, order_by: 'sideways' }],
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
    ['broadcast_evidence', {}],
    ['broadcast_evidence', { evidence: null }],
    ['broadcast_evidence', { evidence: { type: 'nothing', value: {} } }],
    ['broadcast_evidence', { evidence: { type: 'tendermint/DuplicateVoteEvidence', value: {} } }],
    ['subscribe', { query: "tm.event='NewBlock'" }],
    ['unsafe_flush_mempool', {}],
  ]
}

/** The same methods as paths, and bodies that are no single call. */
function uriRequests({ hashes, known }) {
  const height = known.bankSendHeight
  const hash = hashes.bank_send
  const odd = ['0', '-1', '+1', '1e30', 'abc', '', '1.5', '0x1', '01', '"1"', '%221%22', '18446744073709551615']
  const paths = [
    '/health',
    '/nothing',
    '/block?height=0',
    `/header?height=${height}&height=1`,
    `/header?height=${height}&unknown=1`,
    ...odd.map((value) => `/header?height=${value}`),
    ...[`0x${hash}`, hash, `%22${hash}%22`, '0x', '', '0xabc', `0x${hash.toLowerCase()}`].map(
      (value) => `/tx?hash=${value}`,
    ),
    `/tx?hash=0x${hash}&prove=maybe`,
    `/header_by_hash?hash=0x${known.bankSendBlockHash}`,
    `/tx_search?query=%22tx.height=${height}%22&prove=false&page=1&per_page=1`,
    `/tx_search?query=tx.height=${height}`,
    '/abci_query?path=%22/app/version%22&data=&height=0&prove=false',
    '/abci_query?path=/app/version',
    '/abci_query?path=%22/app/version%22&data=abc',
    '/broadcast_tx_sync?tx=0xAAAA',
    '/broadcast_tx_sync?tx=%22text%22',
    '/broadcast_tx_sync?tx=AAAA',
    '/subscribe?query=%22tm.event=1%22',
    '/health/',
    '//health',
  ]
  const bodies = [
    '[]',
    '{}',
    'not json',
    '""',
    'null',
    '[{}]',
    '{"jsonrpc":"2.0","method":"health"}',
    '{"jsonrpc":"2.0","id":null,"method":"health"}',
    '{"jsonrpc":"2.0","id":"text","method":"health"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"health"}',
    '{"jsonrpc":"2.0","id":{},"method":"health"}',
    '{"jsonrpc":"1.0","id":1,"method":"health"}',
    '{"id":1,"method":"health"}',
    '{"jsonrpc":"2.0","id":1,"method":5}',
    '{"jsonrpc":"2.0","id":1}',
    '[{"jsonrpc":"2.0","id":1,"method":"health"},{"jsonrpc":"2.0","id":2,"method":"nothing"}]',
    '[{"jsonrpc":"2.0","id":1,"method":"health"},5]',
    '[{"jsonrpc":"2.0","method":"health"},{"jsonrpc":"2.0","id":2,"method":"health"}]',
  ]
  return [
    ...paths.map((path) => ({ path })),
    ...bodies.map((body) => ({ method: 'POST', path: '/', body })),
    { method: 'PUT', path: '/health' },
    { method: 'POST', path: '/health', body: '' },
  ]
}

/** The genesis as it was, the keys, and what stands in the configuration files without their comments. */
async function recordHome() {
  await writeFile(
    `${folder}/genesis.json`,
    `${JSON.stringify(JSON.parse(await readFile(`${home}/config/genesis.json`, 'utf8')))}\n`,
  )
  const files = {}
  for (const name of ['config/priv_validator_key.json', 'config/node_key.json', 'data/priv_validator_state.json']) {
    files[name] = JSON.parse(await readFile(`${home}/${name}`, 'utf8'))
  }
  for (const name of ['config/config.toml', 'config/app.toml', 'config/client.toml']) {
    const lines = (await readFile(`${home}/${name}`, 'utf8')).split('\n').map((line) => line.trim())
    files[name] = lines.filter((line) => line !== '' && !line.startsWith('#'))
  }
  await writeFile(`${folder}/home.json`, `${JSON.stringify(files, null, 1)}\n`)
}

const known = { validator: await validatorAddress(restUrl) }
await mkdir(folder, { recursive: true })
const played = (await play(rpcUrl, transactions, known)).map(({ name, result }) => {
  return { name, hash: result.hash, height: Number(result.height), code: result.tx_result.code }
})
const hashes = Object.fromEntries(played.map(({ name, hash }) => [name, hash]))
await pause(1500)
const last = played.at(-1).height + 1
const blocks = await recordBlocks(last)
known.bankSendHeight = played[0].height
known.bankSendBlockHash = blocks[known.bankSendHeight - 1].block.block_id.hash
const context = { known, hashes, latest: last }

await recordHome()
const validators = await rpc(rpcUrl, `/validators?height=${last}`)
await store(
  'transactions.json',
  'what was played, in order; contracts are wasmvm-2.3.1/hackatom.wasm and reflect.wasm',
  played,
)
await store(
  'blocks.json',
  'every block from 1 on as RPC 26657 gives it; the validator set is the same at all heights',
  [{ validators }, ...blocks],
)

const refused = await refusedTransactions(rpcUrl)
const refusals = []
for (const [name, bytes] of Object.entries(refused)) {
  refusals.push({
    name,
    tx: base64(bytes),
    answer: (await rpcCall(rpcUrl, 'broadcast_tx_sync', { tx: base64(bytes) })).body,
  })
}
await store('refused.json', 'transactions that CheckTx refuses, by RPC broadcast_tx_sync', refusals)

const rest = []
for (const request of restRequests(context)) rest.push(await exchange(restUrl, request))
const alice = await createSigner(rpcUrl, 'alice')
const posts = []
for (const request of await postRequests(alice, refused)) posts.push(await exchange(restUrl, request))
await store('rest.json', `REST answers at height ${last} or a little later`, [...rest, ...posts])

const calls = []
for (const [method, params] of rpcRequests(context))
  if (method !== 'genesis_chunked') calls.push(await rpcCall(rpcUrl, method, params))
for (const request of uriRequests(context)) {
  const { method = 'GET', path, body = '' } = request
  calls.push({ rpc: `${method} ${path}${body === '' ? '' : ` ${body}`}`, ...(await exchange(rpcUrl, request)) })
}
await store('rpc.json', 'CometBFT RPC answers', calls)

const checksums = {}
for (const name of ['hackatom', 'reflect']) {
  const bytes = await readFile(new URL(`.cache/contracts/wasmvm-2.3.1/${name}.wasm`, import.meta.url))
  checksums[name] = createHash('sha256').update(bytes).digest('hex')
}
const addresses = Object.fromEntries(
  ['validator', 'alice', 'bob', 'carol', 'dave'].map((name) => [name, addressOf(name)]),
)
const facts = {
  ...known,
  hackatomCode: Number(known.hackatomCode),
  reflectCode: Number(known.reflectCode),
  addresses,
  checksums,
}
await writeFile(`${folder}/facts.json`, `${JSON.stringify(facts)}\n`)
