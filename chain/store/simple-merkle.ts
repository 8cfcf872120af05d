import { assert } from '@coin/base/assert'
import { type Bytes, concatBytes, emptyBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'

/** Proof that a leaf stands at `index` of `total`; `aunts` are the other children from the leaf's side up to the root. */
export interface MerkleProof {
  readonly total: number
  readonly index: number
  readonly leafHash: Bytes
  readonly aunts: readonly Bytes[]
}

const leafPrefix = Uint8Array.of(0)
const innerPrefix = Uint8Array.of(1)

/** sha256 of a zero byte and the leaf. */
export function merkleLeafHash(leaf: Bytes): Bytes {
  return sha256(concatBytes(leafPrefix, leaf))
}

function innerHash(left: Bytes, right: Bytes): Bytes {
  return sha256(concatBytes(innerPrefix, left, right))
}

/** Leaves in the left part: the largest power of two below `total`. */
function splitPoint(total: number): number {
  return 2 ** (31 - Math.clz32(total - 1))
}

function rootOfHashes(hashes: readonly Bytes[], from: number, to: number): Bytes {
  if (to - from === 1) return hashes[from]!
  const middle = from + splitPoint(to - from)
  return innerHash(rootOfHashes(hashes, from, middle), rootOfHashes(hashes, middle, to))
}

/**
 * Merkle root as RFC 6962 and CometBFT's `crypto/merkle` define it; sha256 of nothing when there are no leaves.
 *
 * @example
 * bytesToHex(merkleRoot([])) // 'e3b0c44298fc1c14...'
 */
export function merkleRoot(leaves: readonly Bytes[]): Bytes {
  if (leaves.length === 0) return sha256(emptyBytes)
  return rootOfHashes(leaves.map(merkleLeafHash), 0, leaves.length)
}

/** The root, and one proof for each leaf in order. */
export function merkleProofs(leaves: readonly Bytes[]): { root: Bytes; proofs: readonly MerkleProof[] } {
  if (leaves.length === 0) return { root: sha256(emptyBytes), proofs: [] }
  const hashes = leaves.map(merkleLeafHash)
  const aunts: Bytes[][] = hashes.map(() => [])
  const build = (from: number, to: number): Bytes => {
    if (to - from === 1) return hashes[from]!
    const middle = from + splitPoint(to - from)
    const left = build(from, middle)
    const right = build(middle, to)
    for (let i = from; i < to; i++) aunts[i]!.push(i < middle ? right : left)
    return innerHash(left, right)
  }
  const root = build(0, leaves.length)
  const total = leaves.length
  return { root, proofs: hashes.map((leafHash, index) => ({ total, index, leafHash, aunts: aunts[index]! })) }
}

/** On which side the aunts of leaf `index` stand, in the order of `MerkleProof.aunts`: true for the right. */
export function auntsOnRight(index: number, total: number): boolean[] {
  assert(index >= 0 && index < total, `leaf ${index} of ${total}`)
  if (total === 1) return []
  const middle = splitPoint(total)
  return index < middle
    ? [...auntsOnRight(index, middle), true]
    : [...auntsOnRight(index - middle, total - middle), false]
}

/** The root that a proof leads to; undefined when its number of aunts does not fit its place. */
export function rootOfProof({ total, index, leafHash, aunts }: MerkleProof): Bytes | undefined {
  if (!(index >= 0 && index < total)) return undefined
  const sides = auntsOnRight(index, total)
  if (sides.length !== aunts.length) return undefined
  let hash = leafHash
  for (const [i, aunt] of aunts.entries()) hash = sides[i] ? innerHash(hash, aunt) : innerHash(aunt, hash)
  return hash
}
