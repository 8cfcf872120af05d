import { Worker } from 'node:worker_threads'
import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import type { KvDatabase } from '@coin/store/kv-database'
import type { TxPosition } from '../ports.js'
import { createIndexer, readIndexedHeight } from './indexer.js'
import { createIndexReads, type IndexReads } from './tx-index.js'

/** Writes the index somewhere: in a thread of its own, or right here. */
export interface IndexRunner {
  /** Brings the index up to `height`; `done` is called with each height reached. */
  advance(height: number): void
  close(): Promise<void>
}

export type StartRunner = (done: (height: number) => void, failed: (error: Error) => void) => IndexRunner

/** The index as the node keeps it: fed with blocks, searched by RPC and REST. */
export interface TxIndexing extends IndexReads {
  /** Takes each committed block, in order: `engine.onBlock(index.add)`. */
  readonly add: (committed: CommittedBlock) => void
  /** Last block in the index. */
  height(): number
  /** Done when every block that is committed now is in the index. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

export interface TxIndexingDependencies {
  readonly db: KvDatabase
  readonly blocks: BlockReads
  readonly log: Logger
  readonly start: StartRunner
  readonly stepsMax?: number
}

/**
 * Starts with what the last run left out, then follows. Transactions of blocks that the index does not hold yet are found
 * by hash all the same, so a client that was told of its transaction never gets a "not found".
 */
export function createTxIndexing({ db, blocks, log, start, stepsMax }: TxIndexingDependencies): TxIndexing {
  const recent = new Map<string, TxPosition>()
  let waiting: { readonly height: number; readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  let reached = readIndexedHeight(db)
  let failure: Error | undefined

  const runner = start(
    (height) => {
      reached = height
      for (const [name, position] of recent) {
        if (position.height > height) break
        recent.delete(name)
      }
      for (const waiter of waiting) if (waiter.height <= height) waiter.resolve()
      waiting = waiting.filter((waiter) => waiter.height > height)
    },
    (error) => {
      failure = error
      log.error({ error: error.message }, 'the tx index has stopped; searches fail until the node is started again')
      for (const waiter of waiting) waiter.reject(error)
      waiting = []
    },
  )
  if (blocks.height() > reached) {
    log.info({ from: reached + 1, to: blocks.height() }, 'indexing blocks that were left out')
    runner.advance(blocks.height())
  }

  const caughtUp = () => {
    const height = blocks.height()
    if (failure) return Promise.reject(failure)
    if (reached >= height) return Promise.resolve()
    return new Promise<void>((resolve, reject) => {
      waiting.push({ height, resolve, reject })
    })
  }
  const reads = createIndexReads({
    db,
    blocks,
    recent: (hash) => recent.get(nameOf(hash)),
    caughtUp,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    ...(stepsMax !== undefined && { stepsMax }),
  })
  return {
    ...reads,
    add({ block, txHashes }) {
      const { height } = block.header
      txHashes.forEach((hash, index) => {
        const name = nameOf(hash)
        recent.delete(name)
        recent.set(name, { height, index })
      })
      runner.advance(height)
    },
    height: () => reached,
    caughtUp,
    close: () => runner.close(),
  }
}

function nameOf(hash: Bytes): string {
  return String.fromCharCode(...hash)
}

/** Indexes in this thread, between other work: for tests and databases in memory. */
export function indexHere(db: KvDatabase, blocks: BlockReads): StartRunner {
  return (done, failed) => {
    const indexer = createIndexer(db, blocks)
    let target = 0
    let scheduled = false
    let closed = false
    function step(): void {
      scheduled = false
      if (closed) return
      try {
        indexer.indexUpTo(Math.min(target, Math.max(indexer.height() + 1, blocks.base())))
        done(indexer.height())
        if (indexer.height() < target) schedule()
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
export function indexInWorker(paths: { readonly blocks: string; readonly index: string }): StartRunner {
  return (done, failed) => {
    const worker = new Worker(new URL('./index-worker.js', import.meta.url), { workerData: paths })
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
      advance: (height) => worker.postMessage({ height }),
      async close() {
        closing = true
        worker.postMessage({ close: true })
        await ended
      },
    }
  }
}
