import type { Bytes } from '@coin/base/bytes'
import { CanonicalVote } from '@coin/wire/gen/tendermint/types/canonical'
import { SignedMsgType } from '@coin/wire/gen/tendermint/types/types'
import { BinaryWriter } from '@coin/wire/protobuf/writer'
import type { TimeNs } from '../application.js'
import { timeToTimestamp } from './time.js'
import type { BlockId } from './types.js'

export interface PrecommitFields {
  readonly chainId: string
  readonly height: number
  readonly round: number
  /** Of the block that is committed; an empty hash is a vote for none. */
  readonly blockId: BlockId
  readonly timestamp: TimeNs
}

/** What a validator signs to commit a block: the length-prefixed canonical vote (types/vote.go, VoteSignBytes). */
export function precommitSignBytes({ chainId, height, round, blockId, timestamp }: PrecommitFields): Bytes {
  const forNone = blockId.hash.length === 0 && blockId.parts.total === 0 && blockId.parts.hash.length === 0
  const vote = CanonicalVote.encode({
    type: SignedMsgType.SIGNED_MSG_TYPE_PRECOMMIT,
    height: BigInt(height),
    round: BigInt(round),
    blockId: forNone ? undefined : { hash: blockId.hash, partSetHeader: { ...blockId.parts } },
    timestamp: timeToTimestamp(timestamp),
    chainId,
  }).finish()
  return new BinaryWriter().bytes(vote).finish()
}
