import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { Block } from '@coin/engine/comet/types'
import { type BlockReads, createBlockReads } from '@coin/engine/embedded/block-store'
import type { BlockListener, CommittedBlock } from '@coin/engine/embedded/engine'
import { engineErrors } from '@coin/engine/errors'
import type { KvDatabase } from '@coin/store/kv-database'

/** A block that everybody may know of: its state is in the files that the readers read. */
export interface Announcement {
  readonly height: number
  /** Oldest block that is kept. */
  readonly base: number
  /** Oldest state that is kept; 0 when none has been pruned. */
  readonly earliestState: number
  /** sha256 of each transaction, in order. */
  readonly txHashes: readonly Bytes[]
}

/** The chain as the doors know it: up to the last block that was announced, though its files may hold more. */
export interface AnnouncedChain {
  readonly blocks: BlockReads
  earliestState(): number
  /** Done when this height has been announced: other threads may know of it a moment earlier. */
  reached(height: number): Promise<void>
  /** As the engine's. A block is read from disk when a listener looks at it, once for all. */
  onBlock(listener: BlockListener): () => void
  announce(block: Announcement): void
}

/** `db` is a handle of this thread's own of the engine's block database. */
export function createAnnouncedChain(db: KvDatabase, log: Logger): AnnouncedChain {
  const bounds = { height: 0, base: 0 }
  const blocks = createBlockReads(db, bounds)
  const listeners = new Set<BlockListener>()
  let earliestState = 0
  let waiting: { readonly height: number; readonly resolve: () => void }[] = []
  return {
    blocks,
    earliestState: () => earliestState,
    reached(height) {
      if (bounds.height >= height) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ height, resolve }))
    },
    onBlock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    announce(block) {
      db.refresh()
      bounds.height = block.height
      bounds.base = block.base
      earliestState = block.earliestState
      if (block.height === 0) return
      const committed = committedBlock(blocks, block)
      for (const listener of listeners) {
        try {
          listener(committed)
        } catch (error) {
          log.error({ height: block.height, error: (error as Error).stack }, 'a listener to blocks failed')
        }
      }
      for (const { height, resolve } of waiting) if (height <= block.height) resolve()
      waiting = waiting.filter(({ height }) => height > block.height)
    },
  }
}

function committedBlock(blocks: BlockReads, { height, txHashes }: Announcement): CommittedBlock {
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw engineErrors.corruptStore(`block ${height} is announced and cannot be read`)
    return value
  }
  const meta = once(() => present(blocks.meta(height)))
  const whole = once(() => present(blocks.block(height)))
  const results = once(() => present(blocks.results(height)))
  const block: Block = {
    get header() {
      return meta().header
    },
    get txs() {
      return whole().txs
    },
    get evidence() {
      return whole().evidence
    },
    get lastCommit() {
      return whole().lastCommit
    },
  }
  return {
    block,
    txHashes,
    get blockId() {
      return meta().blockId
    },
    get results() {
      return results()
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
