import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { compareToNode, field, maxKeyLength, type PackedArena, prefixWord, unhashed } from './packed-arena.js'
import { emptyRoot, hashInnerNodes, hashLeaves } from './packed-tree-hash.js'
import { hasKey } from './packed-tree-read.js'

/** Nodes and keys (address, length, address, length ...) that a version no longer has but an older one may. */
export interface Orphans {
  readonly nodes: Uint32Array
  readonly keys: Uint32Array
}

/** `version` of a dropped node. */
const dropped = 0xfffffffe

const left = field.left
const right = field.right

/**
 * The tree being changed on top of the last saved version. Nodes of saved versions are never written: a changed one is copied
 * first and remembered as an orphan. Nodes made since are written in place, which gives the same tree as iavl's copies.
 */
export class PackedWorkingTree {
  readonly #arena: PackedArena
  /** Number of the root record; 0 for the empty tree. */
  root = 0
  #saved = 0
  /** Version the working state was hashed for; 0 before. */
  #hashedFor = 0
  #orphanNodes: number[] = []
  #orphanKeys: number[] = []
  /** Keys first stored by the working state: address, length, ... */
  #newKeys: number[] = []
  /** Inner nodes changed since the last hash; may hold numbers that were dropped since. */
  #dirty: number[] = []
  /** Left the working state before any version had them. Not free while `#dirty` may name them: other trees use the arena too. */
  #dropped: number[] = []
  #waitingLeaves: number[] = []
  #waitingValues: (Bytes | undefined)[] = []
  /** Way from the root of the last descent, and the side taken at each node. */
  readonly #way = new Uint32Array(128)
  readonly #sides = new Uint8Array(128)

  constructor(arena: PackedArena) {
    this.#arena = arena
  }

  set(key: Bytes, value: Bytes): boolean {
    assert(key.length > 0 && key.length <= maxKeyLength, `tree key of ${key.length} bytes`)
    const arena = this.#arena
    arena.reserve(256, key.length)
    if (this.root === 0) {
      this.root = this.#createLeaf(key, prefixWord(key, 0), prefixWord(key, 4), value)
      return false
    }
    const words = arena.words
    const p0 = prefixWord(key, 0)
    const p1 = prefixWord(key, 4)
    const way = this.#way
    const sides = this.#sides
    let depth = 0
    let node = this.root
    while ((words[node * 16 + field.heightAndKeyLength]! & 0xff) !== 0) {
      node = this.#own(node)
      this.#link(depth, node)
      way[depth] = node
      const side = compareToNode(words, arena.bytes, key, p0, p1, node) < 0 ? left : right
      sides[depth++] = side
      node = words[node * 16 + side]!
    }
    const order = compareToNode(words, arena.bytes, key, p0, p1, node)
    if (order === 0) {
      this.#link(depth, this.#replaceLeaf(node, value))
      return true
    }
    const leaf = this.#createLeaf(key, p0, p1, value)
    this.#link(depth, order < 0 ? this.#join(leaf, node) : this.#join(node, leaf))
    this.#rebalance(depth)
    return false
  }

  remove(key: Bytes): boolean {
    if (!hasKey(this.#arena, this.root, key)) return false
    const arena = this.#arena
    arena.reserve(256, 0)
    const words = arena.words
    const p0 = prefixWord(key, 0)
    const p1 = prefixWord(key, 4)
    let depth = 0
    let node = this.root
    while ((words[node * 16 + field.heightAndKeyLength]! & 0xff) !== 0) {
      const side = compareToNode(words, arena.bytes, key, p0, p1, node) < 0 ? left : right
      const child = words[node * 16 + side]!
      // The leaf's parent vanishes with it: it is not made our own.
      if ((words[child * 16 + field.heightAndKeyLength]! & 0xff) !== 0) {
        node = this.#own(node)
        this.#link(depth, node)
      }
      this.#way[depth] = node
      this.#sides[depth++] = side
      node = words[node * 16 + side]!
    }
    const at = node * 16
    this.#orphanKeys.push(words[at + field.key]!, words[at + field.heightAndKeyLength]! >>> 8)
    this.#drop(node)
    if (depth === 0) this.root = 0
    else this.#pullUpSibling(depth - 1)
    return true
  }

  /** Root hash as of `version`. Nodes keep the version they were hashed for, so it is one version until saved or rolled back. */
  hash(version: number): Bytes {
    assert(this.#hashedFor === 0 || this.#hashedFor === version, 'one version per working state')
    this.#hashedFor = version
    hashLeaves(this.#arena, this.#waitingLeaves, this.#waitingValues, version)
    hashInnerNodes(this.#arena, this.#dirty, version)
    this.#clearWaiting()
    return this.root === 0 ? emptyRoot() : this.#arena.hashOf(this.root)
  }

  /** The hashed working state is a saved version from now on. Returns what it lacks against the one before. */
  settle(version: number): Orphans {
    assert(this.#hashedFor === version, 'hashed before it is saved')
    const orphans = { nodes: Uint32Array.from(this.#orphanNodes), keys: Uint32Array.from(this.#orphanKeys) }
    this.#saved = version
    this.#reset()
    return orphans
  }

  /** Back to a saved root: what the working state made is free again. */
  discard(savedRoot: number): void {
    this.#releaseUnsaved(this.root)
    for (let i = 0; i < this.#newKeys.length; i += 2) {
      this.#arena.releaseKey(this.#newKeys[i]!, this.#newKeys[i + 1]!)
    }
    this.#clearWaiting()
    this.#reset()
    this.root = savedRoot
  }

  #heightOf(node: number): number {
    return this.#arena.words[node * 16 + field.heightAndKeyLength]! & 0xff
  }

  /** Makes `node` the child on the way at `depth`: the root, or on the remembered side of the node above. */
  #link(depth: number, node: number): void {
    if (depth === 0) this.root = node
    else this.#arena.words[this.#way[depth - 1]! * 16 + this.#sides[depth - 1]!] = node
  }

  #isSaved(version: number): boolean {
    return version !== unhashed && version <= this.#saved
  }

  /** The same inner node in a form that the working state may write: itself or a copy. */
  #own(node: number): number {
    const words = this.#arena.words
    const from = node * 16
    const version = words[from + field.version]!
    if (version === unhashed) return node
    let mine = node
    if (version <= this.#saved) {
      mine = this.#arena.takeNode()
      const to = mine * 16
      for (let i = 0; i < field.hash; i++) words[to + i] = words[from + i]!
      this.#orphanNodes.push(node)
    }
    words[mine * 16 + field.version] = unhashed
    this.#dirty.push(mine)
    return mine
  }

  #createLeaf(key: Bytes, p0: number, p1: number, value: Bytes): number {
    const node = this.#arena.takeNode()
    const address = this.#arena.takeKey(key)
    this.#newKeys.push(address, key.length)
    const words = this.#arena.words
    const at = node * 16
    words[at + right] = 0
    words[at + field.size] = 1
    words[at + field.key] = address
    words[at + field.heightAndKeyLength] = key.length << 8
    words[at + field.prefix] = p0
    words[at + field.prefix + 1] = p1
    this.#awaitHash(node, value)
    return node
  }

  #awaitHash(leaf: number, value: Bytes): void {
    const words = this.#arena.words
    words[leaf * 16 + field.version] = unhashed
    words[leaf * 16 + left] = this.#waitingLeaves.length
    this.#waitingLeaves.push(leaf)
    this.#waitingValues.push(value)
  }

  /** The leaf with another value: a new one when the old belongs to a saved version. The key is shared. */
  #replaceLeaf(leaf: number, value: Bytes): number {
    const words = this.#arena.words
    const from = leaf * 16
    const version = words[from + field.version]!
    if (version === unhashed) {
      this.#waitingValues[words[from + left]!] = value
      return leaf
    }
    let mine = leaf
    if (version <= this.#saved) {
      mine = this.#arena.takeNode()
      const to = mine * 16
      for (let i = 0; i < field.hash; i++) words[to + i] = words[from + i]!
      this.#orphanNodes.push(leaf)
    }
    this.#awaitHash(mine, value)
    return mine
  }

  /** A new parent of two leaves. Its key is the right one's. */
  #join(leftLeaf: number, rightLeaf: number): number {
    const words = this.#arena.words
    const node = this.#arena.takeNode()
    const at = node * 16
    const from = rightLeaf * 16
    words[at + left] = leftLeaf
    words[at + right] = rightLeaf
    words[at + field.size] = 2
    words[at + field.version] = unhashed
    words[at + field.key] = words[from + field.key]!
    words[at + field.heightAndKeyLength] = (words[from + field.heightAndKeyLength]! & ~0xff) | 1
    words[at + field.prefix] = words[from + field.prefix]!
    words[at + field.prefix + 1] = words[from + field.prefix + 1]!
    this.#dirty.push(node)
    return node
  }

  /** The node leaves the working state: kept for older versions, or free after the next hash when it never was in one. */
  #drop(node: number): void {
    const words = this.#arena.words
    const at = node * 16
    const version = words[at + field.version]!
    if (this.#isSaved(version)) {
      this.#orphanNodes.push(node)
      return
    }
    if (version === unhashed && (words[at + field.heightAndKeyLength]! & 0xff) === 0) {
      this.#waitingValues[words[at + left]!] = undefined
    }
    words[at + field.version] = dropped
    this.#dropped.push(node)
  }

  /** After the leaf below way[last] was dropped: its sibling takes the parent's place, keys and balance above are set right. */
  #pullUpSibling(last: number): void {
    const words = this.#arena.words
    const parent = this.#way[last]!
    const at = parent * 16
    const fromLeft = this.#sides[last] === left
    const key = words[at + field.key]!
    const keyLength = words[at + field.heightAndKeyLength]! & ~0xff
    const p0 = words[at + field.prefix]!
    const p1 = words[at + field.prefix + 1]!
    this.#link(last, words[at + (fromLeft ? right : left)]!)
    this.#drop(parent)
    // The subtree lost its smallest key: the ancestor in whose right part it is the first has to name the new one.
    if (fromLeft) {
      for (let i = last - 1; i >= 0; i--) {
        if (this.#sides[i] === left) continue
        const to = this.#way[i]! * 16
        words[to + field.key] = key
        words[to + field.heightAndKeyLength] = keyLength | (words[to + field.heightAndKeyLength]! & 0xff)
        words[to + field.prefix] = p0
        words[to + field.prefix + 1] = p1
        break
      }
    }
    this.#rebalance(last)
  }

  /** Heights, sizes and balance of the nodes way[depth - 1] up to the root. */
  #rebalance(depth: number): void {
    for (let i = depth - 1; i >= 0; i--) {
      const node = this.#way[i]!
      this.#measure(node)
      const balanced = this.#balance(node)
      if (balanced !== node) this.#link(i, balanced)
    }
  }

  #measure(node: number): void {
    const words = this.#arena.words
    const at = node * 16
    const a = words[at + left]! * 16
    const b = words[at + right]! * 16
    const ha = words[a + field.heightAndKeyLength]! & 0xff
    const hb = words[b + field.heightAndKeyLength]! & 0xff
    words[at + field.size] = words[a + field.size]! + words[b + field.size]!
    words[at + field.heightAndKeyLength] = (words[at + field.heightAndKeyLength]! & ~0xff) | ((ha > hb ? ha : hb) + 1)
  }

  /** Height of the left child less that of the right. */
  #lean(node: number): number {
    const words = this.#arena.words
    return this.#heightOf(words[node * 16 + left]!) - this.#heightOf(words[node * 16 + right]!)
  }

  #balance(node: number): number {
    const words = this.#arena.words
    const lean = this.#lean(node)
    if (lean > 1) {
      const child = words[node * 16 + left]!
      if (this.#lean(child) < 0) words[node * 16 + left] = this.#rotate(this.#own(child), right)
      return this.#rotate(node, left)
    }
    if (lean < -1) {
      const child = words[node * 16 + right]!
      if (this.#lean(child) > 0) words[node * 16 + right] = this.#rotate(this.#own(child), left)
      return this.#rotate(node, right)
    }
    return node
  }

  /** Lifts the child on `side` above `node` (an own one) and returns it. */
  #rotate(node: number, side: 0 | 1): number {
    const words = this.#arena.words
    const lifted = this.#own(words[node * 16 + side]!)
    words[node * 16 + side] = words[lifted * 16 + 1 - side]!
    words[lifted * 16 + 1 - side] = node
    this.#measure(node)
    this.#measure(lifted)
    return lifted
  }

  #clearWaiting(): void {
    for (const node of this.#dropped) this.#arena.releaseNode(node)
    this.#dropped.length = 0
    this.#dirty.length = 0
    this.#waitingLeaves.length = 0
    this.#waitingValues.length = 0
  }

  #reset(): void {
    this.#hashedFor = 0
    this.#newKeys.length = 0
    this.#orphanNodes.length = 0
    this.#orphanKeys.length = 0
  }

  #releaseUnsaved(node: number): void {
    if (node === 0) return
    const words = this.#arena.words
    if (this.#isSaved(words[node * 16 + field.version]!)) return
    if (this.#heightOf(node) !== 0) {
      this.#releaseUnsaved(words[node * 16 + left]!)
      this.#releaseUnsaved(words[node * 16 + right]!)
    }
    this.#arena.releaseNode(node)
  }
}
