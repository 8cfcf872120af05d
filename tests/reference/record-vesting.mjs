// Plays accounts with schedules on a fresh chain of the reference and records what it answers:
//   node tests/reference/record-vesting.mjs <rpc url> <its home>      -> tests/vectors/reference/vesting.json
// The chain is one that `start.sh <home> <port> recording/vesting-genesis.mjs` started a moment ago.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { pause, rpc, rpcCall } from './recording/http.mjs'
import { addressOf, query, signTx, waitForTime } from './recording/signed.mjs'
import { hashOf, waitForTx } from './recording/transactions.mjs'
import { asked, inBlocks, refused } from './recording/vesting-steps.mjs'

const [rpcUrl, home] = process.argv.slice(2)
if (home === undefined) throw new Error('usage: node record-vesting.mjs <rpc url> <its home>')

const base64 = (bytes) => Buffer.from(bytes).toString('base64')
const timeAt = async (height) => (await rpc(rpcUrl, `/block?height=${height}`)).block.header.time
const now = async () => {
  const { sync_info: info } = await rpc(rpcUrl, '/status')
  return { height: Number(info.latest_block_height), time: info.latest_block_time }
}
const secondsNow = async () => BigInt(Math.floor(Date.parse((await now()).time) / 1000))

const entries = []

async function sign({ messages, ...options }) {
  const seconds = await secondsNow()
  return signTx(rpcUrl, { ...options, messages: messages.map((make) => make(seconds)) })
}
const broadcast = async (tx) => (await rpcCall(rpcUrl, 'broadcast_tx_sync', { tx: base64(tx) })).body.result

async function deliver({ name, ...step }) {
  const tx = await sign(step)
  const answer = await broadcast(tx)
  if (answer.code !== 0) return recordRefused(name, tx, answer)
  const { height, tx_result: found } = await waitForTx(rpcUrl, hashOf(tx))
  const { code, codespace, log, data, gas_wanted: gasWanted, gas_used: gasUsed, events } = found
  console.log(`${name}: height ${height} code ${code} gas ${gasUsed} ${code === 0 ? '' : log.split('\n')[0]}`)
  entries.push({
    ...{ kind: 'tx', name, tx: base64(tx), height: Number(height), time: await timeAt(height), code },
    ...{ codespace: codespace ?? '', log: (log ?? '').split('\nstack:\n')[0], data: data ?? '' },
    ...{ gasWanted: Number(gasWanted), gasUsed: Number(gasUsed) },
    events: events.map(({ type, attributes }) => [type, ...attributes.map(({ key, value }) => [key, value ?? ''])]),
  })
}

async function recordRefused(name, tx, { code, codespace, log }) {
  console.log(`${name}: refused, code ${code} ${log.split('\n')[0]}`)
  entries.push({
    kind: 'check',
    name,
    tx: base64(tx),
    ...(await now()),
    code,
    codespace,
    log: log.split('\nstack:\n')[0],
  })
}

async function ask(name, method, request) {
  const { data, response } = await query(rpcUrl, method, request)
  const { code, codespace, log, value } = response
  // A crash is answered without its height.
  const height = response.height === '0' ? entries.at(-1).height : response.height
  if (code !== 0) console.log(`${name}: ${code} ${log.split('\n')[0]}`)
  entries.push({
    ...{ kind: 'query', name, method, data, height: Number(height), time: await timeAt(height) },
    ...{ code, codespace, log: log.split('\n')[0], value: value ?? '' },
  })
}

async function askAll(when) {
  for (const name of asked) {
    const address = addressOf(name)
    await ask(`${when}: account of ${name}`, '/cosmos.auth.v1beta1.Query/Account', { address })
    await ask(`${when}: info of ${name}`, '/cosmos.auth.v1beta1.Query/AccountInfo', { address })
    await ask(`${when}: balances of ${name}`, '/cosmos.bank.v1beta1.Query/AllBalances', { address })
    await ask(`${when}: spendable of ${name}`, '/cosmos.bank.v1beta1.Query/SpendableBalances', { address })
    for (const denom of ['ucosm', 'stake', 'nothing', '!'])
      await ask(`${when}: spendable ${denom} of ${name}`, '/cosmos.bank.v1beta1.Query/SpendableBalanceByDenom', {
        ...{ address, denom },
      })
  }
}

while ((await now()).height < 2) await pause(200)
await askAll('at the start')
for (const step of inBlocks) {
  if (step.wait !== undefined) {
    await askAll('between')
    await waitForTime(rpcUrl, Number((await secondsNow()) + step.wait))
  } else await deliver(step)
}
for (const { name, ...step } of refused) {
  const tx = await sign(step)
  const answer = await broadcast(tx)
  if (answer.code === 0) throw new Error(`${name} was not refused`)
  await recordRefused(name, tx, answer)
}
await askAll('at the end')

const { auth, bank, wasm } = JSON.parse(readFileSync(`${home}/config/genesis.json`, 'utf8')).app_state
const about =
  'wasmd v0.60.3, chain id testing: accounts with schedules; transactions, refused ones and queries in order'
const document = [
  `{"about":${JSON.stringify(about)}`,
  `"appState":${JSON.stringify({ auth, bank, wasm })}`,
  `"entries":[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]}\n`,
]
await writeFile(fileURLToPath(new URL('../vectors/reference/vesting.json', import.meta.url)), document.join(',\n'))
