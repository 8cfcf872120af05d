import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { Forest } from './forest.js'
import { decodeRecord } from './record.js'
import { listSnapshots, loadSnapshot } from './snapshot.js'
import { readStoreNumbers, storesFile, valuesFolder } from './store-numbers.js'
import { scanWal } from './wal.js'

/** What is in a state's folder, looked at without changing anything. */
export interface StateInspection {
  /** Names of the stores; empty when nothing was ever opened here. */
  readonly stores: readonly string[]
  readonly log: LogInspection
  readonly snapshots: readonly SnapshotInspection[]
  /** The folder of the values is there. */
  readonly hasValues: boolean
}

export interface LogInspection {
  readonly bytes: number
  readonly blocks: number
  /** Heights of the first and the last whole record; 0 for none. */
  readonly first: number
  readonly last: number
  /** Height before the first record: 0 says that the log begins with the chain. */
  readonly before: number
  /** App hash after the last record. */
  readonly appHash: Bytes | undefined
  /** Bytes behind the last record that a crash left; the next start leaves them out. */
  readonly tornBytes: number
  /** What a start would refuse: damage, or heights that do not meet. */
  readonly problem?: string
}

export interface SnapshotInspection {
  readonly height: number
  /** What is wrong with it; a start would take an older one. */
  readonly problem?: string
}

/** Reads all of the log and all snapshots, with their checksums and hashes: about a second per gigabyte. Throws `unknownFormat`. */
export function inspectState(path: string): StateInspection {
  const stores = [...readStoreNumbers(storesFile(path)).keys()]
  const log = join(path, 'log')
  return {
    stores,
    log: existsSync(log) ? inspectLog(log) : inspectLog(undefined),
    snapshots: inspectSnapshots(join(path, 'snapshots'), stores),
    hasValues: existsSync(join(valuesFolder(path), 'data.mdb')),
  }
}

function inspectLog(path: string | undefined): LogInspection {
  let [bytes, blocks, first, last, before, tornBytes] = [0, 0, 0, 0, 0, 0]
  let appHash: Bytes | undefined
  let problem: string | undefined
  for (const segment of path === undefined ? [] : scanWal(path)) {
    bytes += segment.bytes
    tornBytes = segment.bytes - segment.end
    if (segment.damage !== undefined) problem ??= `${segment.path} is ${segment.damage}`
    for (const { record, at } of segment.frames) {
      try {
        const { height, previous, appHash: hash } = decodeRecord(record)
        if (first === 0) [first, before] = [height, previous]
        else if (previous !== last) problem ??= `${segment.path}: height ${height} follows ${last}, not ${previous}`
        last = height
        appHash = hash
        blocks++
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
        problem ??= `${segment.path} at byte ${at}: ${error.message}`
      }
    }
  }
  return { bytes, blocks, first, last, before, appHash, tornBytes, ...(problem !== undefined && { problem }) }
}

function inspectSnapshots(path: string, stores: readonly string[]): readonly SnapshotInspection[] {
  if (!existsSync(path)) return []
  return listSnapshots(path).map((height) => {
    try {
      loadSnapshot(path, height, new Forest(stores))
      return { height }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      return { height, problem: error.message }
    }
  })
}
