import type { Bytes } from '@coin/base/bytes'
import type { StateBranch, StateRead } from './kv.js'

/** A value that is not committed yet; undefined: the key is deleted. */
export interface PendingValue {
  readonly store: string
  readonly key: Bytes
  readonly value: Bytes | undefined
}

export interface StateReadsOptions {
  /** The folder of the `openMultiStore` that runs in this process. */
  readonly path: string
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
