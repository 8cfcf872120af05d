import type { Bytes } from '@coin/base/bytes'
import {
  calculateExistenceRoot,
  iavlSpec,
  ics23,
  tendermintSpec,
  verifyMembership,
  verifyNonMembership,
} from '@confio/ics23'
import type { ProofOp } from '../multi-store.js'

/**
 * The app hash that a proof of two steps leads to, by the independent verifier; `value` undefined checks for absence. Throws when
 * the proof does not hold.
 */
export function rootOfProofOps(ops: readonly ProofOp[], key: Bytes, value: Bytes | undefined): Bytes {
  const [tree, stores] = ops.map(({ data }) => ics23.CommitmentProof.decode(data))
  const storeRoot = stores!.exist!.value!
  const holds =
    value === undefined
      ? verifyNonMembership(tree!, iavlSpec, storeRoot, key)
      : verifyMembership(tree!, iavlSpec, storeRoot, key, value)
  if (!holds) throw new RangeError('the proof of the key does not hold')
  const root = calculateExistenceRoot(stores!.exist!)
  if (!verifyMembership(stores!, tendermintSpec, root, ops[1]!.key, storeRoot))
    throw new RangeError('the proof of the store does not hold')
  return root
}
