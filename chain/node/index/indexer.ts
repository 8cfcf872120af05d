import { type Bytes, concatBytes } from '@coin/base/bytes'
import { txHash } from '@coin/engine/comet/hashes'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { KvDatabase, KvOperation } from '@coin/store/kv-database'
import { createPostingWriter, type PostingTables, placeOf, placeToBytes } from './postings.js'

/** First bytes of the index's rows. A number is never used again for something else. */
export const txTables: PostingTables = { tags: 1, values: 2, places: 3 }
export const blockTables: PostingTables = { tags: 4, values: 5, places: 6 }
export const hashTable = 7 // transaction hash -> place, 8 bytes, and 1 when it succeeded
const heightKey = Uint8Array.of(8) // -> last indexed height as a place

/** Last block in the index; 0 when it is empty. */
export function readIndexedHeight(db: KvDatabase): number {
  const row = db.get(heightKey)
  return row ? Number(new DataView(row.buffer, row.byteOffset, row.length).getBigUint64(0)) : 0
}

export interface Indexer {
  /** Last block in the index. */
  height(): number
  /**
   * Indexes the blocks up to `height` that are not in the index yet. Pruned ones are left out. Stops in front of a block that this
   * thread cannot see yet: LMDB shows it what another thread has written only from time to time.
   */
  indexUpTo(height: number): void
}

/** The only writer of the index. Everything in it comes from the block store, so it can be thrown away at any time. */
export function createIndexer(db: KvDatabase, blocks: BlockReads): Indexer {
  const txs = createPostingWriter(db, txTables)
  const headers = createPostingWriter(db, blockTables)
  let last = readIndexedHeight(db)

  function indexBlock(height: number): KvOperation[] | undefined {
    const results = blocks.results(height)
    if (!results) return undefined
    const operations: KvOperation[] = [[heightKey, placeToBytes(height)]]
    headers.add(placeOf(height, 0), results.events, operations)
    const fresh = new Map<string, boolean>()
    blocks.txs(height).forEach((tx, index) => {
      const { code, events } = results.txResults[index]!
      const place = placeOf(height, index)
      txs.add(place, events, operations)
      const row = hashRow(txHash(tx), place, code === 0, fresh)
      if (row) operations.push(row)
    })
    return operations
  }

  /** The same bytes may come again in a later block: a failure does not hide an earlier success. */
  function hashRow(hash: Bytes, place: number, isGood: boolean, fresh: Map<string, boolean>): KvOperation | undefined {
    const key = concatBytes(Uint8Array.of(hashTable), hash)
    const name = String.fromCharCode(...hash)
    const wasGood = fresh.get(name) ?? db.get(key)?.[8] === 1
    if (!isGood && wasGood) return undefined
    fresh.set(name, isGood)
    return [key, concatBytes(placeToBytes(place), Uint8Array.of(isGood ? 1 : 0))]
  }

  return {
    height: () => last,
    indexUpTo(height) {
      for (let at = Math.max(last + 1, blocks.base()); at <= height; at++) {
        const operations = indexBlock(at)
        if (!operations) return
        // Not synced: a power failure costs an index that is built again, and blocks need not wait for it.
        db.batch(operations, { sync: false })
        last = at
      }
    },
  }
}
