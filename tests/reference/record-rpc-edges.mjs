// Records how CometBFT's RPC answers odd requests: HTTP status, content type, caching, errors, and the fields of results.
//   record-rpc-edges.mjs <rpc url> [file]
// The chain behind the URL has at least 12 blocks. What is recorded does not depend on it otherwise.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { listEdges, observe } from './recording/rpc-edges.mjs'

const [url, file = fileURLToPath(new URL('../vectors/comet/rpc-edges.json', import.meta.url))] = process.argv.slice(2)
const edges = []
for (const edge of await listEdges(url)) edges.push({ name: edge.name, answer: await observe(url, edge) })
writeFileSync(file, `[\n${edges.map((edge) => JSON.stringify(edge)).join(',\n')}\n]\n`)
console.log(`${edges.length} answers`)
