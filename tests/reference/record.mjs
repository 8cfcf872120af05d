// Plays transactions on a fresh chain of the reference and records what it answers, into tests/vectors/reference:
//   node tests/reference/record.mjs <rpc url> <rest url> <grpc address> <its home> [folder]
// The chain is one started by start.sh a moment ago: its third block is the latest. Contracts come from fetch-contracts.sh. Run
// `npx tsc -b chain/wire` first.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { callGrpc, createGrpcClient, reflect } from './recording/grpc.mjs'
import { grpcRequests, reflectionRequests } from './recording/grpc-requests.mjs'
import { exchange, pause, redact, rpc, rpcCall } from './recording/http.mjs'
import { play } from './recording/play.mjs'
import { refusedTransactions } from './recording/refused.mjs'
import { postRequests, restRequests } from './recording/rest-requests.mjs'
import { rpcRequests, uriRequests } from './recording/rpc-requests.mjs'
import { addressOf, createSigner, hashOf, transactions, validatorAddress } from './recording/transactions.mjs'

const [rpcUrl, restUrl, grpcAddress, home, folder = fileURLToPath(new URL('../vectors/reference', import.meta.url))] =
  process.argv.slice(2)
if (home === undefined)
  throw new Error('usage: node record.mjs <rpc url> <rest url> <grpc address> <its home> [folder]')

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

const known = { validator: validatorAddress }
await mkdir(folder, { recursive: true })
const played = (await play(rpcUrl, transactions, known)).map(({ name, hash, height, code }) => {
  return { name, hash, height, code }
})
const hashes = Object.fromEntries(played.map(({ name, hash }) => [name, hash]))
await pause(1500)
const last = Math.max(...played.map(({ height }) => height)) + 1
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

const calls = []
for (const [method, params] of rpcRequests(context)) calls.push(await rpcCall(rpcUrl, method, params))
for (const request of uriRequests(context)) {
  const { method = 'GET', path, body = '' } = request
  const { status, body: answer } = await exchange(rpcUrl, request)
  calls.push({ rpc: `${method} ${path}${body === '' ? '' : ` ${body}`}`, status, body: answer })
}
await store('rpc.json', 'CometBFT RPC answers', calls)

const client = createGrpcClient(grpcAddress)
const grpc = []
for (const request of grpcRequests({ ...context, refused })) {
  const { response, ...answer } = await callGrpc(client, request)
  grpc.push({ ...request, ...answer, response: redact(response) })
}
await store('grpc.json', 'gRPC calls: requests and responses in base64', grpc)
const reflections = []
for (const request of reflectionRequests)
  reflections.push({ request, answer: await reflect(client, 'v1alpha', request) })
await store(
  'grpc-reflection.json',
  'what server reflection v1alpha says; of descriptors what they declare',
  reflections,
)
client.close()

const rest = []
for (const request of restRequests(context)) rest.push(await exchange(restUrl, request))
const alice = await createSigner(rpcUrl, 'alice')
// Last, because one of them is a transaction.
for (const request of await postRequests(alice, refused)) rest.push(await exchange(restUrl, request))
await store('rest.json', `REST answers at height ${last} or a little later`, rest)

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
