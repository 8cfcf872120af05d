import { assert } from '@coin/base/assert'
import type { ChangeList } from './change-list.js'
import { LayeredStore } from './change-list.js'
import { type FlatDatabase, heightOfKey, historyKey, openFlatDatabase, plainBytes, readHeight } from './flat-layout.js'
import { FlatStore } from './flat-store.js'
import type { RunCall } from './guarded-calls.js'
import type { KvRead } from './kv.js'
import { LongKeys } from './long-keys.js'
import { indexChanges } from './record.js'

/** Of the records of replaced values that are kept in memory, as long as they are the last ones used. */
const replacedBytesMax = 32 * 1024 * 1024

/** The LMDB file of the flat values as one thread reads it. */
export class FlatReader {
  readonly db: FlatDatabase
  readonly #numbers: ReadonlyMap<string, number>
  readonly #longKeys: LongKeys
  /** Of {@link LongKeys.catchUp}. */
  #longKeysSnapshot = 0
  #snapshot = 0
  /** What blocks replaced, by height; such a record never changes. Last used last. */
  readonly #replaced = new Map<number, { readonly bytes: number; readonly stores: ReadonlyMap<string, ChangeList> }>()
  #replacedBytes = 0

  constructor(path: string, numbers: ReadonlyMap<string, number>, run?: RunCall) {
    this.db = openFlatDatabase(path, run)
    this.#numbers = numbers
    this.#longKeys = new LongKeys(this.db, numbers)
    // lmdb-js begins a snapshot with the first read of each turn of the event loop, and says so. (Its own `on` fails with this event.)
    ;(this.db as unknown as NodeJS.EventEmitter).addListener('begin-transaction', () => {
      this.#snapshot++
    })
  }

  /** Number of the snapshot that a read now would see. */
  get snapshot(): number {
    ;(this.db as unknown as { ensureReadTxn(): void }).ensureReadTxn()
    return this.#snapshot
  }

  /** Ends the snapshot: the next read sees the newest blocks, and LMDB can use the pages again that only this one showed. */
  release(): void {
    this.db.resetReadTxn()
  }

  /** Height of the last block in the file, 0 for none. */
  height(): number {
    return readHeight(this.db)
  }

  /** Oldest height that {@link past} can go back to. A height that was read before may be gone in the next snapshot. */
  earliest(): number {
    for (const key of this.db.getKeys({ start: historyKey(0), end: historyKey(Number.MAX_SAFE_INTEGER), limit: 1 }))
      return heightOfKey(key) - 1
    return Math.max(1, this.height())
  }

  /**
   * A store as the file has it: with `snapshot` as it is in that one, and reads assert when it is over; without it follows the
   * snapshots.
   */
  store(name: string, snapshot?: number): FlatStore {
    const number = this.#numbers.get(name)
    assert(number !== undefined, `store ${name} is not mounted; mounted are ${[...this.#numbers.keys()].join(', ')}`)
    return new FlatStore({
      db: this.db,
      number,
      longKeys: () => this.#longKeysOf(number),
      checkSnapshot:
        snapshot === undefined
          ? () => {}
          : () => assert(this.#snapshot === snapshot, `store ${name} is read after the snapshot it was taken from`),
    })
  }

  /** `store`, which is of the file's height `now`, as it was at an older one, which is not before {@link earliest}. */
  past(store: KvRead, name: string, height: number, now: number): KvRead {
    const lists: ChangeList[] = []
    for (let later = height + 1; later <= now; later++) {
      const list = this.#replacedBy(later).get(name)
      if (list !== undefined) lists.push(list)
    }
    return new LayeredStore(store, lists)
  }

  #longKeysOf(number: number) {
    const { snapshot } = this
    if (snapshot !== this.#longKeysSnapshot) {
      this.#longKeys.catchUp()
      this.#longKeysSnapshot = snapshot
    }
    return this.#longKeys.of(number)
  }

  #replacedBy(height: number): ReadonlyMap<string, ChangeList> {
    const known = this.#replaced.get(height)
    if (known !== undefined) {
      this.#replaced.delete(height)
      this.#replaced.set(height, known)
      return known.stores
    }
    const bytes = this.db.getBinary(historyKey(height))
    assert(bytes !== undefined, `the values that block ${height} replaced are not kept`)
    const stores = indexChanges(plainBytes(bytes))
    this.#keepReplaced(height, bytes.length, stores)
    return stores
  }

  #keepReplaced(height: number, bytes: number, stores: ReadonlyMap<string, ChangeList>): void {
    this.#replaced.set(height, { bytes, stores })
    this.#replacedBytes += bytes
    for (const [oldest, record] of this.#replaced) {
      if (this.#replacedBytes <= replacedBytesMax) return
      this.#replaced.delete(oldest)
      this.#replacedBytes -= record.bytes
    }
  }
}
