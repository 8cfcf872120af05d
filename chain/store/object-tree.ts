import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex, compareBytes, concatBytes, emptyBytes, equalBytes, hexToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import type { KeyPath, KeyRange, LeafPath, MerkleTree, PathStep } from './tree.js'
import { treeErrors } from './tree.js'
import { VersionLog } from './version-log.js'

/** Nodes never change once hashed: a changed tree has new ones along the way. `version` 0 is "not saved yet". */
interface Leaf {
  readonly height: 0
  readonly size: 1
  readonly key: Bytes
  readonly valueHash: Bytes
  version: number
  hash: Bytes | undefined
}

interface Inner {
  readonly height: number
  readonly size: number
  /** Smallest key of the right part. */
  readonly key: Bytes
  readonly left: Node
  readonly right: Node
  version: number
  hash: Bytes | undefined
}

type Node = Leaf | Inner

/** LEB128, unsigned. */
function uvarint(value: number): Bytes {
  const out: number[] = []
  for (let rest = BigInt(value); ; rest >>= 7n) {
    if (rest < 0x80n) return Uint8Array.from([...out, Number(rest)])
    out.push(Number(rest & 0x7fn) | 0x80)
  }
}

/** Go's signed varint of a number that is not negative. */
const varint = (value: number): Bytes => uvarint(2 * value)

const isInner = (node: Node): node is Inner => node.height > 0

function join(key: Bytes, left: Node, right: Node): Inner {
  const height = 1 + Math.max(left.height, right.height)
  return { height, size: left.size + right.size, key, left, right, version: 0, hash: undefined }
}

function rotateRight(node: Inner): Inner {
  const { left } = node
  assert(isInner(left), 'a node that leans has inner children on that side')
  return join(left.key, left.left, join(node.key, left.right, node.right))
}

function rotateLeft(node: Inner): Inner {
  const { right } = node
  assert(isInner(right), 'a node that leans has inner children on that side')
  return join(right.key, join(node.key, node.left, right.left), right.right)
}

const lean = (node: Node): number => (isInner(node) ? node.left.height - node.right.height : 0)

function balance(node: Inner): Inner {
  const { left, right } = node
  if (lean(node) > 1) {
    return rotateRight(isInner(left) && lean(left) < 0 ? join(node.key, rotateLeft(left), right) : node)
  }
  if (lean(node) < -1) {
    return rotateLeft(isInner(right) && lean(right) > 0 ? join(node.key, left, rotateRight(right)) : node)
  }
  return node
}

function insert(node: Node, leaf: Leaf): Node {
  const order = compareBytes(leaf.key, node.key)
  if (!isInner(node)) {
    if (order === 0) return leaf
    return order < 0 ? join(node.key, leaf, node) : join(leaf.key, node, leaf)
  }
  const left = order < 0 ? insert(node.left, leaf) : node.left
  const right = order < 0 ? node.right : insert(node.right, leaf)
  return balance(join(node.key, left, right))
}

/** What is left without `key`, which is there, and the new smallest key when the smallest was removed. */
function without(node: Node, key: Bytes): { node: Node | undefined; smallest: Bytes | undefined } {
  if (!isInner(node)) return { node: undefined, smallest: undefined }
  if (compareBytes(key, node.key) < 0) {
    const left = without(node.left, key)
    if (left.node === undefined) return { node: node.right, smallest: node.key }
    return { node: balance(join(node.key, left.node, node.right)), smallest: left.smallest }
  }
  const right = without(node.right, key)
  if (right.node === undefined) return { node: node.left, smallest: undefined }
  return { node: balance(join(right.smallest ?? node.key, node.left, right.node)), smallest: undefined }
}

/** Hashes what has no hash yet as of `version`. */
function hashNode(node: Node, version: number): Bytes {
  if (node.hash !== undefined) return node.hash
  node.version = version
  const head = concatBytes(varint(node.height), varint(node.size), varint(version))
  const length = Uint8Array.of(32)
  const rest = isInner(node)
    ? [length, hashNode(node.left, version), length, hashNode(node.right, version)]
    : [uvarint(node.key.length), node.key, length, node.valueHash]
  node.hash = sha256(concatBytes(head, ...rest))
  return node.hash
}

function findLeaf(root: Node | undefined, key: Bytes): Leaf | undefined {
  let node = root
  while (node && isInner(node)) node = compareBytes(key, node.key) < 0 ? node.left : node.right
  return node && equalBytes(node.key, key) ? node : undefined
}

function* ascendingLeaves(node: Node | undefined): IterableIterator<Leaf> {
  if (node === undefined) return
  if (!isInner(node)) yield node
  else {
    yield* ascendingLeaves(node.left)
    yield* ascendingLeaves(node.right)
  }
}

function pathTo(root: Node, key: Bytes): LeafPath {
  const steps: PathStep[] = []
  let node = root
  while (isInner(node)) {
    const fromLeft: boolean = compareBytes(key, node.key) < 0
    const { height, size, version } = node
    const sibling: Node = fromLeft ? node.right : node.left
    steps.unshift({ height, size, version, sibling: sibling.hash!, siblingSide: fromLeft ? 'right' : 'left' })
    node = fromLeft ? node.left : node.right
  }
  return { key: node.key, version: node.version, steps }
}

/** `MerkleTree` written as plainly as possible: the oracle that the packed tree is tested against. Slow, linear reads. */
export class ObjectTree implements MerkleTree {
  #root: Node | undefined
  #hashedFor = 0
  readonly #versions = new VersionLog<{ readonly root: Node | undefined }>()

  get version(): number {
    return this.#versions.latest
  }
  get earliest(): number {
    return this.#versions.earliest
  }
  get size(): number {
    return this.#root?.size ?? 0
  }
  get height(): number {
    return this.#root?.height ?? 0
  }

  has(key: Bytes): boolean {
    return findLeaf(this.#root, key) !== undefined
  }

  set(key: Bytes, value: Bytes): boolean {
    assert(key.length > 0, 'tree key of 0 bytes')
    const was = this.has(key)
    const leaf: Leaf = { height: 0, size: 1, key: key.slice(), valueHash: sha256(value), version: 0, hash: undefined }
    this.#root = this.#root === undefined ? leaf : insert(this.#root, leaf)
    return was
  }

  remove(key: Bytes): boolean {
    if (this.#root === undefined || !this.has(key)) return false
    this.#root = without(this.#root, key).node
    return true
  }

  workingHash(version: number): Bytes {
    assert(Number.isSafeInteger(version) && version > this.version, `tree version ${version} after ${this.version}`)
    assert(this.#hashedFor === 0 || this.#hashedFor === version, 'one version per working state')
    this.#hashedFor = version
    return this.#root === undefined ? sha256(emptyBytes) : hashNode(this.#root, version)
  }

  saveVersion(version: number): Bytes {
    const hash = this.workingHash(version)
    this.#versions.append(version, { root: this.#root })
    this.#hashedFor = 0
    return hash
  }

  rollback(): void {
    this.#root = this.version === 0 ? undefined : this.#rootAt(this.version)
    this.#hashedFor = 0
  }

  isRetained(version: number): boolean {
    return this.#versions.has(version)
  }

  rootHash(version: number): Bytes {
    return this.#rootAt(version)?.hash ?? sha256(emptyBytes)
  }

  sizeAt(version: number): number {
    return this.#rootAt(version)?.size ?? 0
  }

  pin(version: number): () => void {
    return this.#versions.pin(version, () => undefined)
  }

  releaseBefore(version: number): void {
    this.#versions.releaseBefore(version)
  }

  path(version: number, key: Bytes): KeyPath {
    const root = this.#rootAt(version)
    if (root === undefined) return { found: false, left: undefined, right: undefined }
    if (findLeaf(root, key)) return { found: true, leaf: pathTo(root, key) }
    const keys = [...this.keys(version)]
    const left = keys.findLast((other) => compareBytes(other, key) < 0)
    const right = keys.find((other) => compareBytes(other, key) > 0)
    return { found: false, left: left && pathTo(root, left), right: right && pathTo(root, right) }
  }

  *keys(version: number, { start, end, reverse = false }: KeyRange = {}): IterableIterator<Bytes> {
    const keys = [...ascendingLeaves(this.#rootAt(version))].map((leaf) => leaf.key.slice())
    const inRange = keys.filter(
      (key) => (!start || compareBytes(key, start) >= 0) && (!end || compareBytes(key, end) < 0),
    )
    yield* reverse ? inRange.reverse() : inRange
  }

  /** One chunk of JSON: not the packed tree's form. */
  *dump(version: number): IterableIterator<Bytes> {
    const write = (node: Node): unknown =>
      isInner(node)
        ? [bytesToHex(node.key), node.version, write(node.left), write(node.right)]
        : [bytesToHex(node.key), node.version, bytesToHex(node.valueHash)]
    const root = this.#rootAt(version)
    yield new TextEncoder().encode(JSON.stringify({ version, root: root === undefined ? null : write(root) }))
  }

  load(chunks: Iterable<Bytes>): number {
    assert(this.version === 0 && this.#root === undefined, 'a dump is loaded into a tree that was never used')
    const { version, root } = parseDump(concatBytes(...chunks))
    this.#root = root
    this.saveVersion(version)
    return version
  }

  #rootAt(version: number): Node | undefined {
    return this.#versions.require(version).root
  }
}

type DumpNode = [key: string, version: number, valueHash: string] | [string, number, left: DumpNode, right: DumpNode]

function parseDump(text: Bytes): { version: number; root: Node | undefined } {
  const read = (dump: DumpNode): Node => {
    const key = hexToBytes(dump[0])
    const node: Node =
      dump.length === 4
        ? join(key, read(dump[2]), read(dump[3]))
        : { height: 0, size: 1, key, valueHash: hexToBytes(dump[2]), version: 0, hash: undefined }
    hashNode(node, dump[1])
    return node
  }
  try {
    const { version, root } = JSON.parse(new TextDecoder().decode(text)) as { version: number; root: DumpNode | null }
    return { version, root: root === null ? undefined : read(root) }
  } catch (cause) {
    throw treeErrors.badDump(String(cause))
  }
}
