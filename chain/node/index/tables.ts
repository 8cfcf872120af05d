import type { KvDatabase } from '@coin/store/kv-database'
import { bytesToPlace } from './places.js'
import type { PostingTables } from './posting-rows.js'

/** First bytes of the index's rows. A number is never used again for something else. */
export const txTables: PostingTables = { tags: 14, values: 15, places: 16 }
export const blockTables: PostingTables = { tags: 17, values: 18, places: 19 }
export const hashTable = 7 // transaction hash -> place, 8 bytes, and 1 when it succeeded
export const heightKey = Uint8Array.of(13) // -> last indexed height, 8 bytes
export const formatKey = Uint8Array.of(20) // -> format of the rows, a byte; none in the first format
export const sweptKey = Uint8Array.of(21) // -> height below which pruned rows have been removed, 8 bytes

/** Of the rows as they are written now. An index of another one is built again. */
export const format = 2

/** Last block in the index; 0 when it is empty. */
export function readIndexedHeight(db: KvDatabase): number {
  const row = db.get(heightKey)
  return row ? bytesToPlace(row) : 0
}

/** Whether the rows, if there are any, are of the format that is written now. */
export function hasThisFormat(db: KvDatabase): boolean {
  return !db.has(heightKey) || db.get(formatKey)?.[0] === format
}

/** Height below which rows of pruned blocks have been removed. */
export function readSweptHeight(db: KvDatabase): number {
  const row = db.get(sweptKey)
  return row ? bytesToPlace(row) : 0
}
