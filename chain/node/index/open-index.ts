import { join } from 'node:path'
import type { Logger } from '@coin/base/logger'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { clearIndexFolder, markIndexBroken, readBootId, useIndexFolder } from './index-folder.js'
import {
  createTxIndexing,
  type IndexedBlock,
  indexInWorker,
  type StartRunner,
  type TxIndexing,
} from './index-thread.js'
import { hasThisFormat, readIndexedHeight } from './tables.js'

export interface OpenIndexOptions {
  /** The chain's data folder: `blocks` in it is read, `tx_index` written. */
  readonly dataDir: string
  /** Whoever knows the blocks: the engine, or a thread that is told of them and reads them over its own handle. */
  readonly engine: {
    readonly blocks: BlockReads
    onBlock(listener: (block: IndexedBlock) => void): () => void
  }
  readonly log: Logger
  /** Tags to index, such as `transfer.recipient`; none means all. Blocks that are in the index already stay as they are. */
  readonly indexEvents?: readonly string[]
}

/** Opens the index of a chain, written by a thread of its own, and follows the chain from now on. */
export async function openTxIndex({ dataDir, engine, log, indexEvents = [] }: OpenIndexOptions): Promise<TxIndexing> {
  const path = join(dataDir, 'tx_index')
  let release = useIndexFolder(path, readBootId(), log)
  const reason = await reasonToRebuild(path, engine.blocks.height())
  if (reason !== undefined) {
    log.warn({ path }, `${reason}; it is built again`)
    clearIndexFolder(path)
    release = useIndexFolder(path, readBootId(), log)
  }
  const db = openKvDatabase(path)
  const run = indexInWorker({ index: path, blocks: join(dataDir, 'blocks'), indexEvents })
  let isBroken = false
  const start: StartRunner = (done, failed) =>
    run(done, (error) => {
      isBroken = true
      markIndexBroken(path)
      failed(error)
    })
  const index = createTxIndexing({ db, blocks: engine.blocks, log, start })
  const unsubscribe = engine.onBlock(index.add)
  return {
    ...index,
    async close() {
      unsubscribe()
      await index.close()
      await db.close()
      if (!isBroken) release()
    },
  }
}

async function reasonToRebuild(path: string, chainHeight: number): Promise<string | undefined> {
  const db = openKvDatabase(path)
  try {
    if (!hasThisFormat(db)) return 'the tx index is of another version'
    return readIndexedHeight(db) > chainHeight ? 'the tx index knows blocks that the chain does not have' : undefined
  } finally {
    await db.close()
  }
}
