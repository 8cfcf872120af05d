import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callRpc, type NodeProcess } from '../process/node-process.js'
import { acceptedDifferences, acceptedRefusals } from './accepted.js'
import { type Accepted, type Difference, differences, unaccepted, withoutOrder } from './differences.js'
import { askRest, askRpc, withOurHeights } from './exchanges.js'
import {
  askGrpc,
  asking,
  type GrpcClient,
  grpcName,
  readable,
  reflectionName,
  withReadableValue,
} from './grpc-exchanges.js'
import { createReferenceHome, type ReferenceHome } from './reference-home.js'
import { grpcAddress, play, type Replayed, startReplay, unbuilt } from './replay-run.js'
import {
  type EventJson,
  facts,
  genesis,
  grpcExchanges,
  hasContracts,
  type JsonRecord,
  type JsonValue,
  playedTxs,
  type RestExchange,
  reflectionExchanges,
  refusedTxs,
  restExchanges,
  rpcExchanges,
} from './vectors.js'

/** Without the contracts of the recording only its bank transactions can be played. */
const isWhole = hasContracts()
const lastTx = isWhole ? 'delegate' : 'bad_recipient'
const recordedTxs = playedTxs()
  .slice(0, playedTxs().findIndex(({ name }) => name === lastTx) + 1)
  .filter(({ name }) => !unbuilt.has(name))

let home: ReferenceHome
let node: NodeProcess
let replayed: readonly Replayed[]
let log: string
let client: GrpcClient

beforeAll(async () => {
  home = createReferenceHome()
  node = await startReplay(home.root, '1h')
  replayed = await play(node, lastTx)
  log = node.log()
  if (!isWhole) return
  // The answers were recorded at height 37 and later, which a node that makes empty blocks reaches soon.
  await node.end('SIGINT')
  node = await startReplay(home.root, '100ms')
  client = (await asking()).createGrpcClient(grpcAddress(node))
  while ((await latestHeight()) < 38);
})
afterAll(async () => {
  client?.close()
  await node?.end('SIGINT')
  home?.remove()
})

async function latestHeight(): Promise<number> {
  const { sync_info } = await callRpc<{ sync_info: { latest_block_height: string } }>(node.rpc, 'status')
  return Number(sync_info.latest_block_height)
}

describe("the reference's own home folder", () => {
  it('starts here with its chain id, prefix and denoms, and its keys', async () => {
    const { node_info, validator_info } = await callRpc<{
      node_info: { id: string; network: string; moniker: string }
      validator_info: { address: string }
    }>(node.rpc, 'status')
    expect(node_info).toMatchObject({
      id: 'c197171c0e142d08a716577b82fc49f06f2ce3f1',
      network: 'testing',
      moniker: 'reference',
    })
    expect(validator_info.address).toBe('F1E503C622C80A40F5E3AD47D497A1976DEC0BA2')
    const { validator } = facts().addresses
    const held = await fetch(`${node.rest}/cosmos/bank/v1beta1/balances/${validator}?pagination.limit=9`)
    const { balances } = (await held.json()) as { balances: { denom: string }[] }
    expect(balances.map(({ denom }) => denom)).toEqual(['stake', 'ucosm'])
  })

  it('is told which modules are not built yet', () => {
    const warning = log.split('\n').find((line) => line.includes('no such modules here'))
    const known = ['auth', 'authz', 'bank', 'consensus', 'feegrant', 'gov', 'mint', 'wasm']
    // Modules without state in the genesis lose nothing.
    const stateless = ['07-tendermint', 'upgrade', 'vesting']
    for (const name of Object.keys(genesis().app_state as object)) {
      const pattern = new RegExp(`[ ,:"]${name}[," ]`)
      if (known.includes(name) || stateless.includes(name)) expect(warning, name).not.toMatch(pattern)
      else expect(warning, name).toMatch(pattern)
    }
    expect(log).toMatch(/WAR genesis: gen_txs are ignored/)
    expect(log).toMatch(/WAR mint: the genesis has inflation/)
  })
})

/** x/circuit, which is not built, looks up each message before the ante steps and when it runs: 1000 gas each time. */
const circuitLookUps: Readonly<Record<string, number>> = {
  ...{ second_message_fails: 4, two_sends: 4, out_of_gas: 4 },
  // One for each message that a contract sends; what a submessage with a gas limit of its own spends is that limit.
  ...{ execute_release: 3, reflect_bank_send: 3, reflect_sub_messages_with_replies: 4 },
}

/**
 * How much less gas a transaction uses here: no x/circuit, and fees that stay with the fee collector, because x/distribution is
 * not built: its balance has more digits to read (3 gas each) and to write (30 each).
 */
function expectedSaving({ recorded: { name, height }, collected, fee }: Replayed): number {
  const digits = (amount: bigint) => (amount === 0n ? 0 : String(amount).length)
  const collector = 3 * digits(collected) + 30 * (digits(collected + fee) - digits(fee))
  // A genesis transaction has left x/wasm's counter of transactions there: 12 bytes to read.
  const counter = height === facts().bankSendHeight ? 36 : 0
  return 1000 * (circuitLookUps[name] ?? 2) - collector + counter
}

/** Running out of gas happens a little later, with less used before; how far the last step overshoots is then another figure. */
const outOfGas = new Set(['out_of_gas', 'execute_cpu_loop', 'execute_storage_loop'])

/** Our own words; code, codespace, gas and events are compared. */
const ownWords: Readonly<Record<string, RegExp>> = {
  bad_recipient: /^failed to execute message; message index: 0: invalid to address: "nonsense" .*: invalid address$/,
  store_not_wasm:
    /^failed to execute message; message index: 0: not a WebAssembly module.*: create wasm contract failed$/s,
  execute_panic: /^failed to execute message; message index: 0: panicked at src.*: wasmvm error$/s,
  execute_memory_loop: /^failed to execute message; message index: 0: unreachable: .*: wasmvm error$/,
}

describe('a recorded transaction', () => {
  const attributes = (events: readonly EventJson[]) => events.map(({ type, attributes: list }) => [type, ...list])

  it.each(recordedTxs)('$name has the recorded result', (recorded) => {
    const here = replayed.find((it) => it.recorded.name === recorded.name)!
    const { result } = here
    const { code, codespace, data, info, gas_wanted } = recorded.result
    expect(result, result.log).toMatchObject({ code, codespace, data, info, gas_wanted })
    expect(attributes(result.events)).toEqual(attributes(recorded.result.events))
    if (outOfGas.has(recorded.name)) {
      const form = /^out of gas in location: ([\w ]+); gasWanted: (\d+), gasUsed: (\d+): out of gas$/
      const [, location, wanted] = form.exec(recorded.result.log) ?? []
      expect(form.exec(result.log)?.slice(1), result.log).toEqual([location, wanted, result.gas_used])
      expect(Number(result.gas_used)).toBeGreaterThanOrEqual(Number(wanted))
      return
    }
    expect(Number(recorded.result.gas_used) - Number(result.gas_used)).toBe(expectedSaving(here))
    if (recorded.name in ownWords) expect(result.log).toMatch(ownWords[recorded.name]!)
    else expect(result.log).toBe(recorded.result.log)
  })

  it('is found by its hash, with the result that its block has', async () => {
    for (const { recorded, height, result } of replayed) {
      const hash = Buffer.from(recorded.hash, 'hex').toString('base64')
      const found = await callRpc<object>(node.rpc, 'tx', { hash })
      expect(found, recorded.name).toMatchObject({ height: String(height), hash: recorded.hash, tx_result: result })
      const block = await callRpc<object>(node.rpc, 'block_results', { height: String(height) })
      expect(block).toMatchObject({ height: String(height), txs_results: [result] })
    }
  })
})

const used = new Set<Accepted>()

/** The gas that the reference used for a transaction, where the answer shows it -> ours, which the tests above have checked. */
function isGasOf(actual: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  return replayed.some(({ recorded, result }) => recorded.result.gas_used === expected && result.gas_used === actual)
}

/** What a transaction shows of its gas and of what its contract or a later step says is compared there. */
const acceptedOfTxs: Accepted = {
  where: /txs|Service\/GetTx|^RPC (tx|tx_search|block_results|GET \/tx) ?/,
  at: /gas_used$/,
  ours: isGasOf,
  why: 'see the recorded transactions',
}
const acceptedOutOfGas: Accepted = {
  where: /txs\/428A/,
  at: /raw_log$/,
  ours: (actual) => replayed.some(({ result }) => result.log === actual),
  why: 'see the recorded transactions',
}
const accepted = [...acceptedDifferences, acceptedOfTxs, acceptedOutOfGas]

function compare(name: string, expected: object, actual: object): readonly Difference[] {
  const found = differences(withOurHeights(withoutOrder(expected as JsonValue)), withoutOrder(actual as JsonValue))
  return unaccepted(name, found, accepted, used)
}

const restName = ({ method, path, headers, request }: RestExchange): string => {
  const body = request === undefined ? '' : ` ${typeof request === 'string' ? request : JSON.stringify(request)}`
  const height = headers?.['x-cosmos-block-height']
  return `${method} ${path}${body}${height === undefined ? '' : ` at height ${height}`}`
}

/** Modules that are not built yet have no routes, which the decisions answer with 501. */
const unbuiltRoute = /\/cosmos\/(staking|distribution|slashing)\//

describe.skipIf(!isWhole)('what the reference answers', () => {
  it.each(refusedTxs())('when it refuses $name, this node answers too', async ({ name, tx, answer }) => {
    const { body } = await askRpc(node, { rpc: 'broadcast_tx_sync', params: { tx }, status: 200, body: null })
    expect(unaccepted(name, differences(answer as unknown as JsonValue, body), acceptedRefusals, used)).toEqual([])
  })

  const gets = restExchanges().filter(({ method }) => method === 'GET')
  it.each(gets.map((exchange) => [restName(exchange).slice(0, 200), exchange] as const))(
    'to %s',
    async (_, exchange) => {
      const here = await askRest(node, exchange)
      if (unbuiltRoute.test(exchange.path)) {
        expect(here).toMatchObject({ status: 501, body: { code: 12, details: [] } })
        return
      }
      const { status, content_type, body } = exchange
      expect(compare(restName(exchange), { status, content_type, body }, here)).toEqual([])
    },
  )

  it.each(rpcExchanges().map((exchange) => [`${exchange.rpc} ${JSON.stringify(exchange.params)}`, exchange] as const))(
    'to RPC %s',
    async (name, exchange) => {
      const { status, body } = await askRpc(node, exchange)
      const path = String(exchange.params?.path ?? '')
      const expected = { status: exchange.status, body: withReadableValue(path, exchange.body) }
      expect(compare(`RPC ${name}`, expected, { status, body: withReadableValue(path, body) })).toEqual([])
    },
  )

  it.each(grpcExchanges().map((exchange) => [grpcName(exchange).slice(0, 200), exchange] as const))(
    'to %s',
    async (_, exchange) => {
      const expected = readable(exchange.path, exchange) as JsonRecord
      const here = readable(exchange.path, await askGrpc(client, exchange)) as JsonRecord
      expect(compare(grpcName(exchange), expected, here)).toEqual([])
    },
  )

  it.each(
    ['v1alpha', 'v1'].flatMap((version) =>
      reflectionExchanges().map((exchange) => [version, reflectionName(exchange), exchange] as const),
    ),
  )('to %s %s', async (version, name, { request, answer }) => {
    const here = await (await asking()).reflect(client, version, request)
    expect(compare(name, answer, here)).toEqual([])
  })

  // Last, because one of them is a transaction.
  const posts = restExchanges().filter(({ method }) => method === 'POST')
  it.each(posts.map((exchange) => [restName(exchange).slice(0, 60), exchange] as const))(
    'to %s',
    async (_, exchange) => {
      const here = await askRest(node, exchange)
      const { status, content_type, body } = exchange
      const rest = compare(restName(exchange), { status, content_type, body }, here)
      const refused = refusedTxs().find(({ tx }) => tx !== '' && restName(exchange).includes(`"${tx}","mode`))
      expect(refused === undefined ? rest : unaccepted(refused.name, rest, acceptedRefusals, used)).toEqual([])
    },
  )

  it('differs in nothing that is accepted in vain', () => {
    expect([...accepted, ...acceptedRefusals].filter((rule) => !used.has(rule))).toEqual([])
  })
})
