import type { Bytes } from '@coin/base/bytes'

/** Key and value of one entry. Both are read-only to whoever receives them: copy before you keep or change. */
export type KvPair = readonly [key: Bytes, value: Bytes]

/** Reads of one key-value store. A query gets this and nothing more, so a query that writes does not compile. */
export interface KvRead {
  /** The value, or `undefined` when the key is absent. */
  get(key: Bytes): Bytes | undefined
  has(key: Bytes): boolean
  /**
   * Entries with `start <= key < end` in byte order, or backwards from the last. `undefined` leaves a side open.
   * The store may be written while iterating only at keys already passed.
   */
  iterate(start: Bytes | undefined, end: Bytes | undefined, reverse?: boolean): IterableIterator<KvPair>
}

export interface KvWrite extends KvRead {
  /**
   * `value` may be empty; `key` has 1 byte to 128 KiB. Throws `emptyKey` or `keyTooLong`. Both arrays are kept, not copied: do not
   * change them afterwards, and hand in copies of memory that others write to (a contract's, a reused buffer).
   */
  set(key: Bytes, value: Bytes): void
  /** Does nothing when the key is absent. */
  delete(key: Bytes): void
}

/** Every store of the chain at one height. */
export interface StateRead {
  /** The store mounted under `name`, for example `bank`. Asserts that it is mounted. */
  store(name: string): KvRead
}

/** A point that a branch can be taken back to. */
export type Mark = number

/**
 * Uncommitted changes on top of the committed state: the block being executed, the mempool's check state, one simulation.
 * Nested branches (transaction, message, contract submessage) are marks in one undo journal.
 */
export interface StateBranch extends StateRead {
  store(name: string): KvWrite
  /** Remembers this point. Marks nest; taking back an outer one drops the inner ones. */
  mark(): Mark
  /** Undoes everything written since `mark`. */
  revert(mark: Mark): void
}
