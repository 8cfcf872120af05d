import { type Bytes, concatBytes } from '@coin/base/bytes'
import { firstEntry, type KvDatabase, type KvOperation } from '@coin/store/kv-database'
import { engineErrors } from '../errors.js'

/**
 * Lists of byte strings per height (transactions, results), several to a row: a block of thousands costs dozens of writes,
 * and one entry is read without the others. Row key: prefix, height, index of its first entry; value: count, lengths, bytes.
 */
const rowBytesTarget = 64 * 1024
const rowEntriesMax = 128

/** One byte of prefix, then the height as 8 bytes big-endian. */
export function heightKey(prefix: number, height: number): Bytes {
  const key = new Uint8Array(9)
  key[0] = prefix
  new DataView(key.buffer).setBigUint64(1, BigInt(height))
  return key
}

function rowKey(prefix: number, height: number, first: number): Bytes {
  const key = new Uint8Array(13)
  key.set(heightKey(prefix, height))
  new DataView(key.buffer).setUint32(9, first)
  return key
}

export function packRows(prefix: number, height: number, entries: readonly Bytes[]): KvOperation[] {
  const operations: KvOperation[] = []
  let first = 0
  while (first < entries.length) {
    let end = first
    let size = 0
    while (end < entries.length && end - first < rowEntriesMax && (end === first || size < rowBytesTarget)) {
      size += entries[end]!.length
      end++
    }
    operations.push([rowKey(prefix, height, first), packRow(entries.slice(first, end))])
    first = end
  }
  return operations
}

function packRow(entries: readonly Bytes[]): Bytes {
  const head = new Uint8Array(4 * (entries.length + 1))
  const view = new DataView(head.buffer)
  view.setUint32(0, entries.length)
  entries.forEach((entry, i) => {
    view.setUint32(4 * (i + 1), entry.length)
  })
  return concatBytes(head, ...entries)
}

function unpackRow(row: Bytes): Bytes[] {
  const view = new DataView(row.buffer, row.byteOffset, row.length)
  const count = view.getUint32(0)
  let at = 4 * (count + 1)
  return Array.from({ length: count }, (_, i) => {
    const start = at
    at += view.getUint32(4 * (i + 1))
    if (at > row.length) throw engineErrors.corruptStore('a packed row is cut off')
    return row.subarray(start, at)
  })
}

/** Every entry of a height, in order. */
export function readRows(db: KvDatabase, prefix: number, height: number): Bytes[] {
  const entries: Bytes[] = []
  for (const [, row] of db.iterate(heightKey(prefix, height), heightKey(prefix, height + 1)))
    entries.push(...unpackRow(row))
  return entries
}

/** One entry, or `undefined` when there are not that many. */
export function readEntry(db: KvDatabase, prefix: number, height: number, index: number): Bytes | undefined {
  const entry = firstEntry(db.iterate(heightKey(prefix, height), rowKey(prefix, height, index + 1), true))
  if (entry === undefined) return undefined
  const [key, row] = entry
  const first = new DataView(key.buffer, key.byteOffset, key.length).getUint32(9)
  return unpackRow(row)[index - first]
}
