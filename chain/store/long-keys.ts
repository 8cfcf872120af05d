import type { Bytes } from '@coin/base/bytes'
import {
  decodeLongEntry,
  type FlatDatabase,
  longBounds,
  longChangesBlocks,
  longChangesKey,
  longKey,
  plainBytes,
  readHeight,
} from './flat-layout.js'
import { type Change, ChangeSet } from './overlay.js'
import { decodeChanges } from './record.js'
import { keyText } from './sorted-keys.js'

/**
 * The keys that are too long for LMDB, in order. LMDB has them by their hash, which is enough for one value, and not for an
 * iteration; so they are kept here, without their values. After the first time only those are read that blocks have changed since,
 * or whoever writes many of them would make every iteration of everybody expensive.
 */
export class LongKeys {
  readonly #db: FlatDatabase
  readonly #numbers: ReadonlyMap<string, number>
  readonly #stores = new Map<number, ChangeSet>()
  /** Undefined: nothing was read yet. */
  #height: number | undefined

  constructor(db: FlatDatabase, numbers: ReadonlyMap<string, number>) {
    this.#db = db
    this.#numbers = numbers
  }

  /** Those of a store; undefined when there are none. */
  of(store: number): ChangeSet | undefined {
    return this.#stores.get(store)
  }

  /** Takes up what LMDB shows now. */
  catchUp(): void {
    const height = readHeight(this.#db)
    if (height === this.#height) return
    if (this.#height === undefined || height - this.#height > longChangesBlocks) this.#readAll()
    else this.#readChanges(this.#height, height)
    this.#height = height
  }

  #readAll(): void {
    this.#stores.clear()
    for (const { value } of this.#db.getRange({ ...longBounds })) {
      const { store, key } = decodeLongEntry(value)
      this.#put(store, key.slice())
    }
  }

  #readChanges(after: number, to: number): void {
    const range = { start: longChangesKey(after + 1), end: longChangesKey(to + 1) }
    for (const { value } of this.#db.getRange(range)) {
      for (const { name, entries } of decodeChanges(plainBytes(value))) {
        const store = this.#numbers.get(name)
        if (store === undefined) continue
        for (const change of entries) {
          if (change.value === undefined) this.#stores.get(store)?.forget(keyText(change.key))
          else this.#put(store, change.key)
        }
      }
    }
  }

  #put(store: number, key: Bytes): void {
    let keys = this.#stores.get(store)
    if (keys === undefined) {
      keys = new ChangeSet()
      this.#stores.set(store, keys)
    }
    keys.put(keyText(key), new LongEntry(this.#db, store, key))
  }
}

/** The value is read when somebody asks for it. */
class LongEntry implements Change {
  readonly #db: FlatDatabase
  readonly #store: number
  readonly key: Bytes

  constructor(db: FlatDatabase, store: number, key: Bytes) {
    this.#db = db
    this.#store = store
    this.key = key
  }

  get value(): Bytes | undefined {
    return readLongValue(this.#db, this.#store, this.key)
  }
}

export function readLongValue(db: FlatDatabase, store: number, key: Bytes): Bytes | undefined {
  const entry = db.getBinary(longKey(store, key))
  return entry && decodeLongEntry(entry).value
}
