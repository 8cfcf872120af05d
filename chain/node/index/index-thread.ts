import { Worker } from 'node:worker_threads'
import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { status } from '@coin/runtime/status'
import type { KvDatabase } from '@coin/store/kv-database'
import type { TxPosition } from '../ports.js'
import { createIndexProgress } from './index-progress.js'
import type { WorkerData, WorkerMessage } from './index-worker.js'
import { createIndexer } from './indexer.js'
import { readIndexedHeight } from './tables.js'
import { createIndexReads, type IndexReads } from './tx-index.js'

/** Writes the index somewhere: in a thread of its own, or right here. */
export interface IndexRunner {
  /** Brings the index up to `height`; `done` is called with each height reached. Blocks below `base` are pruned. */
  advance(height: number, base: number): void
  close(): Promise<void>
}

export type StartRunner = (done: (height: number) => void, failed: (error: Error) => void) => IndexRunner

/** What the index needs to be told of a block; it reads the rest itself. */
export type IndexedBlock = Pick<CommittedBlock, 'txHashes'> & {
  readonly block: { readonly header: { readonly height: number } }
}

/** The index as the node keeps it: fed with blocks, searched by RPC and REST. */
export interface TxIndexing extends IndexReads {
  /** Takes each block, in order, as soon as `blocks` shows it: `engine.onBlock(index.add)`. */
  readonly add: (committed: IndexedBlock) => void
  /** Last block in the index. */
  height(): number
  /** Done when every block that is committed now is in the index. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

export interface TxIndexingDependencies {
  /** The index. */
  readonly db: KvDatabase
  /** The chain, over any handle of its database. */
  readonly blocks: BlockReads
  readonly log: Logger
  readonly start: StartRunner
  /** See `IndexReadDependencies`. */
  readonly costMax?: number
  /** How long a search waits for blocks that are not in the index yet. Default 10 s. */
  readonly waitMsMax?: number
}

/** Blocks that a broken index no longer takes are still found by hash; of so many transactions. */
const recentMax = 500_000

/** At one time: each may take half a second, and goes on when its client has left. */
const searchesMax = 300
/** So many begin in the same turn of the event loop. */
const searchesAtOnce = 8

/**
 * Starts with what the last run left out, then follows. Transactions of blocks that the index does not hold yet are found
 * by hash all the same, so a client that was told of its transaction never gets a "not found".
 */
export function createTxIndexing(dependencies: TxIndexingDependencies): TxIndexing {
  const { db, blocks, log, start, costMax } = dependencies
  const recent = new Map<string, TxPosition>()
  const progress = createIndexProgress({
    start: readIndexedHeight(db),
    target: blocks.height(),
    waitMsMax: dependencies.waitMsMax ?? 10_000,
    log,
  })
  const searches = new Set<Promise<unknown>>()
  const nextSlice = oneEachTurn()

  const runner = start(
    (height) => {
      for (const [name, position] of recent) {
        if (position.height > height) break
        recent.delete(name)
      }
      progress.reach(height)
    },
    (error) => {
      if (!progress.fail(status('unavailable', `the tx index has stopped: ${error.message}`))) return
      log.error({ error: error.message }, 'the tx index has stopped; searches fail until the node is started again')
    },
  )
  if (blocks.height() > progress.reached()) runner.advance(blocks.height(), blocks.base())

  const reads = createIndexReads({
    db,
    blocks,
    recent: (hash) => recent.get(nameOf(hash)),
    caughtUp: () => progress.wait(blocks.height()),
    async pause() {
      await nextSlice()
      progress.requireOpen()
    },
    ...(costMax !== undefined && { costMax }),
  })
  /** Nothing may read the databases once they are closed. */
  const track = async <T>(run: () => Promise<T>): Promise<T> => {
    if (searches.size >= searchesMax) throw status('unavailable', 'too many searches at once, try again')
    const search = searches.size < searchesAtOnce ? run() : nextSlice().then(run)
    searches.add(search)
    const forget = () => searches.delete(search)
    search.then(forget, forget)
    return search
  }
  return {
    get(hash) {
      progress.requireOpen()
      return reads.get(hash)
    },
    search: (request) => track(() => reads.search(request)),
    searchBlocks: (request) => track(() => reads.searchBlocks(request)),
    add({ block, txHashes }) {
      const { height } = block.header
      txHashes.forEach((hash, index) => {
        const name = nameOf(hash)
        recent.delete(name)
        recent.set(name, { height, index })
      })
      for (const name of recent.keys()) {
        if (recent.size <= recentMax) break
        recent.delete(name)
      }
      progress.aim(height)
      runner.advance(height, blocks.base())
    },
    height: progress.reached,
    caughtUp: () => progress.wait(blocks.height()),
    async close() {
      progress.close()
      await Promise.allSettled(searches)
      await runner.close()
    },
  }
}

/** Of many searches one goes on in each turn of the event loop, so that other requests do not wait for all of them. */
function oneEachTurn(): () => Promise<void> {
  const waiting: (() => void)[] = []
  const next = () => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(next)
    })
}

function nameOf(hash: Bytes): string {
  return String.fromCharCode(...hash)
}

/** Indexes in this thread, between other work: for tests and databases in memory. */
export function indexHere(db: KvDatabase, blocks: BlockReads, indexEvents?: readonly string[]): StartRunner {
  return (done, failed) => {
    const indexer = createIndexer(db, blocks, indexEvents)
    let target = 0
    let scheduled = false
    let closed = false
    function step(): void {
      scheduled = false
      if (closed) return
      try {
        indexer.indexUpTo(Math.min(target, Math.max(indexer.height() + 1, blocks.base())))
        done(indexer.height())
        const hasMore = indexer.sweep()
        if (hasMore || indexer.height() < target) schedule()
      } catch (error) {
        failed(error as Error)
      }
    }
    function schedule(): void {
      if (!scheduled) setImmediate(step)
      scheduled = true
    }
    return {
      advance(height) {
        target = height
        schedule()
      },
      async close() {
        closed = true
      },
    }
  }
}

/** Indexes in a worker thread that opens both databases itself; blocks are made meanwhile on the other core. */
export function indexInWorker(data: WorkerData): StartRunner {
  return (done, failed) => {
    const worker = new Worker(new URL('./index-worker.js', import.meta.url), { workerData: data })
    const tell = (message: WorkerMessage) => worker.postMessage(message)
    let closing = false
    worker.on('message', (message: { readonly reached?: number; readonly error?: string }) => {
      if (message.reached !== undefined) done(message.reached)
    })
    worker.on('error', failed)
    const ended = new Promise<void>((resolve) => {
      worker.on('exit', (code) => {
        if (!closing) failed(new RangeError(`the index worker ended with code ${code}`))
        resolve()
      })
    })
    return {
      advance: (height, base) => tell({ height, base }),
      async close() {
        closing = true
        tell({ close: true })
        await ended
      },
    }
  }
}
