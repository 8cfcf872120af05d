import type { Bytes } from '@coin/base/bytes'
import { CanonicalVote } from '@coin/wire/gen/tendermint/types/canonical'
import { BinaryWriter } from '@coin/wire/protobuf/writer'
import type { TimeNs } from '../application.js'
import { isNoBlock, type VoteType, voteTypes } from './evidence.js'
import { timeToTimestamp } from './time.js'
import type { BlockId } from './types.js'

export interface VoteFields {
  readonly chainId: string
  readonly height: number
  readonly round: number
  /** Of the block that is committed; an empty hash is a vote for none. */
  readonly blockId: BlockId
  readonly timestamp: TimeNs
}

/** What a validator signs to commit a block. */
export function precommitSignBytes(vote: VoteFields): Bytes {
  return voteSignBytes(voteTypes.precommit, vote)
}

/** What a validator signs to vote: the length-prefixed canonical vote (types/vote.go, VoteSignBytes). */
export function voteSignBytes(type: VoteType, { chainId, height, round, blockId, timestamp }: VoteFields): Bytes {
  const vote = CanonicalVote.encode({
    type,
    height: BigInt(height),
    round: BigInt(round),
    blockId: isNoBlock(blockId) ? undefined : { hash: blockId.hash, partSetHeader: { ...blockId.parts } },
    timestamp: timeToTimestamp(timestamp),
    chainId,
  }).finish()
  return new BinaryWriter().bytes(vote).finish()
}
