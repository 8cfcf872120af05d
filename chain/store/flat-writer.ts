import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import { type Bytes, emptyBytes } from '@coin/base/bytes'
import {
  decodeLongEntry,
  encodeHeight,
  encodeLongEntry,
  heightKey,
  historyKey,
  longChangesBlocks,
  longChangesKey,
  longKey,
  openFlatDatabase,
  shortKeyBytesMax,
  valueKey,
} from './flat-layout.js'
import type { StoreChanges } from './journal.js'
import type { Change } from './overlay.js'
import { decodeRecord, encodeChanges } from './record.js'

/** What the thread is started with. */
export interface FlatWriterData {
  readonly path: string
  /** Store name -> number. */
  readonly numbers: ReadonlyMap<string, number>
  /** Blocks whose replaced values are kept. */
  readonly historyBlocks: number
}

// This file is the only writer of the flat values. Messages: a block record to write, or `null` to end. Answers: the height that
// is on disk. All that waits is written in one transaction, so the writer keeps up under load by writing less often.
const { path, numbers, historyBlocks } = workerData as FlatWriterData
const db = openFlatDatabase(path)

function replace(number: number, key: Bytes, value: Bytes | undefined): Bytes | undefined {
  const isShort = key.length <= shortKeyBytesMax
  const at = isShort ? valueKey(number, key) : longKey(number, key)
  const found = db.getBinary(at)
  const before = found === undefined ? undefined : isShort ? found : decodeLongEntry(found).value
  if (value !== undefined) db.put(at, isShort ? value : encodeLongEntry(number, key, value))
  else if (found !== undefined) db.remove(at)
  return before
}

function isLong({ key }: Change): boolean {
  return key.length > shortKeyBytesMax
}

function withoutValue({ key, value }: Change): Change {
  return { key, value: value && emptyBytes }
}

/** Usually one; more when fewer are kept than before. */
function removeUpTo(keyAt: (height: number) => Bytes, height: number): void {
  if (height < 1) return
  for (const key of [...db.getKeys({ start: keyAt(0), end: keyAt(height + 1) })]) db.remove(key)
}

function writeBlock(bytes: Bytes): number {
  const { height, previous, changes } = decodeRecord(bytes)
  const replaced = changes.map(({ name, entries }): StoreChanges => {
    const number = numbers.get(name)
    assert(number !== undefined, `store ${name} has no number`)
    return { name, entries: entries.map(({ key, value }) => ({ key, value: replace(number, key, value) })) }
  })
  // Before the first block there is no height to go back to.
  if (historyBlocks > 0 && previous > 0) db.put(historyKey(height), encodeChanges(replaced))
  const long = changes.map(({ name, entries }) => ({ name, entries: entries.filter(isLong).map(withoutValue) }))
  if (long.some(({ entries }) => entries.length > 0)) db.put(longChangesKey(height), encodeChanges(long))
  removeUpTo(historyKey, height - historyBlocks)
  removeUpTo(longChangesKey, height - longChangesBlocks)
  db.put(heightKey, encodeHeight(height))
  return height
}

parentPort?.on('message', (first: Uint8Array | null) => {
  const records: Uint8Array[] = []
  let isLast = false
  for (let message: Uint8Array | null | undefined = first; message !== undefined; ) {
    if (message === null) isLast = true
    else records.push(message)
    message = receiveMessageOnPort(parentPort!)?.message as Uint8Array | null | undefined
  }
  let height = 0
  if (records.length > 0) {
    db.transactionSync(() => {
      for (const record of records) height = writeBlock(record)
    })
    parentPort?.postMessage(height)
  }
  if (isLast) void db.close().then(() => parentPort?.close())
})
