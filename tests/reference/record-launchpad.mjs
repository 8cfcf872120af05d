// Plays our own contracts (contracts/artifacts) on a fresh chain of the reference and records results and gas:
//   node tests/reference/record-launchpad.mjs <rpc url> <rest url> [folder]
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { exchange, redact } from './recording/http.mjs'
import { launchpadQueries, launchpadTransactions } from './recording/launchpad.mjs'
import { play } from './recording/play.mjs'

const [rpcUrl, restUrl, folder = fileURLToPath(new URL('../vectors/reference', import.meta.url))] =
  process.argv.slice(2)
if (restUrl === undefined) throw new Error('usage: node record-launchpad.mjs <rpc url> <rest url> [folder]')

const known = {}
const played = await play(rpcUrl, launchpadTransactions, known)
const transactions = played.map(({ name, code, result }) => {
  if (result === undefined) throw new Error(`${name} was refused with code ${code}`)
  const { hash, height, tx_result, tx } = redact(result)
  return { name, hash, height: Number(height), tx, tx_result }
})
const queries = []
for (const [contract, message] of launchpadQueries(known)) {
  const text = Buffer.from(JSON.stringify(message)).toString('base64')
  const { status, body } = await exchange(restUrl, {
    path: `/cosmwasm/wasm/v1/contract/${known[contract]}/smart/${encodeURIComponent(text)}`,
  })
  queries.push({ contract, message, status, body })
}
const checksums = {}
for (const name of ['launchpad', 'amm', 'cw20_base']) {
  const bytes = await readFile(new URL(`../../contracts/artifacts/${name}.wasm`, import.meta.url))
  checksums[name] = createHash('sha256').update(bytes).digest('hex')
}
const lines = (entries) => entries.map((entry) => JSON.stringify(entry)).join(',\n')
await writeFile(
  `${folder}/launchpad.json`,
  `{"about":"our contracts of these checksums on the reference, in order",\n"checksums":${JSON.stringify(checksums)},\n` +
    `"known":${JSON.stringify(known)},\n"transactions":[\n${lines(transactions)}\n],\n"queries":[\n${lines(queries)}\n]}\n`,
)
