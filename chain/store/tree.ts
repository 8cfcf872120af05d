import type { Bytes } from '@coin/base/bytes'
import { defineErrors } from '@coin/base/errors'

export const treeErrors = defineErrors('tree', {
  versionUnavailable: [1, 'tree version is not retained'],
  badDump: [2, 'not a tree dump'],
})

/** One step of the way from a leaf up to the root: everything but the hash that arrives from below. */
export interface PathStep {
  readonly height: number
  /** Keys under this node. */
  readonly size: number
  /** Version in which this node was made. */
  readonly version: number
  /** Hash of the other child. */
  readonly sibling: Bytes
  /** Side of the other child: `left` when the way comes from the right child. */
  readonly siblingSide: 'left' | 'right'
}

/** What a proof of one leaf needs except its value, which the tree does not keep. */
export interface LeafPath {
  readonly key: Bytes
  /** Version in which the leaf was last set. */
  readonly version: number
  /** From the leaf's parent to the root; empty when the leaf is the root. */
  readonly steps: readonly PathStep[]
}

/** Where a key is, or between which neighbours it would be. A neighbour is absent at the edge of the tree. */
export type KeyPath =
  | { readonly found: true; readonly leaf: LeafPath }
  | { readonly found: false; readonly left: LeafPath | undefined; readonly right: LeafPath | undefined }

export interface KeyRange {
  /** First key that may come, inclusive; open when absent. */
  readonly start?: Bytes | undefined
  /** End of the keys, exclusive; open when absent. */
  readonly end?: Bytes | undefined
  /** Downwards from the last key of the range. */
  readonly reverse?: boolean
}

/** A saved version in a form that crosses to another thread by `postMessage`; `dumpSource` (packed-tree-dump) reads it there. */
export interface TreeSource {
  /** Nodes and keys, see packed-arena. */
  readonly buffer: SharedArrayBuffer
  /** Node number of the root, 0 for the empty tree. */
  readonly root: number
  readonly version: number
}

/**
 * A merkle tree with the shape, versions and hashes of cosmos/iavl v1 (ICS-23 `iavl` spec). It keeps keys and hashes, never
 * values: those live in the flat store.
 *
 * One working state sits on top of the saved versions. Because shape depends on the order of operations, a block is applied as
 * the SDK flushes it: once, keys ascending, deletes in line. Saved versions are immutable and stay readable until released.
 *
 * @example
 * tree.set(key, value)
 * const root = tree.workingHash(7) // header's app hash is made of these
 * tree.saveVersion(7) // same root
 * tree.releaseBefore(3) // versions 1 and 2 are gone, their nodes are used again
 */
export interface MerkleTree {
  /** Last saved version; 0 before the first. */
  readonly version: number
  /** Oldest version still readable; 0 before the first save. */
  readonly earliest: number
  /** Keys in the working state. */
  readonly size: number
  /** Height of the working state's root; 0 for a single leaf and for the empty tree. */
  readonly height: number

  /** Whether the working state has the key. */
  has(key: Bytes): boolean
  /**
   * Sets a key (1 byte to 128 KiB) in the working state; `value` may be empty. The value is hashed when the working hash is taken:
   * do not change its bytes before that. Setting an equal value still makes a new leaf, as in iavl.
   * Returns true when the key was there before.
   */
  set(key: Bytes, value: Bytes): boolean
  /** Removes a key from the working state. Returns false, with nothing changed, when it is absent. */
  remove(key: Bytes): boolean
  /**
   * Root hash (32 bytes) the working state would have when saved as `version`; sha256 of nothing for the empty tree. The version
   * must be above the last saved one and the same until the working state is saved or rolled back.
   */
  workingHash(version: number): Bytes
  /** Keeps the working state as `version` and returns its root hash. Versions ascend; gaps are fine. */
  saveVersion(version: number): Bytes
  /** Drops all changes since the last saved version. */
  rollback(): void

  /** Whether `version` can be read. */
  isRetained(version: number): boolean
  /** Root hash of a saved version. This and the readers below throw `versionUnavailable`. */
  rootHash(version: number): Bytes
  /** Keys of a saved version. */
  sizeAt(version: number): number
  /** Keeps `version` and everything after it readable until the returned function is called. */
  pin(version: number): () => void
  /** Forgets the versions below `version`, except the newest saved one and what a pin holds (forgotten when it is let go). */
  releaseBefore(version: number): void

  /** The way to a key, or to its neighbours, in a saved version. */
  path(version: number, key: Bytes): KeyPath
  /** Keys of a saved version in byte order, as copies. Pin the version when it may be released meanwhile. */
  keys(version: number, range?: KeyRange): IterableIterator<Bytes>

  /** A saved version as bytes: chunks of at most 1 MiB. Pin the version when the chunks are taken over time. */
  dump(version: number): IterableIterator<Bytes>
  /**
   * Fills an empty, never saved tree from `dump`'s bytes (cut into chunks in any way) and returns the version, now the saved one.
   * Throws `badDump`. Compare `rootHash` with what is expected: hashes inside are checked against it.
   */
  load(chunks: Iterable<Bytes>): number
}
