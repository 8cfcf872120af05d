import type { Bytes } from '@coin/base/bytes'
import type { Chain } from '@coin/node/chain'
import { sendMessage } from '../traffic/sender.js'
import { openBenchChain } from './bench-chain.js'
import { type ProcessorTime, startProcessorTime } from './processor-time.js'
import type { StageTime } from './stages.js'

export interface SendsResult {
  readonly transactions: number
  readonly perSecond: number
  readonly processor: ProcessorTime
  readonly latency: Latency
  readonly blocks: number
  readonly stages: readonly StageTime[]
}

/** What a wallet asks for, with some room: a send uses about 85,000. */
const gasPerSend = 100_000n

/** Gas of a block of a new chain. */
const blockGas = 100_000_000n

/** Transactions in the mempool at a time: what two blocks take, so that blocks are never short of work. */
export function windowOf(gasEach: bigint): number {
  return Number((2n * blockGas) / gasEach)
}

/** More than are in a block, so that a block's changes do not fall together. */
const senderCount = 4000

/**
 * Signed bank sends in, committed out: from the first submission to the commit of the last. Recipients are among the idle
 * accounts, all over the tree.
 */
export async function benchSends(options: { transactions: number; idle: number }): Promise<SendsResult> {
  const bench = await openBenchChain({ senders: senderCount, idle: options.idle })
  try {
    const { chain, senders, idle, stages } = bench
    chain.engine.start()
    await nextBlock(chain)
    const sign = (count: number): Bytes[] =>
      Array.from({ length: count }, (_, index) => {
        const sender = senders[index % senders.length]!
        const to = idle[(Math.imul(index, 2654435761) >>> 0) % idle.length]!
        return sender.sign([sendMessage(sender.address, to, 1_000n)], { gas: gasPerSend })
      })
    await commitAll(chain, sign(4000)) // warm: compiled code, filled caches
    const txs = sign(options.transactions)
    stages.reset()
    const firstHeight = chain.engine.state().lastHeight
    const processorTime = startProcessorTime()
    const begin = process.hrtime.bigint()
    const latency = await commitAll(chain, txs)
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9
    return {
      transactions: txs.length,
      perSecond: txs.length / seconds,
      processor: processorTime(txs.length),
      latency,
      blocks: chain.engine.state().lastHeight - firstHeight,
      stages: [...stages.perTx(txs.length), { stage: 'total', us: (seconds * 1e6) / txs.length }],
    }
  } finally {
    await bench.close()
  }
}

export function nextBlock(chain: Chain): Promise<void> {
  return new Promise((resolve) => {
    const end = chain.engine.onBlock(() => {
      end()
      resolve()
    })
  })
}

/** From submission to the commit of the block, milliseconds. With a full window of others in front: what an overload feels like. */
export interface Latency {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Submits in order, a window at a time, and resolves when all are in blocks. Throws when one is refused or fails. */
export async function commitAll(chain: Chain, txs: readonly Bytes[], window = windowOf(gasPerSend)): Promise<Latency> {
  const { mempool } = chain.engine
  const beganMs = new Float64Array(txs.length)
  const tookMs = new Float64Array(txs.length)
  let submitted = 0
  let committed = 0
  let fail: (error: Error) => void = () => undefined
  let done: () => void = () => undefined
  const finished = new Promise<void>((resolve, reject) => {
    done = resolve
    fail = reject
  })
  const fill = () => {
    while (submitted < txs.length && submitted - committed < window) {
      beganMs[submitted] = performance.now()
      mempool.submit(txs[submitted++]!).checked.then(({ code, log }) => {
        if (code !== 0) fail(new RangeError(`refused with code ${code}: ${log}`))
      }, fail)
    }
  }
  const end = chain.engine.onBlock(({ results }) => {
    const bad = results.txResults.find(({ code }) => code !== 0)
    if (bad !== undefined) return fail(new RangeError(`failed with code ${bad.code}: ${bad.log}`))
    // Blocks take them in the order of their submission.
    const nowMs = performance.now()
    const end = committed + results.txResults.length
    for (; committed < end; committed++) tookMs[committed] = nowMs - beganMs[committed]!
    if (committed >= txs.length) done()
    else setImmediate(fill)
  })
  try {
    fill()
    await finished
  } finally {
    end()
  }
  tookMs.sort()
  const at = (part: number) => tookMs[Math.floor((tookMs.length - 1) * part)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

if (process.argv[1]?.endsWith('sends.js')) {
  const result = await benchSends({
    transactions: Number(process.argv[2] ?? 20_000),
    idle: Number(process.argv[3] ?? 50_000),
  })
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
