// Plays contract transactions on a fresh chain of the reference and records what it answers:
//   node tests/reference/record-contracts.mjs <rpc url> <its home>      -> tests/vectors/reference/contracts.json
// The chain is one started by start.sh a moment ago. Contracts come from fetch-contracts.sh and are never committed: where a
// transaction holds one, the recording names its file instead.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { contractFiles, contractTransactions } from './recording/contract-transactions.mjs'
import { pause, rpc } from './recording/http.mjs'
import { createSigner, hashOf, waitForTx } from './recording/transactions.mjs'

const [rpcUrl, home] = process.argv.slice(2)
if (home === undefined) throw new Error('usage: node record-contracts.mjs <rpc url> <its home>')

const base64 = (bytes) => Buffer.from(bytes).toString('base64')
const files = Object.values(contractFiles).map((path) => ({
  path,
  bytes: readFileSync(new URL(`.cache/contracts/${path}`, import.meta.url)),
}))

/** The transaction's bytes, around the contract if there is one in it. */
function pieces(tx) {
  for (const { path, bytes } of files) {
    const at = Buffer.from(tx).indexOf(bytes)
    if (at >= 0) return [base64(tx.subarray(0, at)), { contract: path }, base64(tx.subarray(at + bytes.length))]
  }
  return [base64(tx)]
}

const entries = []
const known = {}
const signers = {}
while (Number((await rpc(rpcUrl, '/status')).sync_info.latest_block_height) < 2) await pause(200)
for (const { name, from, messages, gas, learn } of contractTransactions) {
  signers[from] ??= await createSigner(rpcUrl, from)
  const tx = await signers[from].sign(messages(known), { gas })
  // Large transactions do not fit into a query string.
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: base64(tx) } }),
  }).then((response) => response.json())
  if (answer.error !== undefined || answer.result.code !== 0) throw new Error(`${name}: ${JSON.stringify(answer)}`)
  const result = await waitForTx(rpcUrl, hashOf(tx))
  if (result.tx_result.code === 0) learn?.(known, result)
  const { header } = (await rpc(rpcUrl, `/block?height=${result.height}`)).block
  const { code, codespace, log, data, gas_wanted: gasWanted, gas_used: gasUsed, events } = result.tx_result
  console.log(`${name}: height ${result.height} code ${code} gas ${gasUsed} ${code === 0 ? '' : log.slice(0, 150)}`)
  entries.push({
    ...{ name, tx: pieces(tx), height: Number(result.height), time: header.time, code, codespace: codespace ?? '' },
    ...{ log: log ?? '', data: data ?? '', gasWanted: Number(gasWanted), gasUsed: Number(gasUsed) },
    events: events.map(({ type, attributes }) => [type, ...attributes.map(({ key, value }) => [key, value ?? ''])]),
  })
}
const genesis = JSON.parse(readFileSync(`${home}/config/genesis.json`, 'utf8'))
const { auth, bank, wasm } = genesis.app_state
const about = 'wasmd v0.60.3, chain id testing: contract transactions with their results, each in a block of its own'
const document = [
  `{"about":${JSON.stringify(about)}`,
  `"appState":${JSON.stringify({ auth, bank, wasm })}`,
  `"entries":[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]}\n`,
]
await writeFile(fileURLToPath(new URL('../vectors/reference/contracts.json', import.meta.url)), document.join(',\n'))
