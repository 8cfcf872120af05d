// Plays fee grants and authorizations on a fresh chain of the reference and records what it answers:
//   node tests/reference/record-grants.mjs <rpc url> <its home>      -> tests/vectors/reference/grants.json
// The chain is one started by start.sh a moment ago. Run `npx tsc -b chain/wire` and fetch-contracts.sh first; contracts are never
// committed: where a transaction holds one, the recording names its file instead.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { contractFiles } from './recording/contract-transactions.mjs'
import { createGrantSigner, publicKeyOf } from './recording/grant-signing.mjs'
import { grantFiles, grantSteps } from './recording/grant-transactions.mjs'
import { pause, rpc } from './recording/http.mjs'
import { addressOf, hashOf, waitForTx } from './recording/transactions.mjs'

const [rpcUrl, home] = process.argv.slice(2)
if (home === undefined) throw new Error('usage: node record-grants.mjs <rpc url> <its home>')

const base64 = (bytes) => Buffer.from(bytes).toString('base64')
const files = grantFiles.map((name) => ({
  path: contractFiles[name],
  bytes: readFileSync(new URL(`.cache/contracts/${contractFiles[name]}`, import.meta.url)),
}))

/** The transaction's bytes, around the contract if there is one in it. */
function pieces(tx) {
  for (const { path, bytes } of files) {
    const at = Buffer.from(tx).indexOf(bytes)
    if (at >= 0) return [base64(tx.subarray(0, at)), { contract: path }, base64(tx.subarray(at + bytes.length))]
  }
  return [base64(tx)]
}

async function call(method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(rpcUrl, { method: 'POST', body }).then((response) => response.json())
  if (answer.error !== undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
  return answer.result
}

async function ask({ path, data }, height) {
  const hex = Buffer.from(data).toString('hex')
  const { response } = await call('abci_query', { path, data: hex, height: String(height), prove: false })
  const { code, codespace, log, value } = response
  return { path, data: base64(data), code, codespace: codespace ?? '', log: shortLog(log), value: value ?? '' }
}

/** Of a crash what it says, not where its code stands. */
const shortLog = (log = '') => (log.includes('\nstack:\n') ? log.slice(0, log.indexOf('\nstack:\n')) : log)

const timeOf = (text) => BigInt(Date.parse(`${text.slice(0, 19)}Z`)) / 1000n
const signers = {}
const known = {}
const entries = []
while (Number((await rpc(rpcUrl, '/status')).sync_info.latest_block_height) < 2) await pause(200)
for (const { name, from, messages, options, learn, queries, wait } of grantSteps) {
  if (wait !== undefined) await pause(wait)
  const { sync_info: status } = await rpc(rpcUrl, '/status')
  known.now = timeOf(status.latest_block_time)
  signers[from] ??= await createGrantSigner(rpcUrl, from)
  const tx = await signers[from](messages(known), options?.(known) ?? {})
  const checked = await call('broadcast_tx_sync', { tx: base64(tx) })
  const base = { name, tx: pieces(tx) }
  if (checked.code !== 0) {
    // What it said at its time: the state behind the last block.
    const height = Number((await rpc(rpcUrl, '/status')).sync_info.latest_block_height)
    const { header } = (await rpc(rpcUrl, `/block?height=${height}`)).block
    const { code, codespace, log } = checked
    console.log(`${name}: refused, code ${codespace}/${code} ${log.slice(0, 150)}`)
    entries.push({ ...base, refused: true, height, time: header.time, code, codespace, log: shortLog(log) })
    continue
  }
  const result = await waitForTx(rpcUrl, hashOf(tx))
  if (result.tx_result.code === 0) learn?.(known, result)
  const { header } = (await rpc(rpcUrl, `/block?height=${result.height}`)).block
  const { code, codespace, log, data, gas_wanted: gasWanted, gas_used: gasUsed, events } = result.tx_result
  console.log(
    `${name}: height ${result.height} code ${codespace}/${code} gas ${gasUsed} ${code === 0 ? '' : log.slice(0, 150)}`,
  )
  const asked = []
  for (const query of queries?.(known) ?? []) asked.push(await ask(query, result.height))
  entries.push({
    ...{ ...base, refused: false, height: Number(result.height), time: header.time, code, codespace: codespace ?? '' },
    ...{ log: shortLog(log), data: data ?? '', gasWanted: Number(gasWanted), gasUsed: Number(gasUsed) },
    events: events.map(({ type, attributes }) => [type, ...attributes.map(({ key, value }) => [key, value ?? ''])]),
    queries: asked,
  })
}
const { auth, bank, wasm } = JSON.parse(readFileSync(`${home}/config/genesis.json`, 'utf8')).app_state
// The validator has signed its genesis transaction, which the genesis of the recording leaves out.
const validator = auth.accounts.find((account) => account.address === addressOf('validator'))
const key = { '@type': '/cosmos.crypto.secp256k1.PubKey', key: await publicKeyOf('validator') }
Object.assign(validator, { pub_key: key, sequence: '1' })
const about =
  'wasmd v0.60.3, chain id testing: fee grants and authorizations with their results, each in a block of its own'
const document = [
  `{"about":${JSON.stringify(about)}`,
  `"appState":${JSON.stringify({ auth, bank, wasm })}`,
  `"entries":[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]}\n`,
]
await writeFile(fileURLToPath(new URL('../vectors/reference/grants.json', import.meta.url)), document.join(',\n'))
process.exit(0)
