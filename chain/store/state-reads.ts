import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import { FlatReader } from './flat-reader.js'
import type { RunCall } from './guarded-calls.js'
import { checkAvailable, whileCurrent } from './history.js'
import { Journal } from './journal.js'
import type { KvRead, StateBranch, StateRead } from './kv.js'
import { readStoreNumbers, storesFile, valuesFolder } from './store-numbers.js'

/** A value that is not committed yet; undefined: the key is deleted. */
export interface PendingValue {
  readonly store: string
  readonly key: Bytes
  readonly value: Bytes | undefined
}

export interface StateReadsOptions {
  /** The folder of the `openMultiStore` that runs in this process. */
  readonly path: string
  /** Every read goes through it. */
  readonly run?: RunCall
}

/**
 * The state as any thread of the process reads it from the files of a running `openMultiStore`: no lock is taken and nothing is
 * written. It sees a block once the multi-store has told `onWritten` of it.
 *
 * Everything read between one `refresh` and the next is of one snapshot. It ends with the next `refresh`, with `release`, and with
 * the turn of the event loop: views and branches from before assert when they are read later. So a query is
 *
 * @example
 * reads.refresh() // 1205
 * const balance = reads.at(1200).store('bank').get(key) // all of it synchronous
 */
export interface StateReads {
  /** Height of the snapshot; 0 before the first `refresh` and before the first block. */
  readonly height: number
  /** Takes up the newest height that is wholly in the files, and answers it; 0 before the first block. Heights never go back. */
  refresh(): number
  /** The state of `height`. */
  committed(): StateRead
  /** The state of a retained height. Throws `heightUnavailable`, naming those that are there. */
  at(height: number): StateRead
  /** Heights that `at` answers, both inclusive; more than the multi-store's after a restart, because values need no trees. */
  available(): { readonly earliest: number; readonly latest: number }
  /** Changes on top of `committed()` that go nowhere, for a simulation; they begin with `changes`, in this order. */
  branch(changes?: Iterable<PendingValue>): StateBranch
  /**
   * Ends the snapshot now. A thread that goes back to the event loop after each query needs no call: the turn does it. One that
   * blocks (`Atomics.wait`) must call it first, because LMDB cannot use pages again that a snapshot may still show.
   */
  release(): void
  /** Closes the files. */
  close(): Promise<void>
}

/** Throws `unknownStore` when `path` is not the folder of a state, `unknownFormat` when it is of another program's. */
export function openStateReads({ path, run }: StateReadsOptions): StateReads {
  const numbers = readStoreNumbers(storesFile(path))
  if (numbers.size === 0)
    throw storeErrors.unknownStore(`${storesFile(path)} names none: the state was not opened there`)
  return new FlatStateReads(new FlatReader(valuesFolder(path), numbers, run))
}

class FlatStateReads implements StateReads {
  readonly #file: FlatReader
  #height = 0
  /** 0 for none. */
  #snapshot = 0

  constructor(file: FlatReader) {
    this.#file = file
  }

  get height(): number {
    return this.#height
  }

  refresh(): number {
    this.#file.release()
    this.#snapshot = this.#file.snapshot
    this.#height = this.#file.height()
    return this.#height
  }

  committed(): StateRead {
    const snapshot = this.#snapshot
    return this.#view(this.#height, (name) => this.#file.store(name, snapshot))
  }

  at(height: number): StateRead {
    const latest = this.#height
    checkAvailable(height, this.available())
    if (height === latest) return this.committed()
    const snapshot = this.#snapshot
    return this.#view(height, (name) => this.#file.past(this.#file.store(name, snapshot), name, height, latest))
  }

  available(): { readonly earliest: number; readonly latest: number } {
    assert(this.#file.snapshot === this.#snapshot, 'the state is read without a refresh before')
    return { earliest: this.#file.earliest(), latest: this.#height }
  }

  branch(changes: Iterable<PendingValue> = []): StateBranch {
    const branch = new Journal(this.committed())
    for (const { store, key, value } of changes) {
      if (value === undefined) branch.store(store).delete(key)
      else branch.store(store).set(key, value)
    }
    return branch
  }

  release(): void {
    this.#file.release()
    this.#snapshot = 0
  }

  async close(): Promise<void> {
    await this.#file.db.close()
  }

  #view(height: number, make: (name: string) => KvRead): StateRead {
    const snapshot = this.#snapshot
    return whileCurrent(height, make, () => this.#file.snapshot === snapshot)
  }
}
