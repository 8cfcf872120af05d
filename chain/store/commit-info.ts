import { assert } from '@coin/base/assert'
import { type Bytes, compareBytes, concatBytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { auntsOnRight, merkleProofs, merkleRoot } from './simple-merkle.js'

/** Root hash of one mounted, persistent store. A store that holds nothing takes part with the empty tree's root. */
export interface StoreRoot {
  readonly name: string
  readonly root: Bytes
}

/** Length as the SDK prefixes it: names and hashes are short, so one byte. */
function lengthPrefixed(data: Bytes): Bytes {
  assert(data.length < 128, 'store names are shorter than 128 bytes')
  return concatBytes(Uint8Array.of(data.length), data)
}

/** Leaves of the multi-store's tree, by name: length-prefixed name and sha256 of the root. */
function sortedLeaves(stores: readonly StoreRoot[]): { names: readonly Bytes[]; leaves: readonly Bytes[] } {
  const sorted = stores
    .map(({ name, root }) => ({ name: utf8ToBytes(name), root }))
    .sort((a, b) => compareBytes(a.name, b.name))
  const leaves = sorted.map(({ name, root }) => concatBytes(lengthPrefixed(name), lengthPrefixed(sha256(root))))
  return { names: sorted.map(({ name }) => name), leaves }
}

/**
 * App hash: the simple merkle root over the stores by name, as the SDK's `CommitInfo.Hash`; sha256 of nothing when there are no
 * stores. Transient and memory stores take no part.
 */
export function appHashOf(stores: readonly StoreRoot[]): Bytes {
  return merkleRoot(sortedLeaves(stores).leaves)
}

/** One inner step of an ICS-23 proof: sha256(prefix | hash from below | suffix). */
export interface InnerStep {
  readonly prefix: Bytes
  readonly suffix: Bytes
}

/** The way from a store's root to the app hash. Asserts that the store is there. */
export function storeSteps(stores: readonly StoreRoot[], name: string): readonly InnerStep[] {
  const { names, leaves } = sortedLeaves(stores)
  const wanted = utf8ToBytes(name)
  const index = names.findIndex((other) => compareBytes(other, wanted) === 0)
  assert(index >= 0, `store ${name} is not mounted`)
  const { aunts } = merkleProofs(leaves).proofs[index]!
  const sides = auntsOnRight(index, leaves.length)
  const one = Uint8Array.of(1)
  return aunts.map((aunt, i) =>
    sides[i] ? { prefix: one, suffix: aunt } : { prefix: concatBytes(one, aunt), suffix: emptyBytes },
  )
}
