import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { field, PackedArena } from './packed-arena.js'
import { dumpSource, loadDump } from './packed-tree-dump.js'
import { emptyRoot } from './packed-tree-hash.js'
import { findPath, hasKey, iterateKeys } from './packed-tree-read.js'
import { type Orphans, PackedWorkingTree } from './packed-working-tree.js'
import type { KeyPath, KeyRange, MerkleTree, TreeSource } from './tree.js'
import { VersionLog } from './version-log.js'

/** A tree in its own arena, or one of several in a shared arena. */
export function createPackedTree(arena: PackedArena = new PackedArena()): PackedTree {
  return new PackedTree(arena)
}

/**
 * `MerkleTree` in 64-byte records of one WebAssembly memory: no object per node, so nothing for the garbage collector, and
 * hashing four nodes at a time. Records of a version are used again when no retained version has them.
 */
export class PackedTree implements MerkleTree {
  readonly #arena: PackedArena
  readonly #working: PackedWorkingTree
  readonly #versions = new VersionLog<{ readonly root: number; readonly orphans: Orphans }>()

  constructor(arena: PackedArena) {
    this.#arena = arena
    this.#working = new PackedWorkingTree(arena)
  }

  get version(): number {
    return this.#versions.latest
  }
  get earliest(): number {
    return this.#versions.earliest
  }
  get size(): number {
    return this.#sizeOf(this.#working.root)
  }
  get height(): number {
    const { root } = this.#working
    return root === 0 ? 0 : this.#arena.words[root * 16 + field.heightAndKeyLength]! & 0xff
  }

  has(key: Bytes): boolean {
    return hasKey(this.#arena, this.#working.root, key)
  }

  set(key: Bytes, value: Bytes): boolean {
    return this.#working.set(key, value)
  }

  remove(key: Bytes): boolean {
    return this.#working.remove(key)
  }

  workingHash(version: number): Bytes {
    assert(Number.isSafeInteger(version) && version > this.version, `tree version ${version} after ${this.version}`)
    return this.#working.hash(version)
  }

  saveVersion(version: number): Bytes {
    const hash = this.workingHash(version)
    this.#versions.append(version, { root: this.#working.root, orphans: this.#working.settle(version) })
    return hash
  }

  rollback(): void {
    this.#working.discard(this.version === 0 ? 0 : this.#rootAt(this.version))
  }

  isRetained(version: number): boolean {
    return this.#versions.has(version)
  }

  rootHash(version: number): Bytes {
    const root = this.#rootAt(version)
    return root === 0 ? emptyRoot() : this.#arena.hashOf(root)
  }

  sizeAt(version: number): number {
    return this.#sizeOf(this.#rootAt(version))
  }

  pin(version: number): () => void {
    return this.#versions.pin(version, (passed) => this.#recycle(passed))
  }

  releaseBefore(version: number): void {
    this.#recycle(this.#versions.releaseBefore(version))
  }

  path(version: number, key: Bytes): KeyPath {
    return findPath(this.#arena, this.#rootAt(version), key)
  }

  keys(version: number, range: KeyRange = {}): IterableIterator<Bytes> {
    return iterateKeys(this.#arena, this.#rootAt(version), range)
  }

  /** What `dumpSource` needs to write the dump in another thread. Pin the version until it is done. */
  source(version: number): TreeSource {
    return { buffer: this.#arena.buffer, root: this.#rootAt(version), version }
  }

  dump(version: number): IterableIterator<Bytes> {
    return dumpSource(this.source(version))
  }

  load(chunks: Iterable<Bytes>): number {
    assert(this.version === 0 && this.#working.root === 0, 'a dump is loaded into a tree that was never used')
    const { root, version } = loadDump(this.#arena, chunks)
    this.#working.root = root
    this.saveVersion(version)
    return version
  }

  #rootAt(version: number): number {
    return this.#versions.require(version).root
  }

  #sizeOf(root: number): number {
    return root === 0 ? 0 : this.#arena.words[root * 16 + field.size]!
  }

  #recycle(passed: readonly { readonly orphans: Orphans }[]): void {
    for (const { orphans } of passed) {
      for (const node of orphans.nodes) this.#arena.releaseNode(node)
      for (let i = 0; i < orphans.keys.length; i += 2) {
        this.#arena.releaseKey(orphans.keys[i]!, orphans.keys[i + 1]!)
      }
    }
  }
}
