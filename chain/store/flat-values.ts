import { Worker } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import { type Bytes, compareBytes } from '@coin/base/bytes'
import {
  decodeLongEntry,
  type FlatDatabase,
  historyKey,
  longBounds,
  openFlatDatabase,
  plainBytes,
  readHeight,
  shortKeyBytesMax,
  storeBounds,
  valueKey,
} from './flat-layout.js'
import type { FlatWriterData } from './flat-writer.js'
import { HeightListeners } from './height-listeners.js'
import { entriesOf, layOver, whileCurrent } from './history.js'
import type { KvPair, KvRead, StateRead } from './kv.js'
import { LatestStore } from './latest-store.js'
import { type Change, type ChangeSet, Overlay } from './overlay.js'
import { type BlockRecord, decodeChanges } from './record.js'
import { keyText } from './sorted-keys.js'

export interface FlatValuesOptions extends FlatWriterData {
  /** The writer cannot write: the node must stop. */
  onFailure(error: Error): void
}

/** Entries that an iteration takes from LMDB at a time: few at first, because most want only the first. */
const batchMin = 4
const batchMax = 256
/** Values that are read ahead: nobody has paid for them, and a contract may hold thousands of iterators. */
const batchBytesMax = 8192

/** One store as LMDB has it. */
class FlatStore implements KvRead {
  readonly #db: FlatDatabase
  readonly #number: number

  constructor(db: FlatDatabase, number: number) {
    this.#db = db
    this.#number = number
  }

  get(key: Bytes): Bytes | undefined {
    if (key.length > shortKeyBytesMax) return undefined
    const value = this.#db.getBinary(valueKey(this.#number, key))
    return value && plainBytes(value)
  }

  has(key: Bytes): boolean {
    return key.length <= shortKeyBytesMax && this.#db.doesExist(valueKey(this.#number, key))
  }

  *iterate(from: Bytes | undefined, to: Bytes | undefined, reverse = false): IterableIterator<KvPair> {
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

interface Layers {
  /** What LMDB has, and the keys that are too long for it. */
  readonly disk: Overlay
  readonly latest: LatestStore
}

/**
 * The latest value of every key. Reads are synchronous and see a block as soon as it is pushed; a thread of its own writes it to
 * LMDB, and until that has happened the block's changes stay in memory.
 */
export class FlatValues implements StateRead {
  readonly #db: FlatDatabase
  readonly #layers: ReadonlyMap<string, Layers>
  readonly #worker: Worker
  /** Pushed, and not yet known to be on disk; oldest first. */
  readonly #pending: BlockRecord[] = []
  readonly #historyBlocks: number
  readonly #earliestAtOpen: number
  /** Told when `written` has risen. */
  readonly listeners = new HeightListeners()
  #written: number
  #failure: Error | undefined

  constructor({ path, numbers, historyBlocks, onFailure }: FlatValuesOptions) {
    this.#db = openFlatDatabase(path)
    this.#layers = new Map(
      [...numbers].map(([name, number]) => {
        const disk = new Overlay(new FlatStore(this.#db, number))
        return [name, { disk, latest: new LatestStore(disk) }]
      }),
    )
    this.#loadLongKeys(numbers)
    this.#written = readHeight(this.#db)
    this.#historyBlocks = historyBlocks
    this.#earliestAtOpen = this.#findEarliest()
    this.#db.resetReadTxn() // it would keep the writer from using pages again while the log is replayed
    const data: FlatWriterData = { path, numbers, historyBlocks }
    this.#worker = new Worker(new URL('./flat-writer.js', import.meta.url), { workerData: data })
    this.#worker.on('message', (height: number) => this.#forgetWritten(height))
    this.#worker.on('error', (error) => {
      this.#failure = error
      onFailure(error)
    })
    this.#worker.unref() // after the listeners, which would hold the process again
  }

  /** Why blocks are not written any more. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Height of the last block that is on disk here. */
  get written(): number {
    return this.#written
  }

  store(name: string): KvRead {
    return this.#layersOf(name).latest
  }

  /** Takes over the block: the record, encoded, and its changes by store. */
  push(record: BlockRecord, bytes: Uint8Array<ArrayBuffer>, changes: ReadonlyMap<string, ChangeSet>): void {
    this.#db.resetReadTxn() // no view holds longer, and an old one would keep the writer from using pages again
    this.#pending.push(record)
    for (const [name, set] of changes) this.#layersOf(name).latest.push(record.height, set)
    this.#worker.postMessage(bytes, [bytes.buffer])
  }

  /** The state after block `height`, which is not before `earliest()`. Holds until the next push or turn of the event loop. */
  at(height: number): StateRead {
    const onDisk = readHeight(this.#db)
    const make = (name: string) => layOver(this.#layersOf(name).disk, this.#changesTo(height, onDisk, name))
    return whileCurrent(height, make, () => readHeight(this.#db) === onDisk)
  }

  /** What turns a store as LMDB has it into that of `height`, in this order. */
  *#changesTo(height: number, onDisk: number, name: string): Iterable<readonly Change[]> {
    for (let later = onDisk; later > height; later--) yield this.#replacedBy(later, name)
    // Also where LMDB has these blocks already: long keys are not read from it.
    for (const record of this.#pending) if (record.height <= height) yield entriesOf(record.changes, name)
  }

  /** Oldest height that `at` can go back to. What LMDB shows does not change before the next push or turn of the event loop. */
  earliest(): number {
    return Math.max(1, this.#earliestAtOpen, readHeight(this.#db) - this.#historyBlocks)
  }

  /** Waits until every pushed block is on disk, if that can be, and closes. */
  async close(): Promise<void> {
    if (this.#failure === undefined) {
      const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
      this.#worker.ref()
      this.#worker.postMessage(null)
      await exited
    }
    await this.#db.close()
  }

  #layersOf(name: string): Layers {
    const layers = this.#layers.get(name)
    assert(layers !== undefined, `store ${name} is not mounted; mounted are ${[...this.#layers.keys()].join(', ')}`)
    return layers
  }

  #replacedBy(height: number, name: string): readonly Change[] {
    const bytes = this.#db.getBinary(historyKey(height))
    assert(bytes !== undefined, `the values that block ${height} replaced are not kept`)
    return entriesOf(decodeChanges(plainBytes(bytes), name), name)
  }

  #loadLongKeys(numbers: ReadonlyMap<string, number>): void {
    const names = new Map([...numbers].map(([name, number]) => [number, name]))
    for (const { value } of this.#db.getRange({ ...longBounds })) {
      const entry = decodeLongEntry(value)
      const name = names.get(entry.store)
      if (name !== undefined) this.#layersOf(name).disk.changes.put(keyText(entry.key), entry)
    }
  }

  /** LMDB has the blocks up to `height`: their changes need not stay in memory, except keys that LMDB cannot take. */
  #forgetWritten(height: number): void {
    this.#db.resetReadTxn() // a read transaction from before would not see them
    this.#written = height
    while (this.#pending.length > 0 && this.#pending[0]!.height <= height) {
      for (const { name, entries } of this.#pending.shift()!.changes)
        keepLong(this.#layersOf(name).disk.changes, entries)
    }
    for (const { latest } of this.#layers.values()) latest.arrived(height)
    this.listeners.tell(height)
  }

  /** Going back from height h needs what block h replaced. */
  #findEarliest(): number {
    let height = readHeight(this.#db)
    while (height > 0 && this.#db.doesExist(historyKey(height))) height--
    return height
  }
}

function keepLong(long: ChangeSet, entries: readonly Change[]): void {
  for (const change of entries) {
    if (change.key.length <= shortKeyBytesMax) continue
    if (change.value === undefined) long.forget(keyText(change.key))
    else long.put(keyText(change.key), change)
  }
}
