import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import { createBlockStore } from '@coin/engine/embedded/block-store'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { createIndexer } from './indexer.js'

// The thread of `indexInWorker`: reads the block store, writes the index, says how far it is.
assert(parentPort, 'the index worker runs as a worker thread')
const port = parentPort
const paths = workerData as { readonly blocks: string; readonly index: string }
const blocks = openKvDatabase(paths.blocks)
const index = openKvDatabase(paths.index)
const indexer = createIndexer(index, createBlockStore(blocks))
/** Blocks in one turn: between turns this thread sees newer blocks, and can be told to end. */
const blocksPerTurn = 20
let target = 0
let isClosing = false
let isScheduled = false

function turn(): void {
  isScheduled = false
  if (isClosing) return
  indexer.indexUpTo(Math.min(target, indexer.height() + blocksPerTurn))
  port.postMessage({ reached: indexer.height() })
  if (indexer.height() < target) schedule()
}

function schedule(): void {
  if (!isScheduled) setImmediate(turn)
  isScheduled = true
}

port.on('message', async (message: { readonly height?: number; readonly close?: boolean }) => {
  if (message.height !== undefined) {
    target = message.height
    schedule()
  }
  if (message.close) {
    isClosing = true
    await index.close()
    await blocks.close()
    port.close()
  }
})
