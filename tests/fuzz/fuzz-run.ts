import { readFileSync } from 'node:fs'
import { createRandom, type Random } from '@coin/base/testing/random'
import { descriptors } from '@coin/wire/registry'
import { createRoutes, type Route } from '@coin/wire/routes'
import { launchContract, type RestNode, readArtifact, startRestNode } from '../rest/rest-node.js'
import { sendMessage } from '../traffic/sender.js'
import { createGrpcClient } from './grpc-client.js'
import { checkRest, checkRpc, createHttpClient, describeRequest, sendGarbage } from './http-client.js'
import { createRestRequests, type HttpRequest } from './rest-requests.js'
import { anyRpcRequest } from './rpc-requests.js'
import type { Seeds } from './seeds.js'
import { createSocketClient } from './socket-client.js'
import { count, createTally, type Tally } from './tally.js'

export interface FuzzOptions {
  readonly seed: number
  readonly requests: number
  /** Requests at one time. */
  readonly lanes: number
}

export interface FuzzResult {
  readonly tally: Tally
  readonly seconds: number
  /** MiB that are the process's own, without files that it maps, after each tenth of the requests. */
  readonly memory: readonly number[]
  readonly blocks: number
  readonly longestBlockMs: number
  /** Lines of the log that tell of a failure. */
  readonly failures: readonly string[]
  /** The process still runs. */
  readonly isAlive: boolean
}

const blockTimeMs = 500
/** The node answers everything within this time; a broadcast that waits for its block takes longest. */
const answerMsMax = 30_000

/** `undefined` when it takes longer. */
function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Sends random requests to every door of a real node. */
export async function runFuzz({ seed, requests, lanes }: FuzzOptions): Promise<FuzzResult> {
  const flags = ['--engine.block-time', `${blockTimeMs}ms`, '--grpc.enable', 'true', '--grpc.address', '127.0.0.1:0']
  const node = await startRestNode('fuzz-1', 8, flags)
  try {
    const { seeds, routes } = await prepare(node)
    const tally = createTally()
    const memory: number[] = []
    const first = await node.height()
    const begin = performance.now()
    let sent = 0
    const grpc = / gRPC is open address=(\S+)/.exec(node.process.log())?.[1]
    await Promise.all(
      Array.from({ length: lanes }, async (_, index) => {
        let lane = createLane(node, grpc, { seeds, routes }, tally)
        const random = createRandom(seed + index)
        while (sent < requests && node.process.child.exitCode === null) {
          const more = await within(answerMsMax, lane.send(random))
          if (more === undefined) {
            tally.wrong.push(`no answer after ${answerMsMax} ms: ${lane.doing()}`)
            lane.close()
            lane = createLane(node, grpc, { seeds, routes }, tally)
          }
          const before = sent
          sent += more ?? 1
          const tenth = requests / 10
          if (Math.floor(before / tenth) !== Math.floor(sent / tenth)) memory.push(ownMemory(node.process.child.pid!))
        }
        lane.close()
      }),
    )
    const seconds = (performance.now() - begin) / 1000
    const isAlive = node.process.child.exitCode === null
    const blocks = isAlive ? (await node.height()) - first : 0
    const failures = node.process
      .log()
      .split('\n')
      .filter((line) => / ERR |Unhandled|Warning|^\s+at /.test(line))
    return { tally, seconds, memory, blocks, longestBlockMs: await longestBlock(node, first), failures, isAlive }
  } finally {
    await node.close()
  }
}

interface Prepared {
  readonly seeds: Seeds
  readonly routes: readonly Route[]
}

/** Some transactions, a contract, and what of them can be asked for. */
async function prepare(node: RestNode): Promise<Prepared> {
  const [first] = node.senders
  const initial = {
    name: 'Fuzz',
    symbol: 'FUZZ',
    decimals: 6,
    initial_balances: [{ address: first!.address, amount: '9' }],
  }
  const { address: contract } = await launchContract(node, first!, readArtifact('cw20_base'), initial)
  const addresses = node.senders.map(({ address }) => address)
  const txs: Uint8Array[] = []
  const hashes: string[] = []
  const blockHashes: string[] = []
  for (const sender of node.senders) {
    const tx = sender.sign([sendMessage(sender.address, contract, 5n)])
    const { hash, height } = await node.deliver(tx)
    const { block_id } = await node.rpc<{ block_id: { hash: string } }>('block', { height })
    txs.push(tx, sender.sign([sendMessage(sender.address, addresses[0]!, 1n)], { sequence: sender.sequence }))
    hashes.push(hash)
    blockHashes.push(block_id.hash)
  }
  const { json } = await node.get('/cosmos/staking/v1beta1/validators')
  const validators = (json.validators ?? []).map(
    ({ operator_address }: { operator_address: string }) => operator_address,
  )
  const seeds = { addresses, validators: [...validators, 'coinvaloper1x'], contract, hashes, blockHashes, txs }
  return { seeds, routes: await listRoutes(node) }
}

/** The routes of modules that this node has, and a few of those that it has not. */
async function listRoutes(node: RestNode): Promise<readonly Route[]> {
  const found: Route[] = []
  for (const [index, route] of createRoutes(descriptors()).all.entries()) {
    const { verb, path } = route.rule
    const call = verb === 'GET' ? node.get(path.replace(/[{}=*]/g, '')) : node.post(path, {})
    if (index % 20 === 0 || (await call).status !== 501) found.push(route)
  }
  return found
}

/** One client of each kind; sends one request after the other, of any kind. */
function createLane(node: RestNode, grpcAddress: string | undefined, { seeds, routes }: Prepared, tally: Tally) {
  const { rest: restDoor, rpc: rpcDoor } = node.process
  const [rest, rpc] = [createHttpClient(restDoor), createHttpClient(rpcDoor)]
  const anyRest = createRestRequests(seeds, routes)
  const socket = createSocketClient(rpcDoor, seeds, tally)
  const grpc =
    grpcAddress === undefined
      ? undefined
      : createGrpcClient(
          grpcAddress,
          seeds,
          routes.map((route) => route.method),
          tally,
        )
  const cutOff = (request: HttpRequest) => (error: unknown) => {
    count(tally.answers, `cut off: ${(error as Error).message.slice(0, 60)}`)
    tally.cutOff.push(`${(error as Error).message}: ${describeRequest(request)}`)
  }

  let doing = ''
  async function send(random: Random): Promise<number> {
    const kind = random.int(100)
    if (kind < 45) {
      count(tally.sent, 'REST')
      const request = anyRest(random)
      doing = `REST ${describeRequest(request)}`
      await rest.send(request).then((answer) => checkRest(tally, request, answer), cutOff(request))
      return 1
    }
    if (kind < 75) {
      count(tally.sent, 'RPC')
      const request = anyRpcRequest(random, seeds)
      doing = `RPC ${describeRequest(request)}`
      await rpc.send(request).then((answer) => checkRpc(tally, request, answer), cutOff(request))
      return 1
    }
    if (kind < 77) {
      doing = 'WebSocket'
      const frames = await socket.round(random)
      tally.sent.set('WebSocket frames', (tally.sent.get('WebSocket frames') ?? 0) + frames)
      return frames
    }
    if (kind < 98 && grpc !== undefined) {
      count(tally.sent, 'gRPC')
      await grpc.send(random, (what) => {
        doing = `gRPC ${what}`
      })
      return 1
    }
    count(tally.sent, 'garbage')
    doing = 'garbage'
    await sendGarbage(
      random.pick([restDoor, rpcDoor, ...(grpcAddress === undefined ? [] : [`http://${grpcAddress}`])]),
      random,
    )
    return 1
  }
  return {
    send,
    doing: () => doing,
    close() {
      rest.close()
      rpc.close()
      socket.close()
      grpc?.close()
    },
  }
}

/** MiB of anonymous memory: files that LMDB maps are not the process's own. */
function ownMemory(pid: number): number {
  const kib = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kib) / 1024)
}

async function longestBlock(node: RestNode, from: number): Promise<number> {
  const last = await node.height()
  const times: number[] = []
  for (let height = from; height <= last; height++) {
    const { header } = await node.rpc<{ header: { time: string } }>('header', { height: String(height) })
    times.push(Date.parse(header.time))
  }
  return Math.max(...times.slice(1).map((time, i) => time - times[i]!))
}

/** The figures as text. */
export function describeFuzz({ tally, seconds, memory, blocks, longestBlockMs, failures }: FuzzResult): string {
  const list = (map: ReadonlyMap<string, number>) =>
    [...map].sort((a, b) => b[1] - a[1]).map(([name, times]) => `${times} x ${name}`)
  const total = [...tally.sent.values()].reduce((sum, times) => sum + times, 0)
  return [
    `${total} requests in ${seconds.toFixed(0)} s; ${blocks} blocks, the longest ${longestBlockMs} ms; own memory ${memory.join(' ')} MiB`,
    `sent: ${list(tally.sent).join(', ')}`,
    `answers: ${list(tally.answers).join(', ')}`,
    'failures that were told:',
    ...list(tally.told).slice(0, 60),
    `cut off: ${tally.cutOff.length}`,
    ...tally.cutOff.slice(0, 30),
    `internal: ${tally.internal.length}`,
    ...tally.internal.slice(0, 30),
    `wrong: ${tally.wrong.length}`,
    ...tally.wrong.slice(0, 30),
    `logged: ${failures.length}`,
    ...failures.slice(0, 30).map((line) => line.slice(0, 600)),
  ].join('\n')
}

if (process.argv[1]?.endsWith('fuzz-run.js')) {
  const [requests = 100_000, seed = 20261121, lanes = 16] = process.argv.slice(2).map(Number)
  process.stdout.write(`${describeFuzz(await runFuzz({ seed, requests, lanes }))}\n`)
}
