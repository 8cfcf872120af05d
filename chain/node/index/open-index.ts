import { join } from 'node:path'
import type { Logger } from '@coin/base/logger'
import type { EmbeddedEngine } from '@coin/engine/embedded/engine'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { clearIndexFolder, readBootId, useIndexFolder } from './index-folder.js'
import { createTxIndexing, indexInWorker, type TxIndexing } from './index-thread.js'
import { readIndexedHeight } from './indexer.js'

export interface OpenIndexOptions {
  /** The chain's data folder: `blocks` in it is read, `tx_index` written. */
  readonly dataDir: string
  readonly engine: Pick<EmbeddedEngine, 'blocks' | 'onBlock'>
  readonly log: Logger
}

/** Opens the index of a chain, written by a thread of its own, and follows the chain from now on. */
export async function openTxIndex({ dataDir, engine, log }: OpenIndexOptions): Promise<TxIndexing> {
  const path = join(dataDir, 'tx_index')
  const release = useIndexFolder(path, readBootId(), log)
  if ((await heightOfFolder(path)) > engine.blocks.height()) {
    log.warn({ path }, 'the tx index knows blocks that the chain does not have; it is built again')
    clearIndexFolder(path)
    useIndexFolder(path, readBootId(), log)
  }
  const db = openKvDatabase(path)
  const index = createTxIndexing({
    db,
    blocks: engine.blocks,
    log,
    start: indexInWorker({ index: path, blocks: join(dataDir, 'blocks') }),
  })
  const unsubscribe = engine.onBlock(index.add)
  return {
    ...index,
    async close() {
      unsubscribe()
      await index.close()
      await db.close()
      release()
    },
  }
}

async function heightOfFolder(path: string): Promise<number> {
  const db = openKvDatabase(path)
  const height = readIndexedHeight(db)
  await db.close()
  return height
}
