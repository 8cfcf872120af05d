import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import { type BlockReads, createBlockReads } from '@coin/engine/embedded/block-store'
import type { CommittedStates } from '@coin/runtime/app-reader'
import { type BlockTime, emptyBlock } from '@coin/runtime/chain-state'
import { status } from '@coin/runtime/status'
import type { KvDatabase } from '@coin/store/kv-database'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { finishProof } from '@coin/store/proof'
import { openStateReads, type StateReads } from '@coin/store/state-reads'
import { FatalVmError } from '@coin/vm/errors'
import { openAppReader } from '../open-app.js'
import { createAppQueries } from '../services/app-queries.js'
import { toError, toFailure } from '../threads/calls.js'
import { lowerPriority } from '../threads/priority.js'
import { createEnding } from './ending.js'
import {
  type LogRecord,
  ownMemory,
  type ReaderAnswer,
  type ReaderData,
  type ReaderJob,
  type ReaderMessage,
  type ReaderRequest,
  type ReaderResult,
} from './reader-jobs.js'

// The thread of one reader of the pool: opens the application over the state's files and answers one query at a time.

/** Whenever the thread that makes blocks has something to do, it goes first. */
const niceness = 5
/** Header times that are kept at hand. */
const timesMax = 256
/** Answers do not wait longer than this, and the query being run, for those behind them. */
const answersMs = 1

assert(parentPort, 'a reader runs as a worker thread')
const port = parentPort
const { app: settings, begun, ending: endFlags } = workerData as ReaderData
const ending = createEnding(endFlags)
const tell = (message: ReaderMessage) => port.postMessage(message)

lowerPriority(niceness)
const state = openStateReads({ path: join(settings.dataDir, 'state'), run: ending.run })
const blocks = openKvDatabase(join(settings.dataDir, 'blocks'), ending.run)
/** The one that is being answered. */
let current: ReaderJob | undefined
const blockTime = createBlockTime(blocks)
const blockAt = (height: number) => ({ ...emptyBlock(settings.chainId), height, time: blockTime(height) ?? 0n })
const queries = createAppQueries(
  openAppReader(settings, logOverPort(), {
    states: statesOf(state),
    blockAt,
    simulationState: () => ({ branch: state.branch(current?.pending), block: blockAt(state.height) }),
  }),
)

port.on('message', (request: ReaderRequest) => {
  if (request.kind === 'close') void close()
  else ending.mayEnd(() => runBatch(request.jobs))
})
tell({ kind: 'ready', methods: queries.methods() })

/** One after the other, until the pool has taken the rest back. A message wakes the other thread, so answers travel together. */
function runBatch(jobs: readonly ReaderJob[]): void {
  let answers: ReaderAnswer[] = []
  let told = performance.now()
  for (let index = Atomics.add(begun, 0, 1); index < jobs.length; index = Atomics.add(begun, 0, 1)) {
    if (answers.length > 0 && performance.now() - told > answersMs) {
      tell({ kind: 'answers', answers, isLast: false })
      answers = []
      told = performance.now()
    }
    answers.push({ index, ...answer(jobs[index]!) })
  }
  tell({ kind: 'answers', answers, isLast: true })
}

function answer(job: ReaderJob) {
  try {
    current = job
    state.refresh()
    return { result: compact(run(job)) }
  } catch (error) {
    // The machine is not to be trusted any more, a fresh thread is.
    if (error instanceof FatalVmError) throw error
    if (error instanceof CodedError) return { failure: toFailure(error) }
    const bug = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { failure: toFailure(status('internal', 'the query failed; the cause is in the log')), bug }
  } finally {
    current = undefined
  }
}

function run(job: ReaderJob): ReaderResult {
  if (job.kind === 'abci') return queries.abci(job.request)
  return queries[job.kind](job.method, job.request, job.height)
}

/** Of bytes the whole memory travels that they are a part of: what is sent has memory of its own. */
function compact(result: ReaderResult): ReaderResult {
  if (!('value' in result)) {
    const { response, height } = result
    return typeof response === 'string' ? { response, height } : { response: ownMemory(response), height }
  }
  const proofOps = result.proofOps.map(({ type, key, data }) => ({ type, key: ownMemory(key), data: ownMemory(data) }))
  return { ...result, key: ownMemory(result.key), value: ownMemory(result.value), proofOps }
}

function statesOf(reads: StateReads): CommittedStates {
  return {
    get height() {
      return reads.height
    },
    committed: () => reads.committed(),
    at: (height) => reads.at(height),
    prove(height) {
      const path = current?.kind === 'abci' ? current.path : undefined
      assert(path !== undefined, 'a proof without what the trees know of it')
      if (!('path' in path)) throw toError(path, (text) => status('internal', text))
      const values = reads.at(height).store(path.store)
      return finishProof(path, (key) => values.get(key))
    },
  }
}

/** Header times by height, out of the engine's blocks. */
function createBlockTime(db: KvDatabase): BlockTime {
  const read: BlockReads = createBlockReads(db, { height: 0, base: 0 })
  const times = new Map<number, bigint>()
  return (height) => {
    let time = times.get(height) ?? read.meta(height)?.header.time
    if (time === undefined) {
      db.refresh() // the block was stored before its state, but perhaps after the snapshot that is being read
      time = read.meta(height)?.header.time
    }
    if (time === undefined) return undefined
    times.set(height, time)
    if (times.size > timesMax) times.delete(times.keys().next().value!)
    return time
  }
}

function logOverPort(): Logger {
  const write = (level: LogRecord['level']) => (fields: object, message: string) =>
    tell({ kind: 'log', record: { level, fields, message } })
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

async function close(): Promise<void> {
  await state.close()
  await blocks.close()
  port.close()
}
