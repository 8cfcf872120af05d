import { type Bytes, compareBytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import type { KvPair } from './kv.js'

/** One write of a batch: `undefined` deletes the key (no error when it is absent). */
export type KvOperation = readonly [key: Bytes, value: Bytes | undefined]

/**
 * A small ordered key-value database for what is not consensus state: the engine's blocks, the node's tx index.
 * Keys are 1 to 1978 bytes, values may be empty. One process owns a database; its threads may share it.
 */
export interface KvDatabase {
  /** A copy of the value, or `undefined` when the key is absent. */
  get(key: Bytes): Bytes | undefined
  has(key: Bytes): boolean
  /**
   * Entries with `start <= key < end` in byte order, or backwards from the last. `undefined` leaves a side open.
   * Shows the database as it was when the first entry was taken, whatever is written meanwhile. Take all entries, or leave the loop:
   * an iterator that is left in the middle keeps that state, and the file grows with every write.
   */
  iterate(start: Bytes | undefined, end: Bytes | undefined, reverse?: boolean): IterableIterator<KvPair>
  /**
   * Writes all operations or none, in the given order; visible when it returns. Throws `keyTooLong` or `emptyKey`.
   *
   * `sync: true` returns after the disk has it. `sync: false` survives a kill of the process, but a power failure may
   * damage the whole database: only for what can be rebuilt, in a database of its own.
   */
  batch(operations: readonly KvOperation[], options: { readonly sync: boolean }): void
  /**
   * The next read sees everything that other threads have written until now. Without it a thread sees their writes at the latest when
   * its event loop has turned.
   */
  refresh(): void
  /** Writes everything to disk and releases the files. Nothing may be called afterwards. */
  close(): Promise<void>
}

/** The first entry of a range, and the end of its iteration. */
export function firstEntry(entries: IterableIterator<KvPair>): KvPair | undefined {
  for (const entry of entries) return entry
  return undefined
}

/** LMDB's limit with 4 KiB pages. */
export const kvKeyBytesMax = 1978

/** Throws `emptyKey` or `keyTooLong`. */
export function checkKvKey(key: Bytes): void {
  if (key.length === 0) throw storeErrors.emptyKey()
  if (key.length > kvKeyBytesMax) throw storeErrors.keyTooLong(`${key.length} bytes, at most ${kvKeyBytesMax}`)
}

/** The twin without files: same answers, nothing survives the process. Made for tests and small data. */
export function memoryKvDatabase(): KvDatabase {
  let entries: KvPair[] = []

  /** Index of the first entry whose key is not below `key`. */
  function lowerBound(key: Bytes): number {
    let low = 0
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareBytes(entries[middle]![0], key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  function find(key: Bytes): Bytes | undefined {
    checkKvKey(key)
    const entry = entries[lowerBound(key)]
    return entry !== undefined && compareBytes(entry[0], key) === 0 ? entry[1] : undefined
  }

  function write(key: Bytes, value: Bytes | undefined): void {
    const at = lowerBound(key)
    const existing = entries[at]
    const replaced = existing !== undefined && compareBytes(existing[0], key) === 0 ? 1 : 0
    if (value === undefined) entries.splice(at, replaced)
    else entries.splice(at, replaced, [new Uint8Array(key), new Uint8Array(value)])
  }

  return {
    get: (key) => {
      const value = find(key)
      return value && new Uint8Array(value)
    },
    has: (key) => find(key) !== undefined,
    *iterate(start, end, reverse = false) {
      const from = start === undefined ? 0 : lowerBound(start)
      const to = end === undefined ? entries.length : lowerBound(end)
      const range = entries.slice(from, to)
      if (reverse) range.reverse()
      for (const [key, value] of range) yield [new Uint8Array(key), new Uint8Array(value)]
    },
    batch(operations) {
      for (const [key] of operations) checkKvKey(key)
      for (const [key, value] of operations) write(key, value)
    },
    refresh() {},
    async close() {
      entries = []
    },
  }
}
