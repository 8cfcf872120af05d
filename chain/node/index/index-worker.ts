import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import { createBlockStore } from '@coin/engine/embedded/block-store'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { createIndexer } from './indexer.js'

export interface WorkerData {
  /** Folders of the two databases. */
  readonly blocks: string
  readonly index: string
  /** See `tagFilter`. */
  readonly indexEvents: readonly string[]
}

/** Go on up to `height`, with nothing left below `base`; or end. */
export type WorkerMessage = { readonly height: number; readonly base: number } | { readonly close: true }

// The thread of `indexInWorker`: reads the block store, writes the index, says how far it is.
assert(parentPort, 'the index worker runs as a worker thread')
const port = parentPort
const data = workerData as WorkerData
const blocks = openKvDatabase(data.blocks)
const index = openKvDatabase(data.index)
/** Lowest block that is kept: pruned by the other thread, which tells. */
let base = 0
const indexer = createIndexer(index, { ...createBlockStore(blocks), base: () => base }, data.indexEvents)
/** Blocks in one turn: between turns this thread sees newer blocks, and can be told to end. */
const blocksPerTurn = 20
/** How long to wait for a block that is committed but not to be seen yet. */
const unseenMs = 2
/** Between two steps of the removal of pruned rows, which take a few milliseconds: they never keep a core busy. */
const sweepMs = 20
let target = 0
let isClosing = false
let isScheduled = false

function turn(): void {
  isScheduled = false
  if (isClosing) return
  const before = indexer.height()
  blocks.refresh()
  indexer.indexUpTo(Math.min(target, Math.max(before, base - 1) + blocksPerTurn))
  const reached = indexer.height()
  if (reached > before) port.postMessage({ reached })
  if (reached < target) schedule(reached > before ? 0 : unseenMs)
  else scheduleSweep()
}

let sweeping: NodeJS.Timeout | undefined

function scheduleSweep(): void {
  sweeping ??= setTimeout(() => {
    sweeping = undefined
    if (!isClosing && indexer.sweep()) scheduleSweep()
  }, sweepMs)
}

/** Without a delay the next turn would come before LMDB shows what was committed since. */
function schedule(delayMs: number): void {
  if (isScheduled) return
  isScheduled = true
  if (delayMs > 0) setTimeout(turn, delayMs)
  else setImmediate(turn)
}

port.on('message', async (message: WorkerMessage) => {
  if ('height' in message) {
    target = message.height
    base = message.base
    schedule(0)
  } else {
    isClosing = true
    clearTimeout(sweeping)
    await index.close()
    await blocks.close()
    port.close()
  }
})
