import type { Bytes } from '@coin/base/bytes'
import { emptyBytes } from '@coin/base/bytes'
import type { TimeNs } from '../application.js'
import type { Evidence } from './evidence.js'

/** Blocks as CometBFT v0.38 has them (types/block.go), as plain values. Heights and rounds are safe integers. */
export interface PartSetHeader {
  readonly total: number
  readonly hash: Bytes
}

export interface BlockId {
  /** Header hash, 32 bytes; empty for "no block". */
  readonly hash: Bytes
  readonly parts: PartSetHeader
}

export interface Header {
  readonly version: { readonly block: bigint; readonly app: bigint }
  readonly chainId: string
  readonly height: number
  readonly time: TimeNs
  readonly lastBlockId: BlockId
  readonly lastCommitHash: Bytes
  readonly dataHash: Bytes
  readonly validatorsHash: Bytes
  readonly nextValidatorsHash: Bytes
  readonly consensusHash: Bytes
  /** State after the block before this one. */
  readonly appHash: Bytes
  /** Results of the block before this one. */
  readonly lastResultsHash: Bytes
  readonly evidenceHash: Bytes
  /** 20 bytes. */
  readonly proposerAddress: Bytes
}

export const blockIdFlags = { absent: 1, commit: 2, nil: 3 } as const
export type BlockIdFlag = (typeof blockIdFlags)[keyof typeof blockIdFlags]

export interface CommitSig {
  readonly flag: BlockIdFlag
  /** 20 bytes; empty when absent. */
  readonly validatorAddress: Bytes
  readonly timestamp: TimeNs
  readonly signature: Bytes
}

export interface Commit {
  readonly height: number
  readonly round: number
  readonly blockId: BlockId
  /** One per validator, in the order of the set. */
  readonly signatures: readonly CommitSig[]
}

export interface Block {
  readonly header: Header
  readonly txs: readonly Bytes[]
  /** Of validators' misbehavior. */
  readonly evidence: readonly Evidence[]
  /** Commit of the block before this one; `emptyCommit` in the first. */
  readonly lastCommit: Commit
}

export interface BlockMeta {
  readonly blockId: BlockId
  /** Bytes of the encoded block. */
  readonly blockSize: number
  readonly header: Header
  readonly txCount: number
}

export interface Validator {
  readonly address: Bytes
  readonly keyType: 'ed25519' | 'secp256k1'
  readonly pubKey: Bytes
  readonly power: bigint
  readonly proposerPriority: bigint
}

export interface ValidatorSet {
  /** Power descending, then address ascending: the order that is hashed and that commits follow. */
  readonly validators: readonly Validator[]
  /** Address of the validator that proposes in round 0. */
  readonly proposer: Bytes
}

/** CometBFT's block protocol, constant through v0.34 to v0.38 (version/version.go). */
export const blockProtocol = 11n

export const emptyBlockId: BlockId = { hash: emptyBytes, parts: { total: 0, hash: emptyBytes } }

export const emptyCommit: Commit = { height: 0, round: 0, blockId: emptyBlockId, signatures: [] }

/** Go's zero time, 0001-01-01T00:00:00Z, which stands for "no time" in absent votes. */
export const zeroTime: TimeNs = -62_135_596_800n * 1_000_000_000n
