import { type Bytes, compareBytes } from '@coin/base/bytes'
import { type FlatDatabase, longKey, plainBytes, shortKeyBytesMax, storeBounds, valueKey } from './flat-layout.js'
import type { KvPair, KvRead } from './kv.js'
import { readLongValue } from './long-keys.js'
import type { ChangeSet } from './overlay.js'

/** Entries that an iteration takes from LMDB at a time: few at first, because most want only the first. */
const batchMin = 4
const batchMax = 256
/** Values that are read ahead: nobody has paid for them, and a contract may hold thousands of iterators. */
const batchBytesMax = 8192

export interface FlatStoreOptions {
  readonly db: FlatDatabase
  readonly number: number
  /** Keys of this store that are too long for LMDB, as it shows them now. */
  longKeys(): ChangeSet | undefined
  /** Called after each look into LMDB; throws when that was another snapshot than it should be. */
  checkSnapshot(): void
}

/** One store as LMDB has it. */
export class FlatStore implements KvRead {
  readonly #db: FlatDatabase
  readonly #number: number
  readonly #longKeys: () => ChangeSet | undefined
  readonly #checkSnapshot: () => void

  constructor({ db, number, longKeys, checkSnapshot }: FlatStoreOptions) {
    this.#db = db
    this.#number = number
    this.#longKeys = longKeys
    this.#checkSnapshot = checkSnapshot
  }

  get(key: Bytes): Bytes | undefined {
    const value = this.#read(key)
    this.#checkSnapshot()
    return value
  }

  has(key: Bytes): boolean {
    const isShort = key.length <= shortKeyBytesMax
    const found = this.#db.doesExist(isShort ? valueKey(this.#number, key) : longKey(this.#number, key))
    this.#checkSnapshot()
    return found
  }

  iterate(from: Bytes | undefined, to: Bytes | undefined, reverse = false): IterableIterator<KvPair> {
    const short = this.#iterateShort(from, to, reverse)
    const long = this.#longKeys()
    return long === undefined ? short : this.#checked(long.over(short, from, to, reverse))
  }

  #read(key: Bytes): Bytes | undefined {
    if (key.length > shortKeyBytesMax) return readLongValue(this.#db, this.#number, key)
    const value = this.#db.getBinary(valueKey(this.#number, key))
    return value && plainBytes(value)
  }

  *#checked(entries: IterableIterator<KvPair>): IterableIterator<KvPair> {
    for (const entry of entries) {
      this.#checkSnapshot()
      yield entry
    }
  }

  *#iterateShort(from: Bytes | undefined, to: Bytes | undefined, reverse: boolean): IterableIterator<KvPair> {
    const bounds = storeBounds(this.#number)
    // LMDB refuses long keys as bounds. Cut, they let in too much, and leave out nothing: equal keys are let in as well.
    const cut = (bound: Bytes) => valueKey(this.#number, bound.subarray(0, shortKeyBytesMax))
    const low = from === undefined ? bounds.start : cut(from)
    const high = to === undefined ? bounds.end : cut(to)
    let start = reverse ? high : low
    for (let limit = batchMin, isFirst = true; ; limit = Math.min(4 * limit, batchMax), isFirst = false) {
      // Taken whole: an iterator that is dropped halfway must not leave a cursor, which would pin LMDB's old pages.
      const range = {
        start,
        exclusiveStart: !isFirst,
        limit,
        reverse,
        ...(reverse ? {} : { end: high, inclusiveEnd: true }),
      }
      const { batch, isCut } = readBatch(this.#db.getRange(range))
      this.#checkSnapshot()
      for (const { key, value } of batch) {
        if (compareBytes(key, low) < 0) return // lmdb-js does not stop by itself at the lower end of a reverse range
        const own = plainBytes(key).subarray(1)
        if (key[0] !== low[0] || (from && compareBytes(own, from) < 0) || (to && compareBytes(own, to) >= 0)) continue
        yield [own, plainBytes(value)]
      }
      if (batch.length < limit && !isCut) return
      start = batch.at(-1)!.key
    }
  }
}

interface Entry {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** The entries of a range, to its end or as many as are small enough together, but at least one. */
function readBatch(entries: Iterable<Entry>): { readonly batch: readonly Entry[]; readonly isCut: boolean } {
  const batch: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    bytes += entry.value.length
    if (batch.length > 0 && bytes > batchBytesMax) return { batch, isCut: true }
    batch.push(entry)
  }
  return { batch, isCut: false }
}
