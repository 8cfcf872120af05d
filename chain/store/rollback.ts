import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '@coin/base/assert'
import { storeErrors } from './errors.js'
import { syncFolder } from './files.js'
import {
  encodeHeight,
  encodeLongEntry,
  type FlatDatabase,
  heightKey,
  historyKey,
  longChangesKey,
  longKey,
  openFlatDatabase,
  plainBytes,
  readHeight,
  shortKeyBytesMax,
  valueKey,
} from './flat-layout.js'
import { inspectState } from './inspect.js'
import { decodeChanges } from './record.js'
import { listSnapshots } from './snapshot.js'
import { readStoreNumbers, storesFile, valuesFolder } from './store-numbers.js'
import { cutLastRecord } from './wal.js'

/**
 * Takes the state in `path` back to `height`, one block before its last: that block's values, its snapshot if there is one, and its
 * record. A state that is at `height` already is left alone, so a call that a crash cut short may be made again; whatever it had
 * done, the state can be opened in between. The caller has the folder (`lockFolder`). Throws `heightUnavailable` and has changed
 * nothing when the files do not allow it.
 */
export async function rollbackState(path: string, height: number): Promise<void> {
  const { log, snapshots } = inspectState(path)
  const refuse = (why: string) => storeErrors.heightUnavailable(`the state cannot go back to height ${height}: ${why}`)
  if (log.problem !== undefined) throw refuse(log.problem)
  if (log.last === height) return
  if (log.last !== height + 1) throw refuse(`the log ends at ${log.last}`)
  if (height < 1) throw refuse('it would be empty; remove the data folder to begin anew')
  if (log.first > height) throw refuse(`the log begins at ${log.first}`)
  const older = snapshots.filter((snapshot) => snapshot.height <= height && snapshot.problem === undefined)
  const base = older.at(-1)?.height ?? 0
  if (log.before > base) throw refuse(`no good snapshot is that old, and the log begins after height ${log.before}`)
  await revertValues(path, height + 1, refuse)
  const folder = join(path, 'snapshots')
  for (const at of listSnapshots(folder))
    if (at > height) rmSync(join(folder, String(at).padStart(15, '0')), { recursive: true })
  syncFolder(folder)
  cutLastRecord(join(path, 'log'))
}

/** Undoes the block `height` in the values, if they have it. One synced transaction. */
async function revertValues(path: string, height: number, refuse: (why: string) => Error): Promise<void> {
  const numbers = readStoreNumbers(storesFile(path))
  const db = openFlatDatabase(valuesFolder(path))
  try {
    const written = readHeight(db)
    if (written < height) return
    const replaced = db.getBinary(historyKey(height))
    if (written > height || replaced === undefined)
      throw refuse(`the values are of height ${written}, and what block ${height} replaced is not kept`)
    const changes = decodeChanges(new Uint8Array(plainBytes(replaced)))
    db.transactionSync(() => {
      for (const { name, entries } of changes) {
        const number = numbers.get(name)
        assert(number !== undefined, `store ${name} has no number`)
        for (const { key, value } of entries) putBack(db, number, key, value)
      }
      db.remove(historyKey(height))
      db.remove(longChangesKey(height))
      db.put(heightKey, encodeHeight(height - 1))
    })
  } finally {
    await db.close()
  }
}

function putBack(db: FlatDatabase, store: number, key: Uint8Array, value: Uint8Array | undefined): void {
  const isShort = key.length <= shortKeyBytesMax
  const at = isShort ? valueKey(store, key) : longKey(store, key)
  if (value === undefined) db.remove(at)
  else db.put(at, isShort ? value : encodeLongEntry(store, key, value))
}
