import { type Bytes, bytesToHex, compareBytes, equalBytes } from '@coin/base/bytes'
import { engineErrors } from '../errors.js'
import type { DuplicateVoteEvidence, LightClientAttackEvidence, VoteType } from './evidence.js'
import { headerHash } from './hashes.js'
import { voteSignBytes } from './sign-bytes.js'
import { formatTime } from './time.js'
import { blockIdFlags, type Commit, type Header, type Validator } from './types.js'
import { totalPower } from './validator-set.js'
import { isSameBlock, isSignedBy, verifyCommit, verifyCommitTrusting } from './verify-commit.js'

const bad = engineErrors.badEvidence

/**
 * That a validator of `validators`, the set of the votes' height, has signed both votes (evidence/verify.go, VerifyDuplicateVote).
 * The evidence has passed `checkEvidence`. Throws `badEvidence`.
 */
export function verifyDuplicateVote(
  evidence: DuplicateVoteEvidence,
  chainId: string,
  validators: readonly Validator[],
): void {
  const { voteA, voteB } = evidence
  const address = bytesToHex(voteA.validatorAddress)
  const validator = validators.find((other) => equalBytes(other.address, voteA.validatorAddress))
  if (!validator) throw bad(`address ${address} was not a validator at height ${voteA.height}`)
  if (voteA.height !== voteB.height || voteA.round !== voteB.round || voteA.type !== voteB.type)
    throw bad(
      `h/r/s does not match: ${voteA.height}/${voteA.round}/${voteA.type} vs ${voteB.height}/${voteB.round}/${voteB.type}`,
    )
  if (!equalBytes(voteA.validatorAddress, voteB.validatorAddress))
    throw bad(`validator addresses do not match: ${address} vs ${bytesToHex(voteB.validatorAddress)}`)
  if (isSameBlock(voteA.blockId, voteB.blockId)) throw bad('block IDs are the same: not a real duplicate vote')
  if (validator.power !== evidence.validatorPower)
    throw bad(`validator power is ${evidence.validatorPower}, at height ${voteA.height} it was ${validator.power}`)
  checkTotalPower(evidence.totalPower, validators)
  for (const [name, vote] of [
    ['VoteA', voteA],
    ['VoteB', voteB],
  ] as const) {
    if (!isSignedBy(validator, voteSignBytes(vote.type as VoteType, { chainId, ...vote }), vote.signature))
      throw bad(`verifying ${name}: invalid signature`)
  }
}

/** A header of this chain and the signatures that committed it. */
export interface SignedHeader {
  readonly header: Header
  readonly commit: Commit
}

/**
 * That the conflicting block was signed by those who could have deceived a light client with it, and that it is not in the chain
 * (evidence/verify.go, VerifyLightClientAttack). `common` is of the evidence's height, with its validators; `trusted` of the
 * conflicting block's, or the chain's last when there is none. The evidence has passed `checkEvidence`. Throws `badEvidence`.
 */
export function verifyLightClientAttack(
  evidence: LightClientAttackEvidence,
  commonValidators: readonly Validator[],
  trusted: SignedHeader,
): void {
  const { header, commit, validators } = evidence.conflictingBlock
  const { chainId } = trusted.header
  if (evidence.commonHeight !== header.height) verifyCommitTrusting(chainId, commonValidators, commit)
  else if (isOtherState(header, trusted.header))
    throw bad('at the common height the conflicting block must be derived from the same state, and it is not')
  verifyCommit(chainId, validators, commit)
  checkTotalPower(evidence.totalPower, commonValidators)
  if (header.height > trusted.header.height && header.time > trusted.header.time)
    throw bad(
      `conflicting block doesn't violate monotonically increasing time (${formatTime(header.time)} is after ` +
        `${formatTime(trusted.header.time)})`,
    )
  const hash = headerHash(header)
  if (equalBytes(hash, headerHash(trusted.header)))
    throw bad(`block ${bytesToHex(hash)} is in the chain: nothing conflicts`)
  checkByzantine(evidence.byzantineValidators, byzantineValidators(evidence, commonValidators, trusted))
}

function checkTotalPower(given: bigint, validators: readonly Validator[]): void {
  const total = totalPower(validators)
  if (given !== total) throw bad(`total voting power is ${given}, that of our validator set is ${total}`)
}

/** Fields that follow from the state: when they differ, somebody made them up. */
function isOtherState(a: Header, b: Header): boolean {
  const fields = ['validatorsHash', 'nextValidatorsHash', 'consensusHash', 'appHash', 'lastResultsHash'] as const
  return fields.some((field) => !equalBytes(a[field], b[field]))
}

/** Who has done it, power descending: with a made-up state whoever signed it, in one round whoever signed both, else nobody knows. */
export function byzantineValidators(
  { conflictingBlock }: LightClientAttackEvidence,
  commonValidators: readonly Validator[],
  trusted: SignedHeader,
): readonly Validator[] {
  const { header, commit, validators } = conflictingBlock
  const has = (set: readonly Validator[], address: Bytes) => set.find((other) => equalBytes(other.address, address))
  const signers = commit.signatures
    .map((sig, index) => ({ sig, index }))
    .filter(({ sig }) => sig.flag === blockIdFlags.commit)
  let found: readonly (Validator | undefined)[] = []
  if (isOtherState(header, trusted.header))
    found = signers.map(({ sig }) => has(commonValidators, sig.validatorAddress))
  else if (commit.round === trusted.commit.round)
    found = signers
      .filter(({ index }) => trusted.commit.signatures[index]?.flag === blockIdFlags.commit)
      .map(({ sig }) => has(validators, sig.validatorAddress))
  return found
    .filter((validator) => validator !== undefined)
    .sort((a, b) => (a.power === b.power ? compareBytes(a.address, b.address) : a.power > b.power ? -1 : 1))
}

function checkByzantine(given: readonly Validator[], expected: readonly Validator[]): void {
  if (given.length !== expected.length)
    throw bad(`expected ${expected.length} byzantine validators from evidence but got ${given.length}`)
  for (const [index, { address, power }] of expected.entries()) {
    const other = given[index]!
    if (!equalBytes(other.address, address))
      throw bad(`byzantine validator #${index} is ${bytesToHex(other.address)}, expected ${bytesToHex(address)}`)
    if (other.power !== power) throw bad(`byzantine validator #${index} has power ${other.power}, expected ${power}`)
  }
}
