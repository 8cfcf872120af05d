import { type Bytes, concatBytes } from '@coin/base/bytes'
import { txHash } from '@coin/engine/comet/hashes'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { KvDatabase, KvOperation } from '@coin/store/kv-database'
import { placeOf, placeToBytes } from './places.js'
import { createPostingWriter } from './posting-writer.js'
import { createSweep, type Sweep } from './sweep.js'
import {
  blockTables,
  format,
  formatKey,
  hashTable,
  heightKey,
  readIndexedHeight,
  readSweptHeight,
  sweptKey,
  txTables,
} from './tables.js'

/** Which tags (`transfer.recipient`) are in the index; app.toml's `index-events`, where none means all. */
export function tagFilter(indexEvents: readonly string[]): (tag: string) => boolean {
  const tags = new Set(indexEvents)
  return tags.size === 0 ? () => true : (tag) => tags.has(tag)
}

export interface Indexer {
  /** Last block in the index. */
  height(): number
  /**
   * Indexes the blocks up to `height` that are not in the index yet. Pruned ones are left out. Stops in front of a block that this
   * thread cannot see yet: LMDB shows it what another thread has written only from time to time.
   */
  indexUpTo(height: number): void
  /** Removes some rows of pruned blocks; whether there are more. Takes some milliseconds at most. */
  sweep(): boolean
}

/** The only writer of the index. Everything in it comes from the block store, so it can be thrown away at any time. */
export function createIndexer(db: KvDatabase, blocks: BlockReads, indexEvents: readonly string[] = []): Indexer {
  const isIndexed = tagFilter(indexEvents)
  const txs = createPostingWriter(db, txTables, isIndexed)
  const headers = createPostingWriter(db, blockTables, isIndexed)
  let sweep: Sweep | undefined
  let last = readIndexedHeight(db)

  /** Whether the transactions of this batch succeeded, by hash. */
  const fresh = new Map<string, boolean>()

  function indexBlock(height: number): readonly KvOperation[] | undefined {
    const results = blocks.results(height)
    if (!results) return undefined
    const operations: KvOperation[] = [[heightKey, placeToBytes(height)]]
    if (last === 0) operations.push([formatKey, Uint8Array.of(format)])
    headers.add(0, results.events)
    blocks.txs(height).forEach((tx, index) => {
      const { code, events } = results.txResults[index]!
      txs.add(index, events)
      const row = hashRow(txHash(tx), placeOf(height, index), code === 0)
      if (row) operations.push(row)
    })
    return [...operations, ...headers.finish(height), ...txs.finish(height)]
  }

  /** The same bytes may come again in a later block: a failure does not hide an earlier success. */
  function hashRow(hash: Bytes, place: number, isGood: boolean): KvOperation | undefined {
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
      let batch: KvOperation[] = []
      const write = (upTo: number) => {
        // Not synced: a power failure costs an index that is built again, and blocks need not wait for it.
        db.batch(sortByKey(batch), { sync: false })
        last = upTo
        batch = []
        fresh.clear()
      }
      let at = Math.max(last + 1, blocks.base())
      for (; at <= height; at++) {
        const operations = indexBlock(at)
        if (!operations) break
        for (const operation of operations) batch.push(operation)
        if (batch.length >= batchRows) write(at)
      }
      if (batch.length > 0) write(at - 1)
    },
    sweep() {
      const base = Math.min(blocks.base(), last)
      if (sweep === undefined) {
        const swept = readSweptHeight(db)
        const isWorthIt = base - swept >= Math.max(sweptBlocksMin, (last - base) * sweptPart)
        if (!isWorthIt) return false
        sweep = createSweep(db, base)
      }
      if (sweep.step()) return true
      db.batch([[sweptKey, placeToBytes(sweep.base)]], { sync: false })
      sweep = undefined
      return false
    },
  }
}

/** A sweep looks at every list: it waits until so many blocks, and such a part of those that are left, have been pruned. */
const sweptBlocksMin = 100
const sweptPart = 0.1

/** Rows in one write, a block more or less: small blocks share a write when the index is behind. */
const batchRows = 10_000

/** The database writes neighbours a good deal faster. Later writes of one key stay behind earlier ones. */
function sortByKey(operations: readonly KvOperation[]): readonly KvOperation[] {
  const named = operations.map((operation) => {
    const [key] = operation
    return { name: Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1'), operation }
  })
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return named.map(({ operation }) => operation)
}
