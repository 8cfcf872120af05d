import type { Bytes } from '@coin/base/bytes'
import { open, type RootDatabaseOptions } from 'lmdb'
import { storeErrors } from './errors.js'
import { guardCalls, type RunCall } from './guarded-calls.js'
import { checkKvKey, type KvDatabase, kvKeyBytesMax } from './kv-database.js'

/** lmdb-js: commit before returning (3), and without waiting for the disk (0x10000). */
const commitWithoutSync: number = 0x10003

/**
 * Opens or creates the database in the folder `path`. LMDB keeps every committed batch through a kill of the process;
 * see `KvDatabase.batch` for power failures. Every read goes through `run`.
 */
export function openKvDatabase(path: string, run?: RunCall): KvDatabase {
  const db = open<Bytes, Bytes>(path, {
    noSubdir: false,
    keyEncoding: 'binary',
    encoding: 'binary',
    overlappingSync: false, // a synced commit is on disk when it returns
  } as RootDatabaseOptions)
  if (run !== undefined) guardCalls(db, run)

  const checkBound = (bound: Bytes | undefined) => {
    if (bound !== undefined && bound.length > kvKeyBytesMax)
      throw storeErrors.keyTooLong(`range bound of ${bound.length} bytes, at most ${kvKeyBytesMax}`)
  }

  return {
    get(key) {
      checkKvKey(key)
      const value = db.getBinary(key)
      return value && plainBytes(value)
    },
    has(key) {
      checkKvKey(key)
      return db.doesExist(key)
    },
    *iterate(start, end, reverse = false) {
      checkBound(start)
      checkBound(end)
      for (const { key, value } of db.getRange(lmdbRange(start, end, reverse)))
        yield [plainBytes(key), plainBytes(value)]
    },
    batch(operations, { sync }) {
      for (const [key] of operations) checkKvKey(key)
      if (operations.length === 0) return
      db.transactionSync(
        () => {
          for (const [key, value] of operations) {
            if (value === undefined) db.remove(key)
            else db.put(key, value)
          }
        },
        sync ? undefined : commitWithoutSync,
      )
    },
    refresh: () => db.resetReadTxn(),
    async close() {
      // An empty synced transaction would be skipped by LMDB, so the flush is asked for by name.
      ;(db as unknown as { env: { sync(): void } }).env.sync()
      await db.close()
    },
  }
}

/** Of all keys the first; lmdb-js would leave it out of a backwards range without an end. */
const firstKey = Uint8Array.of(0)

/** A backwards range of lmdb-js starts at its upper end, which it includes, and excludes its lower one. */
function lmdbRange(start: Bytes | undefined, end: Bytes | undefined, reverse: boolean) {
  // An empty bound is below every key.
  const low = start?.length === 0 ? undefined : start
  if (end?.length === 0) return { limit: 0 }
  if (!reverse) return { ...(low && { start: low }), ...(end && { end }) }
  return { reverse, ...(end && { start: end, exclusiveStart: true }), end: low ?? firstKey, inclusiveEnd: true }
}

/** lmdb-js answers Buffers, whose `slice` shares memory; callers get what the interface says. */
function plainBytes(bytes: Bytes): Bytes {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
