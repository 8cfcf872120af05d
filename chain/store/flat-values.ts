import { Worker } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import { changeList, LayeredStore } from './change-list.js'
import { FlatReader } from './flat-reader.js'
import type { FlatWriterData } from './flat-writer.js'
import { HeightListeners } from './height-listeners.js'
import { entriesOf, whileCurrent } from './history.js'
import type { KvRead, StateRead } from './kv.js'
import { LatestStore } from './latest-store.js'
import type { ChangeSet } from './overlay.js'
import type { BlockRecord } from './record.js'

export interface FlatValuesOptions extends FlatWriterData {
  /** The writer cannot write: the node must stop. */
  onFailure(error: Error): void
}

/**
 * The latest value of every key. Reads are synchronous and see a block as soon as it is pushed; a thread of its own writes it to
 * LMDB, and until that has happened the block's changes stay in memory.
 */
export class FlatValues implements StateRead {
  readonly #file: FlatReader
  readonly #stores: ReadonlyMap<string, LatestStore>
  readonly #worker: Worker
  /** Pushed, and not yet known to be on disk; oldest first. */
  readonly #pending: BlockRecord[] = []
  /** Told when `written` has risen. */
  readonly listeners = new HeightListeners()
  #written: number
  #failure: Error | undefined

  constructor({ path, numbers, historyBlocks, onFailure }: FlatValuesOptions) {
    this.#file = new FlatReader(path, numbers)
    this.#stores = new Map([...numbers.keys()].map((name) => [name, new LatestStore(this.#file.store(name))]))
    this.#written = this.#file.height()
    this.#file.release() // it would keep the writer from using pages again while the log is replayed
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
    return this.#storeOf(name)
  }

  /** Takes over the block: the record, encoded, and its changes by store. */
  push(record: BlockRecord, bytes: Uint8Array<ArrayBuffer>, changes: ReadonlyMap<string, ChangeSet>): void {
    this.#file.release() // no view holds longer, and an old one would keep the writer from using pages again
    this.#pending.push(record)
    for (const [name, set] of changes) this.#storeOf(name).push(record.height, set)
    this.#worker.postMessage(bytes, [bytes.buffer])
  }

  /** The state after block `height`, which is not before `earliest()`. Holds until the next push or turn of the event loop. */
  at(height: number): StateRead {
    const { snapshot } = this.#file
    const onDisk = this.#file.height()
    const make = (name: string) => {
      const disk = this.#file.store(name, snapshot)
      if (height < onDisk) return this.#file.past(disk, name, height, onDisk)
      const above = this.#pending.filter((record) => record.height > onDisk && record.height <= height)
      return new LayeredStore(
        disk,
        above.reverse().map(({ changes }) => changeList(entriesOf(changes, name))),
      )
    }
    return whileCurrent(height, make, () => this.#file.snapshot === snapshot)
  }

  /** Oldest height that `at` can go back to. What LMDB shows does not change before the next push or turn of the event loop. */
  earliest(): number {
    return this.#file.earliest()
  }

  /** Waits until every pushed block is on disk, if that can be, and closes. */
  async close(): Promise<void> {
    if (this.#failure === undefined) {
      const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
      this.#worker.ref()
      this.#worker.postMessage(null)
      await exited
    }
    await this.#file.db.close()
  }

  #storeOf(name: string): LatestStore {
    const store = this.#stores.get(name)
    assert(store !== undefined, `store ${name} is not mounted; mounted are ${[...this.#stores.keys()].join(', ')}`)
    return store
  }

  /** LMDB has the blocks up to `height`: their changes need not stay in memory. */
  #forgetWritten(height: number): void {
    this.#file.release() // a snapshot from before would not show them
    this.#written = height
    while (this.#pending.length > 0 && this.#pending[0]!.height <= height) this.#pending.shift()
    for (const store of this.#stores.values()) store.arrived(height)
    this.listeners.tell(height)
  }
}
