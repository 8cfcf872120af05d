import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { appHashOf, type StoreRoot } from './commit-info.js'
import type { StoreChanges } from './journal.js'
import type { ProofPath } from './multi-store.js'
import { PackedArena } from './packed-arena.js'
import { createPackedTree, type PackedTree } from './packed-tree.js'

/** The trees of all mounted stores: one version is one block. */
export class Forest {
  readonly trees: ReadonlyMap<string, PackedTree>

  constructor(names: readonly string[]) {
    const arena = new PackedArena()
    this.trees = new Map([...new Set(names)].sort().map((name) => [name, createPackedTree(arena)]))
  }

  tree(name: string): PackedTree {
    const tree = this.trees.get(name)
    assert(tree !== undefined, `store ${name} is not mounted; mounted are ${[...this.trees.keys()].join(', ')}`)
    return tree
  }

  /** Puts a block's changes into the working trees. */
  apply(changes: readonly StoreChanges[]): void {
    for (const { name, entries } of changes) {
      const tree = this.tree(name)
      for (const { key, value } of entries) {
        if (value === undefined) tree.remove(key)
        else tree.set(key, value)
      }
    }
  }

  /** App hash over the given stores, or all: a store that is mounted later is no part of earlier heights. */
  workingHash(height: number, names: Iterable<string> = this.trees.keys()): Bytes {
    return appHashOf([...names].map((name) => ({ name, root: this.tree(name).workingHash(height) })))
  }

  /** Keeps the given working trees, or all, as `height` and forgets versions below `keepFrom`. */
  save(height: number, keepFrom: number, names: Iterable<string> = this.trees.keys()): void {
    for (const name of names) {
      const tree = this.tree(name)
      tree.saveVersion(height)
      if (keepFrom > 0) tree.releaseBefore(keepFrom)
    }
  }

  rollback(): void {
    for (const tree of this.trees.values()) tree.rollback()
  }

  /** First height that every tree still has; a store that is mounted later begins with its first block. */
  earliest(): number {
    let earliest = 0
    for (const tree of this.trees.values()) earliest = Math.max(earliest, tree.earliest)
    return earliest
  }

  /** What a proof of a key at a height from `earliest()` on takes from the trees. */
  provePath(height: number, store: string, key: Bytes): ProofPath {
    const roots = [...this.trees]
      .filter(([, mounted]) => mounted.isRetained(height)) // a store just mounted has no block yet
      .map(([name, mounted]): StoreRoot => ({ name, root: mounted.rootHash(height) }))
    return { height, store, key, path: this.tree(store).path(height, key), roots }
  }
}
