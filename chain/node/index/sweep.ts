import { type Bytes, equalBytes } from '@coin/base/bytes'
import type { KvDatabase, KvOperation } from '@coin/store/kv-database'
import { bytesToPlace, heightOfPlace } from './places.js'
import { endOfList, heightOfKey, prefixOfKey } from './posting-rows.js'
import { blockTables, hashTable, txTables } from './tables.js'

/** Removes what belongs to blocks below `base`, a little at a time: the way through the whole index may take minutes. */
export interface Sweep {
  readonly base: number
  /** Looks at so many rows; whether there are more. */
  step(): boolean
}

const rowsPerStep = 2000
/** Rows of a list that are kept are read over this often before it is leapt over: most lists are short, and a leap costs ten rows. */
const keptRowsMax = 4

export function createSweep(db: KvDatabase, base: number): Sweep {
  const lists = [txTables.values, txTables.places, blockTables.values, blockTables.places]
  const tables = [hashTable, ...lists].sort((a, b) => a - b)
  let at: Bytes | undefined = Uint8Array.of(tables[0]!)

  /** Goes through rows of one table from `start`; answers where to go on, `undefined` at the table's end. */
  function sweepLists(start: Bytes, end: Bytes, removed: KvOperation[], budget: { rows: number }): Bytes | undefined {
    let kept: Bytes | undefined
    let keptRows = 0
    for (const [key] of db.iterate(start, end)) {
      if (budget.rows-- <= 0) return key
      const prefix = prefixOfKey(key)
      if (heightOfKey(key) < base) {
        removed.push([key, undefined])
        kept = undefined
      } else if (kept === undefined || !equalBytes(kept, prefix)) {
        kept = prefix
        keptRows = 1
      } else if (++keptRows > keptRowsMax) return endOfList(prefix)
    }
    return undefined
  }

  function sweepHashes(start: Bytes, end: Bytes, removed: KvOperation[], budget: { rows: number }): Bytes | undefined {
    for (const [key, row] of db.iterate(start, end)) {
      if (budget.rows-- <= 0) return key
      if (heightOfPlace(bytesToPlace(row)) < base) removed.push([key, undefined])
    }
    return undefined
  }

  return {
    base,
    step() {
      const removed: KvOperation[] = []
      const budget = { rows: rowsPerStep }
      while (at !== undefined && budget.rows > 0) {
        const table = at[0]!
        const end = Uint8Array.of(table + 1)
        // A leap costs what reading some rows costs.
        budget.rows -= keptRowsMax
        const next: Bytes | undefined = (table === hashTable ? sweepHashes : sweepLists)(at, end, removed, budget)
        at = next ?? startOf(tables[tables.indexOf(table) + 1])
      }
      db.batch(removed, { sync: false })
      return at !== undefined
    },
  }
}

const startOf = (table: number | undefined): Bytes | undefined =>
  table === undefined ? undefined : Uint8Array.of(table)
