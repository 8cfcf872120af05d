import { type Bytes, concatBytes } from '@coin/base/bytes'
import { merkleRoot } from '@coin/store/simple-merkle'
import {
  DuplicateVoteEvidence as DuplicateVoteMessage,
  EvidenceList as EvidenceListMessage,
  Evidence as EvidenceMessage,
  LightClientAttackEvidence as LightClientAttackMessage,
} from '@coin/wire/gen/tendermint/types/evidence'
import {
  PartSetHeader as PartSetHeaderMessage,
  type SignedMsgType,
  type Vote as VoteMessage,
} from '@coin/wire/gen/tendermint/types/types'
import { BinaryWriter } from '@coin/wire/protobuf/writer'
import { sha256 } from '@coin/wire/sha256'
import {
  blockIdToMessage,
  commitToMessage,
  headerToMessage,
  messageToBlockId,
  messageToCommit,
  messageToHeader,
  messageToValidator,
  present,
  validatorToMessage,
} from './codec.js'
import type { DuplicateVoteEvidence, Evidence, LightBlock, LightClientAttackEvidence, Vote } from './evidence.js'
import { headerHash } from './hashes.js'
import { timestampToTime, timeToTimestamp } from './time.js'
import type { BlockId } from './types.js'

/** `tendermint.types.Evidence`. */
export function encodeEvidence(evidence: Evidence): Bytes {
  return EvidenceMessage.encode(evidenceToMessage(evidence)).finish()
}

export function decodeEvidence(bytes: Bytes): Evidence {
  return messageToEvidence(EvidenceMessage.decode(bytes))
}

/** `tendermint.types.EvidenceList`. */
export function encodeEvidenceList(list: readonly Evidence[]): Bytes {
  return EvidenceListMessage.encode({ evidence: list.map(evidenceToMessage) }).finish()
}

export function decodeEvidenceList(bytes: Bytes): readonly Evidence[] {
  return EvidenceListMessage.decode(bytes).evidence.map(messageToEvidence)
}

/** The header's `evidence_hash`: merkle root over what each evidence is, without the envelope that names its kind. */
export function evidenceListHash(list: readonly Evidence[]): Bytes {
  return merkleRoot(list.map(evidenceBytes))
}

/**
 * The name of an evidence, 32 bytes. That of an attack is made of header and common height alone, so that the same attack with
 * other signatures is known; CometBFT puts 31 of the header hash's bytes in, and so does this.
 */
export function evidenceHash(evidence: Evidence): Bytes {
  if (evidence.kind === 'duplicate_vote') return sha256(evidenceBytes(evidence))
  const height = new BinaryWriter().sint64(BigInt(evidence.commonHeight)).finish()
  const header = headerHash(evidence.conflictingBlock.header)
  return sha256(concatBytes(header.subarray(0, 31), Uint8Array.of(0), height))
}

function evidenceBytes(evidence: Evidence): Bytes {
  return evidence.kind === 'duplicate_vote'
    ? DuplicateVoteMessage.encode(duplicateVoteToMessage(evidence)).finish()
    : LightClientAttackMessage.encode(lightClientAttackToMessage(evidence)).finish()
}

/** What votes of one evidence are ordered by: hash, then the encoded part set header (types/block.go, BlockID.Key). */
export function blockIdKey({ hash, parts }: BlockId): Bytes {
  return concatBytes(hash, PartSetHeaderMessage.encode({ ...parts }).finish())
}

export function evidenceToMessage(evidence: Evidence): EvidenceMessage {
  return evidence.kind === 'duplicate_vote'
    ? { duplicateVoteEvidence: duplicateVoteToMessage(evidence) }
    : { lightClientAttackEvidence: lightClientAttackToMessage(evidence) }
}

export function messageToEvidence(message: EvidenceMessage): Evidence {
  const { duplicateVoteEvidence, lightClientAttackEvidence } = message
  return duplicateVoteEvidence
    ? messageToDuplicateVote(duplicateVoteEvidence)
    : messageToLightClientAttack(present(lightClientAttackEvidence, 'evidence'))
}

function duplicateVoteToMessage(evidence: DuplicateVoteEvidence): DuplicateVoteMessage {
  return {
    voteA: voteToMessage(evidence.voteA),
    voteB: voteToMessage(evidence.voteB),
    totalVotingPower: evidence.totalPower,
    validatorPower: evidence.validatorPower,
    timestamp: timeToTimestamp(evidence.timestamp),
  }
}

function messageToDuplicateVote(message: DuplicateVoteMessage): DuplicateVoteEvidence {
  return {
    kind: 'duplicate_vote',
    voteA: messageToVote(present(message.voteA, 'vote_a')),
    voteB: messageToVote(present(message.voteB, 'vote_b')),
    totalPower: message.totalVotingPower,
    validatorPower: message.validatorPower,
    timestamp: timestampToTime(message.timestamp),
  }
}

function voteToMessage(vote: Vote): VoteMessage {
  return {
    ...vote,
    type: vote.type as SignedMsgType,
    height: BigInt(vote.height),
    blockId: blockIdToMessage(vote.blockId),
    timestamp: timeToTimestamp(vote.timestamp),
  }
}

function messageToVote(message: VoteMessage): Vote {
  const { type, round, validatorAddress, validatorIndex, signature, extension, extensionSignature } = message
  return {
    type,
    height: Number(message.height),
    round,
    blockId: messageToBlockId(message.blockId),
    timestamp: timestampToTime(message.timestamp),
    validatorAddress,
    validatorIndex,
    signature,
    extension,
    extensionSignature,
  }
}

function lightClientAttackToMessage(evidence: LightClientAttackEvidence): LightClientAttackMessage {
  const { header, commit, validators, proposer } = evidence.conflictingBlock
  return {
    conflictingBlock: {
      signedHeader: { header: headerToMessage(header), commit: commitToMessage(commit) },
      validatorSet: {
        validators: validators.map(validatorToMessage),
        proposer: validatorToMessage(proposer),
        totalVotingPower: 0n,
      },
    },
    commonHeight: BigInt(evidence.commonHeight),
    byzantineValidators: evidence.byzantineValidators.map(validatorToMessage),
    totalVotingPower: evidence.totalPower,
    timestamp: timeToTimestamp(evidence.timestamp),
  }
}

function messageToLightClientAttack(message: LightClientAttackMessage): LightClientAttackEvidence {
  const block = present(message.conflictingBlock, 'conflicting block')
  const signed = present(block.signedHeader, 'signed header')
  const set = present(block.validatorSet, 'validator set')
  const conflictingBlock: LightBlock = {
    header: messageToHeader(present(signed.header, 'header')),
    commit: messageToCommit(signed.commit),
    validators: set.validators.map(messageToValidator),
    proposer: messageToValidator(present(set.proposer, 'proposer')),
  }
  return {
    kind: 'light_client_attack',
    conflictingBlock,
    commonHeight: Number(message.commonHeight),
    byzantineValidators: message.byzantineValidators.map(messageToValidator),
    totalPower: message.totalVotingPower,
    timestamp: timestampToTime(message.timestamp),
  }
}
