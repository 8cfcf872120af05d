import type { Bytes } from '@coin/base/bytes'
import type { StoreRoot } from './commit-info.js'
import type { StateBranch, StateRead } from './kv.js'
import type { KeyPath } from './tree.js'

/** One step of a merkle proof as CometBFT's `ProofOp` carries it. */
export interface ProofOp {
  /** `ics23:iavl` or `ics23:simple`. */
  readonly type: string
  readonly key: Bytes
  /** Encoded `ics23.CommitmentProof`. */
  readonly data: Bytes
}

export interface Proof {
  /** Undefined: the proof is of the key's absence. */
  readonly value: Bytes | undefined
  /** Store tree, then multi-store. */
  readonly ops: readonly ProofOp[]
}

/** What the trees know of a proof. Plain data that `postMessage` takes; `finishProof` adds the values, in any thread. */
export interface ProofPath {
  readonly height: number
  readonly store: string
  readonly key: Bytes
  readonly path: KeyPath
  /** Roots of all stores at `height`. */
  readonly roots: readonly StoreRoot[]
}

/**
 * The chain's whole state: one IAVL-compatible tree per mounted store, flat latest values, durable by a write-ahead log.
 * Life of a block: `branch()` -> execute -> `stage(branch, height)` gives the app hash -> `commit()` makes it durable.
 */
export interface MultiStore {
  /** Height of the last commit; 0 before the first. Safe integer. */
  readonly height: number
  /** App hash of the last commit as the SDK computes it: simple merkle over (store name, sha256(root)). */
  readonly appHash: Bytes
  /** The state as of the last commit. */
  committed(): StateRead
  /**
   * The state as of an older retained height. Throws `heightUnavailable`, naming the range that is there. To be read at once: it
   * ends with the next commit and with the turn of the event loop (later asserts), while `committed()` follows the commits.
   */
  at(height: number): StateRead
  /** Heights that `at` and `prove` answer, both inclusive. */
  available(): { readonly earliest: number; readonly latest: number }
  /** A fresh set of uncommitted changes on top of the last commit. Any number may live side by side; a commit ends them all. */
  branch(): StateBranch
  /**
   * Applies the branch's net changes to the trees, keys ascending per store, and returns the app hash at `height`: any for the
   * first block, then the next. What was staged before and not committed is forgotten. A staged branch is written no more (asserts).
   */
  stage(branch: StateBranch, height: number): Bytes
  /**
   * Makes what was staged durable (log synced to disk) and visible. Throws `diskFailed`, and then the state is the one before, and
   * stays it: the node stops, and what the disk has is known when it starts again.
   */
  commit(): void
  /**
   * Height up to which other threads can read every block, with `openStateReads`: what the outside may be told of. It follows
   * `height` at some distance; right after opening it may be behind as well.
   */
  readonly written: number
  /**
   * Tells of each rise of `written`, with the new height: ascending, and one call for several blocks when they were written
   * together. Ends when the answered function is called. What was written before is not told: look at `written` after this call.
   */
  onWritten(listener: (height: number) => void): () => void
  /**
   * Value and ICS-23 proof chain (store tree, then multi-store) of a key, present or absent, at a retained height. Throws
   * `heightUnavailable`.
   */
  prove(height: number, store: string, key: Bytes): Proof
  /** The part of `prove` that needs the trees and no value; `finishProof` makes a proof of it. Throws `heightUnavailable`. */
  provePath(height: number, store: string, key: Bytes): ProofPath
  /** Waits for background writers and releases the files. */
  close(): Promise<void>
}
