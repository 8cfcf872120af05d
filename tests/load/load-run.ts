import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readGenesisFile, writeGenesisFile } from '@coin/node/home/genesis-file'
import { homePaths } from '@coin/node/home/paths'
import { table } from '../bench/report.js'
import { launchContract, readArtifact, startRestNode } from '../rest/rest-node.js'
import { fillBlocks, gasPerSend, hashOf, signSends } from './full-blocks.js'
import type { LoadPlan, LoadReport } from './load-plan.js'

export interface LoadOptions {
  readonly clients: number
  readonly subscribers: number
  readonly thinkMs: number
  readonly blockTimeMs: number
  /** Measured without a load, and with it. */
  readonly idleBlocks: number
  readonly loadedBlocks: number
  readonly seed: number
}

export interface Intervals {
  readonly meanMs: number
  readonly maxMs: number
}

export interface LoadResult {
  readonly idle: Intervals
  readonly loaded: Intervals
  /** Transactions of each block under load. */
  readonly txsPerBlock: readonly number[]
  /** That a block can take. */
  readonly txsPerBlockMax: number
  readonly report: LoadReport
  /** Lines of the node's log that tell of a failure. */
  readonly failures: readonly string[]
}

/** Sends that a block has gas for. The node, its clients and those who send share this machine: so few that a second is enough for all. */
const txsPerBlockMax = 250
const senderCount = 500
/** Waiting transactions: so many blocks' worth, so that none is short of them when the machine is busy with something else. */
const waitingBlocks = 12

/** Sets what a block has gas for. */
function prepare(root: string): void {
  const { genesis } = homePaths(root)
  const { json } = readGenesisFile(genesis)
  const { params } = json.consensus as { params: { block: { max_gas: string } } }
  params.block.max_gas = String(gasPerSend * BigInt(txsPerBlockMax))
  writeGenesisFile(genesis, json)
}

/** A real node with a real load: how long blocks take beside it, and what went wrong. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const flags = [
    ...['--engine.block-time', `${options.blockTimeMs}ms`, '--engine.create-blocks-on-demand', 'false'],
    ...['--grpc.enable', 'true', '--grpc.address', '127.0.0.1:0'],
  ]
  const node = await startRestNode('load-1', senderCount, flags, prepare)
  let clients: ChildProcess | undefined
  try {
    const { senders } = node
    const cw20 = await launchContract(node, senders[0]!, readArtifact('cw20_base'), cw20Of(senders[0]!.address))
    const txs = signSends(senders, txsPerBlockMax * (options.loadedBlocks + 40))
    const idle = await measureBlocks(node, options.idleBlocks)

    const filling = fillBlocks(node.process.rpc, txs, waitingBlocks * txsPerBlockMax)
    await filling.full
    clients = fork(fileURLToPath(new URL('./load-clients.js', import.meta.url)))
    // Clients are on other machines; here they share the cores, but go behind.
    setPriority(clients.pid!, 10)
    const plan: LoadPlan = {
      rest: node.process.rest,
      rpc: node.process.rpc,
      grpc: / gRPC is open address=(\S+)/.exec(node.process.log())?.[1],
      clients: options.clients,
      subscribers: options.subscribers,
      thinkMs: options.thinkMs,
      seed: options.seed,
      addresses: senders.map(({ address }) => address),
      cw20: cw20.address,
      hashes: txs.slice(0, txsPerBlockMax).map(hashOf),
    }
    await ask(clients, plan)
    await node.reach((await node.height()) + 2) // warm
    const first = (await node.height()) + 1
    const loaded = await measureBlocks(node, options.loadedBlocks)
    const report = (await ask(clients, { stop: true })) as LoadReport
    await filling.stop()
    const txsPerBlock = []
    for (let height = first; height < first + options.loadedBlocks; height++)
      txsPerBlock.push(await txCount(node, height))
    const failures = node.process
      .log()
      .split('\n')
      .filter((line) => / ERR |Unhandled|^\s+at /.test(line))
    return { idle, loaded, txsPerBlock, txsPerBlockMax, report, failures }
  } finally {
    clients?.kill()
    await node.close()
  }
}

type Node = Awaited<ReturnType<typeof startRestNode>>

async function ask(child: ChildProcess, message: object): Promise<unknown> {
  child.send(message)
  const gone = once(child, 'exit').then(() => {
    throw new RangeError('the clients are gone')
  })
  gone.catch(() => undefined)
  const [answer] = (await Promise.race([once(child, 'message'), gone])) as [unknown]
  return answer
}

/** From the header of the next block to that of the block `count` later. Asks seldom, to be no load itself. */
async function measureBlocks(node: Node, count: number): Promise<Intervals> {
  const from = (await node.height()) + 1
  let height = from - 1
  while (height < from + count) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    height = await node.height()
  }
  const times: number[] = []
  for (let at = from; at <= from + count; at++) {
    const { header } = await node.rpc<{ header: { time: string } }>('header', { height: String(at) })
    times.push(Date.parse(header.time))
  }
  const intervals = times.slice(1).map((time, i) => time - times[i]!)
  return { meanMs: (times.at(-1)! - times[0]!) / count, maxMs: Math.max(...intervals) }
}

async function txCount(node: Node, height: number): Promise<number> {
  const { block } = await node.rpc<{ block: { data: { txs: readonly string[] } } }>('block', { height: String(height) })
  return block.data.txs.length
}

const cw20Of = (holder: string) => ({
  name: 'Load',
  symbol: 'LOAD',
  decimals: 6,
  initial_balances: [{ address: holder, amount: '1000000000' }],
})

/** The figures as text. */
export function describeLoad({
  idle,
  loaded,
  txsPerBlock,
  txsPerBlockMax: most,
  report,
  failures,
}: LoadResult): string {
  const mean = txsPerBlock.reduce((sum, count) => sum + count, 0) / txsPerBlock.length
  const ratio = ((loaded.meanMs / idle.meanMs - 1) * 100).toFixed(1)
  const ms = (value: number) => value.toFixed(1)
  const kinds = [...report.kinds].sort((a, b) => b.requests - a.requests)
  return [
    `block interval: idle ${ms(idle.meanMs)} ms (longest ${idle.maxMs}), loaded ${ms(loaded.meanMs)} ms (longest ${loaded.maxMs}), ${ratio} %`,
    `transactions a block: ${mean.toFixed(0)} of at most ${most}`,
    `requests: ${report.requests}, ${(report.requests / report.seconds).toFixed(0)} a second, ${report.errors.length} kinds of errors`,
    `events: ${report.told} subscribers told that they are too slow; ${report.blocks.join(' ')} blocks, ${report.txs.join(' ')} transactions`,
    ...report.errors,
    ...failures,
    table([
      ['request', 'count', 'p50 ms', 'p99 ms'],
      ...kinds.map(({ name, requests, p50Ms, p99Ms }) => [name, String(requests), ms(p50Ms), ms(p99Ms)]),
    ]),
  ].join('\n')
}

if (process.argv[1]?.endsWith('load-run.js')) {
  const [clients = 200, thinkMs = 100, loadedBlocks = 20, blockTimeMs = 1000] = process.argv.slice(2).map(Number)
  const options = { clients, subscribers: 10, thinkMs, blockTimeMs, idleBlocks: 10, loadedBlocks, seed: 20261121 }
  process.stdout.write(`${describeLoad(await runLoad(options))}\n`)
}
