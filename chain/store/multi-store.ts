import type { Bytes } from '@coin/base/bytes'
import type { StateBranch, StateRead } from './kv.js'

/** One step of a merkle proof as CometBFT's `ProofOp` carries it. */
export interface ProofOp {
  /** `ics23:iavl` or `ics23:simple`. */
  readonly type: string
  readonly key: Bytes
  /** Encoded `ics23.CommitmentProof`. */
  readonly data: Bytes
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
   * Value and ICS-23 proof chain (store tree, then multi-store) of a key, present or absent, at a retained height. Throws
   * `heightUnavailable`.
   */
  prove(height: number, store: string, key: Bytes): { value: Bytes | undefined; ops: readonly ProofOp[] }
  /** Waits for background writers and releases the files. */
  close(): Promise<void>
}
