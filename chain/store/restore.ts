import { type Bytes, bytesToHex, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import { storeErrors } from './errors.js'
import type { FlatValues } from './flat-values.js'
import { Forest } from './forest.js'
import { ChangeSet } from './overlay.js'
import { type BlockRecord, decodeRecord } from './record.js'
import { listSnapshots, loadSnapshot } from './snapshot.js'
import { keyText } from './sorted-keys.js'
import type { Wal } from './wal.js'

export interface RestoreFrom {
  readonly stores: readonly string[]
  readonly historyBlocks: number
  /** The folder of the snapshots. */
  readonly snapshots: string
  readonly wal: Wal
  readonly values: FlatValues
  readonly logger: Logger
}

/** The trees as of the last block in the log. */
export interface Restored {
  readonly forest: Forest
  readonly height: number
  readonly appHash: Bytes
  /** 0 for none. */
  readonly snapshotHeight: number
  /** Bytes and blocks of log since that snapshot. */
  readonly logBytes: number
  readonly logBlocks: number
}

/**
 * Brings trees and values up to the end of the log: the newest good snapshot, then each block that it lacks with its app hash
 * checked; the values get the blocks that they lack. Throws `corruptLog` or `corruptSnapshot` when the three do not fit together.
 */
export function restore({ stores, historyBlocks, snapshots, wal, values, logger }: RestoreFrom): Restored {
  const { forest, height: snapshotHeight, appHash: snapshotHash, damaged } = loadNewest(snapshots, stores, logger)
  const from = Math.min(snapshotHeight, values.written)
  let height = snapshotHeight
  let appHash = snapshotHash
  let logBytes = 0
  let logBlocks = 0
  let last: number | undefined
  for (const bytes of wal.read(from + 1)) {
    const record = decodeRecord(bytes)
    if (last === undefined && record.previous > from)
      throw beginsTooLate(record.previous, snapshotHeight, values, damaged)
    if (last !== undefined && record.previous !== last)
      throw storeErrors.corruptLog(`height ${record.height} follows ${last}, it was written after ${record.previous}`)
    last = record.height
    if (last === snapshotHeight && !equalBytes(snapshotHash, record.appHash))
      throw differs(last, snapshotHash, record.appHash)
    if (last > height) {
      const names = record.changes.map(({ name }) => name)
      forest.apply(record.changes)
      const found = forest.workingHash(last, names)
      if (!equalBytes(found, record.appHash)) throw differs(last, found, record.appHash)
      forest.save(last, last - historyBlocks, names)
      height = last
      appHash = found
      logBytes += bytes.length
      logBlocks++
    }
    if (last > values.written) values.push(record, new Uint8Array(bytes), changeSets(record))
  }
  if ((last ?? 0) < Math.max(snapshotHeight, values.written))
    throw storeErrors.corruptLog(
      `ends at height ${last ?? 0}; the trees are of ${snapshotHeight}, the values of ${values.written}`,
    )
  if (height > 0) logger.info({ height, snapshot: snapshotHeight, values: values.written }, 'state restored')
  return { forest, height, appHash, snapshotHeight, logBytes, logBlocks }
}

function changeSets({ changes }: BlockRecord): ReadonlyMap<string, ChangeSet> {
  return new Map(
    changes.map(({ name, entries }) => {
      const set = new ChangeSet()
      for (const change of entries) set.put(keyText(change.key), change)
      set.freeze()
      return [name, set]
    }),
  )
}

/** Falls back to an older snapshot, and to the log from its beginning, when the newer ones are damaged. */
function loadNewest(path: string, stores: readonly string[], logger: Logger) {
  const damaged: number[] = []
  for (const height of listSnapshots(path).toReversed()) {
    const forest = new Forest(stores)
    try {
      return { forest, height, appHash: loadSnapshot(path, height, forest), damaged }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      damaged.push(height)
      logger.warn({ error: error.message }, 'a damaged snapshot is left out')
    }
  }
  const forest = new Forest(stores)
  const appHash = forest.workingHash(1)
  forest.rollback()
  return { forest, height: 0, appHash, damaged }
}

function beginsTooLate(before: number, snapshotHeight: number, values: FlatValues, damaged: readonly number[]) {
  const found = `the log begins after height ${before}; the trees are of ${snapshotHeight}, the values of ${values.written}`
  if (damaged.length === 0) return storeErrors.corruptLog(found)
  return storeErrors.corruptSnapshot(`the snapshots of ${damaged.join(' and ')} are damaged, and ${found}`)
}

function differs(height: number, found: Bytes, logged: Bytes) {
  return storeErrors.corruptLog(
    `height ${height} gives the app hash ${bytesToHex(found)}, the log says ${bytesToHex(logged)}`,
  )
}
