import { assert } from '@coin/base/assert'
import { type Bytes, concatBytes, emptyBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { field, kernelKeyLengthMax, kernelValueLengthMax, type PackedArena, scratch, unhashed } from './packed-arena.js'

/** Root hash of the empty tree: sha256 of nothing. */
export function emptyRoot(): Bytes {
  return sha256(emptyBytes)
}

/** Hashes new leaves as of `version`. A leaf without a value was released since. */
export function hashLeaves(
  arena: PackedArena,
  leaves: readonly number[],
  values: readonly (Bytes | undefined)[],
  version: number,
): void {
  hashValues(arena, leaves, values)
  const { words, kernel } = arena
  const listAt = scratch.list / 4
  let count = 0
  for (let i = 0; i < leaves.length; i++) {
    if (values[i] === undefined) continue
    const leaf = leaves[i]!
    const at = leaf * 16
    words[at + field.version] = version
    words[at + field.left] = 0
    if (words[at + field.heightAndKeyLength]! >>> 8 > kernelKeyLengthMax) {
      hashLongLeaf(arena, leaf, version)
      continue
    }
    words[listAt + count++] = leaf
    if (count === scratch.listWords) {
      kernel.hashLeaves(scratch.list, count)
      count = 0
    }
  }
  if (count > 0) kernel.hashLeaves(scratch.list, count)
}

/** Puts the value hashes where the leaves' hashes will stand. */
function hashValues(arena: PackedArena, leaves: readonly number[], values: readonly (Bytes | undefined)[]): void {
  const { words, bytes, kernel } = arena
  const listAt = scratch.list / 4
  const stagingEnd = scratch.staging + scratch.stagingBytes
  let count = 0
  let next = scratch.staging
  for (let i = 0; i < leaves.length; i++) {
    const value = values[i]
    if (value === undefined) continue
    const target = leaves[i]! * 64 + 32
    if (value.length > kernelValueLengthMax) {
      bytes.set(sha256(value), target)
      continue
    }
    // Room for the padding, and vector loads stay aligned.
    const taken = (value.length + 72 + 15) & ~15
    if (next + taken > stagingEnd || 3 * (count + 1) > scratch.listWords) {
      kernel.hashMessages(scratch.list, count)
      count = 0
      next = scratch.staging
    }
    bytes.set(value, next)
    const at = listAt + 3 * count++
    words[at] = next
    words[at + 1] = value.length
    words[at + 2] = target
    next += taken
  }
  if (count > 0) kernel.hashMessages(scratch.list, count)
}

/** A leaf whose key does not fit the kernel's buffers; its value hash stands in place of its hash. */
function hashLongLeaf(arena: PackedArena, leaf: number, version: number): void {
  const key = arena.keyOf(leaf)
  const message = concatBytes(
    Uint8Array.of(0, 2),
    uvarint(2 * version),
    uvarint(key.length),
    key,
    Uint8Array.of(32),
    arena.hashOf(leaf),
  )
  arena.bytes.set(sha256(message), leaf * 64 + 32)
}

/** Unsigned LEB128 of a safe integer. */
export function uvarint(value: number): Bytes {
  const out: number[] = []
  let rest = value
  while (rest >= 0x80) {
    out.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  out.push(rest)
  return Uint8Array.from(out)
}

/** Hashes changed inner nodes as of `version`. */
export function hashInnerNodes(arena: PackedArena, dirty: readonly number[], version: number): void {
  assert(version < 2 ** 31, 'tree versions up to 2^31')
  const { words } = arena
  const todo = new Uint32Array(dirty.length)
  let live = 0
  for (const node of dirty) {
    const at = node * 16
    // Others were dropped since, or are listed twice.
    if (words[at + field.version] === unhashed) {
      words[at + field.version] = version
      todo[live++] = node
    }
  }
  hashByHeight(arena, todo.subarray(0, live))
}

/** Hashes inner nodes from the bottom up: a node is always higher than its children. */
export function hashByHeight(arena: PackedArena, nodes: Uint32Array): void {
  if (nodes.length === 0) return // most stores in most blocks
  const { words, kernel } = arena
  // starts[h]: where the nodes of height h begin in the order by height.
  const starts = new Uint32Array(258)
  for (const node of nodes) starts[(words[node * 16 + field.heightAndKeyLength]! & 0xff) + 1]!++
  for (let h = 1; h < 258; h++) starts[h]! += starts[h - 1]!
  const ends = starts.slice()
  const ordered = new Uint32Array(nodes.length)
  for (const node of nodes) ordered[ends[words[node * 16 + field.heightAndKeyLength]! & 0xff]!++] = node
  const listAt = scratch.list / 4
  for (let h = 1; h < 256; h++) {
    for (let from = starts[h]!; from < starts[h + 1]!; from += scratch.listWords) {
      const to = Math.min(from + scratch.listWords, starts[h + 1]!)
      words.set(ordered.subarray(from, to), listAt)
      kernel.hashInner(scratch.list, to - from)
    }
  }
}
