import { type Bytes, bytesToHex, concatBytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import {
  CommitmentProof,
  type ExistenceProof,
  HashOp,
  type InnerOp,
  type LeafOp,
  LengthOp,
} from '@coin/wire/gen/cosmos/ics23/v1/proofs'
import { type StoreRoot, storeSteps } from './commit-info.js'
import { storeErrors } from './errors.js'
import type { Proof, ProofPath } from './multi-store.js'
import { uvarint } from './packed-tree-hash.js'
import type { KeyPath, LeafPath, PathStep } from './tree.js'

/** Value of a key that a version holds; proofs of absence carry the neighbours' values. */
export type ValueOf = (key: Bytes) => Bytes

const hashLength = Uint8Array.of(32)

/** Go's signed varint of a number that is not negative. */
const varint = (value: number): Bytes => uvarint(2 * value)

/** Before the key, the iavl leaf has height 0, size 1 and its version. */
function iavlLeafOp(version: number): LeafOp {
  return {
    hash: HashOp.SHA256,
    prehashKey: HashOp.NO_HASH,
    prehashValue: HashOp.SHA256,
    length: LengthOp.VAR_PROTO,
    prefix: concatBytes(varint(0), varint(1), varint(version)),
  }
}

function iavlInnerOp({ height, size, version, sibling, siblingSide }: PathStep): InnerOp {
  const head = concatBytes(varint(height), varint(size), varint(version))
  return siblingSide === 'left'
    ? { hash: HashOp.SHA256, prefix: concatBytes(head, hashLength, sibling, hashLength), suffix: emptyBytes }
    : { hash: HashOp.SHA256, prefix: concatBytes(head, hashLength), suffix: concatBytes(hashLength, sibling) }
}

function existence(path: LeafPath, value: Bytes): ExistenceProof {
  return { key: path.key, value, leaf: iavlLeafOp(path.version), path: path.steps.map(iavlInnerOp) }
}

/**
 * ICS-23 proof of a key in a saved version: of its value, or of its absence between its neighbours. In an empty tree the proof of
 * absence has neither, as iavl gives it (and verifiers refuse it).
 *
 * @param path where the key is in that version
 */
export function proveKey(path: KeyPath, key: Bytes, readValue: ValueOf): CommitmentProof {
  if (path.found) return { exist: existence(path.leaf, readValue(path.leaf.key)) }
  const { left, right } = path
  return {
    nonexist: {
      key,
      left: left && existence(left, readValue(left.key)),
      right: right && existence(right, readValue(right.key)),
    },
  }
}

/** ICS-23 proof that a store's root is part of the app hash. Asserts that the store is mounted. */
export function proveStore(stores: readonly StoreRoot[], name: string): CommitmentProof {
  const store = stores.find((other) => other.name === name)
  return {
    exist: {
      key: utf8ToBytes(name),
      value: store?.root ?? emptyBytes,
      leaf: {
        hash: HashOp.SHA256,
        prehashKey: HashOp.NO_HASH,
        prehashValue: HashOp.SHA256,
        length: LengthOp.VAR_PROTO,
        prefix: Uint8Array.of(0),
      },
      path: storeSteps(stores, name).map((step) => ({ hash: HashOp.SHA256, ...step })),
    },
  }
}

/**
 * The two steps from a key to the app hash, as `abci_query` with `prove` answers them.
 *
 * @param readValue reads the path's store at the path's height: the key, or its neighbours when it is absent. Throws
 *   `corruptValues` when it has not what the tree has.
 */
export function finishProof(
  { path, roots, store, key }: ProofPath,
  readValue: (key: Bytes) => Bytes | undefined,
): Proof {
  const encode = (proof: CommitmentProof): Bytes => CommitmentProof.encode(proof).finish()
  const proof = proveKey(path, key, (wanted) => {
    const value = readValue(wanted)
    if (value === undefined)
      throw storeErrors.corruptValues(`the tree has the key ${bytesToHex(wanted)}, the values have not`)
    return value
  })
  const ops = [
    { type: 'ics23:iavl', key, data: encode(proof) },
    { type: 'ics23:simple', key: utf8ToBytes(store), data: encode(proveStore(roots, store)) },
  ]
  return { value: proof.exist?.value, ops }
}
