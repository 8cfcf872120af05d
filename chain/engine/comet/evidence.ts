import type { Bytes } from '@coin/base/bytes'
import type { Misbehavior, TimeNs } from '../application.js'
import type { BlockId, Commit, Header, Validator } from './types.js'

export const voteTypes = { prevote: 1, precommit: 2 } as const
export type VoteType = (typeof voteTypes)[keyof typeof voteTypes]

/** A signed vote as validators exchange them (types/vote.go). */
export interface Vote {
  /** A `VoteType`; what came from outside may have any other number until it is checked. */
  readonly type: number
  readonly height: number
  readonly round: number
  /** Empty for a vote for no block. */
  readonly blockId: BlockId
  readonly timestamp: TimeNs
  /** 20 bytes. */
  readonly validatorAddress: Bytes
  readonly validatorIndex: number
  readonly signature: Bytes
  readonly extension: Bytes
  readonly extensionSignature: Bytes
}

/** One validator has signed two votes that exclude each other. */
export interface DuplicateVoteEvidence {
  readonly kind: 'duplicate_vote'
  /** The one whose block id comes first in byte order. */
  readonly voteA: Vote
  readonly voteB: Vote
  /** Of the set that signed the height of the votes. */
  readonly totalPower: bigint
  readonly validatorPower: bigint
  /** Time of the block of that height. */
  readonly timestamp: TimeNs
}

/** A header with the commit and the validators that prove it. */
export interface LightBlock {
  readonly header: Header
  readonly commit: Commit
  readonly validators: readonly Validator[]
  readonly proposer: Validator
}

/** Validators have signed a block that is not in the chain, to make a light client believe in it. */
export interface LightClientAttackEvidence {
  readonly kind: 'light_client_attack'
  readonly conflictingBlock: LightBlock
  /** The last height at which the light client and the chain agreed. */
  readonly commonHeight: number
  /** Who signed both, power descending; empty for an attack that does not say who it was. */
  readonly byzantineValidators: readonly Validator[]
  /** Of the set of the common height. */
  readonly totalPower: bigint
  /** Time of the block of the common height. */
  readonly timestamp: TimeNs
}

/** Proof of a validator's misbehavior, as blocks carry it (types/evidence.go). */
export type Evidence = DuplicateVoteEvidence | LightClientAttackEvidence

/** Where the misbehavior counts as done: age and power are those of this height. */
export function evidenceHeight(evidence: Evidence): number {
  return evidence.kind === 'duplicate_vote' ? evidence.voteA.height : evidence.commonHeight
}

/** What the application is told: one for each validator. */
export function misbehaviorOf(evidence: Evidence): readonly Misbehavior[] {
  const { kind, timestamp: time, totalPower } = evidence
  const height = evidenceHeight(evidence)
  const guilty =
    kind === 'duplicate_vote'
      ? [{ address: evidence.voteA.validatorAddress, power: evidence.validatorPower }]
      : evidence.byzantineValidators
  return guilty.map(({ address, power }) => ({ kind, address, power, height, time, totalPower }))
}

/** Of a vote for no block. */
export function isNoBlock({ hash, parts }: BlockId): boolean {
  return hash.length === 0 && parts.total === 0 && parts.hash.length === 0
}
