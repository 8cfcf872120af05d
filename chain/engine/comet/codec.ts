import { type Bytes, emptyBytes, equalBytes } from '@coin/base/bytes'
import type { PublicKey } from '@coin/wire/gen/tendermint/crypto/keys'
import {
  type BlockID as BlockIdMessage,
  BlockMeta as BlockMetaMessage,
  Commit as CommitMessage,
  CommitSig as CommitSigMessage,
  type Header as HeaderMessage,
} from '@coin/wire/gen/tendermint/types/types'
import {
  type Validator as ValidatorMessage,
  ValidatorSet as ValidatorSetMessage,
} from '@coin/wire/gen/tendermint/types/validator'
import { engineErrors } from '../errors.js'
import { timestampToTime, timeToTimestamp } from './time.js'
import {
  type BlockId,
  type BlockIdFlag,
  type BlockMeta,
  type Commit,
  type CommitSig,
  emptyBlockId,
  emptyCommit,
  type Header,
  type Validator,
  type ValidatorSet,
} from './types.js'

/** A message that the store holds may lack no embedded message that CometBFT always writes. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw engineErrors.badBlock(`${what} is missing`)
  return value
}

export function blockIdToMessage(id: BlockId): BlockIdMessage {
  return { hash: id.hash, partSetHeader: { total: id.parts.total, hash: id.parts.hash } }
}

export function messageToBlockId(message: BlockIdMessage | undefined): BlockId {
  if (message === undefined) return emptyBlockId
  const parts = message.partSetHeader
  return { hash: message.hash, parts: { total: parts?.total ?? 0, hash: parts?.hash ?? emptyBytes } }
}

export function headerToMessage(header: Header): HeaderMessage {
  return {
    version: { block: header.version.block, app: header.version.app },
    chainId: header.chainId,
    height: BigInt(header.height),
    time: timeToTimestamp(header.time),
    lastBlockId: blockIdToMessage(header.lastBlockId),
    lastCommitHash: header.lastCommitHash,
    dataHash: header.dataHash,
    validatorsHash: header.validatorsHash,
    nextValidatorsHash: header.nextValidatorsHash,
    consensusHash: header.consensusHash,
    appHash: header.appHash,
    lastResultsHash: header.lastResultsHash,
    evidenceHash: header.evidenceHash,
    proposerAddress: header.proposerAddress,
  }
}

export function messageToHeader(message: HeaderMessage): Header {
  return {
    version: { block: message.version?.block ?? 0n, app: message.version?.app ?? 0n },
    chainId: message.chainId,
    height: Number(message.height),
    time: timestampToTime(present(message.time, 'header time')),
    lastBlockId: messageToBlockId(message.lastBlockId),
    lastCommitHash: message.lastCommitHash,
    dataHash: message.dataHash,
    validatorsHash: message.validatorsHash,
    nextValidatorsHash: message.nextValidatorsHash,
    consensusHash: message.consensusHash,
    appHash: message.appHash,
    lastResultsHash: message.lastResultsHash,
    evidenceHash: message.evidenceHash,
    proposerAddress: message.proposerAddress,
  }
}

function commitSigToMessage(sig: CommitSig): CommitSigMessage {
  return {
    blockIdFlag: sig.flag,
    validatorAddress: sig.validatorAddress,
    timestamp: timeToTimestamp(sig.timestamp),
    signature: sig.signature,
  }
}

export function encodeCommitSig(sig: CommitSig): Bytes {
  return CommitSigMessage.encode(commitSigToMessage(sig)).finish()
}

export function commitToMessage(commit: Commit): CommitMessage {
  return {
    height: BigInt(commit.height),
    round: commit.round,
    blockId: blockIdToMessage(commit.blockId),
    signatures: commit.signatures.map(commitSigToMessage),
  }
}

export function messageToCommit(message: CommitMessage | undefined): Commit {
  if (message === undefined) return emptyCommit
  return {
    height: Number(message.height),
    round: message.round,
    blockId: messageToBlockId(message.blockId),
    signatures: message.signatures.map((sig) => ({
      flag: sig.blockIdFlag as BlockIdFlag,
      validatorAddress: sig.validatorAddress,
      timestamp: timestampToTime(present(sig.timestamp, 'vote time')),
      signature: sig.signature,
    })),
  }
}

export function encodeCommit(commit: Commit): Bytes {
  return CommitMessage.encode(commitToMessage(commit)).finish()
}

export function decodeCommit(bytes: Bytes): Commit {
  return messageToCommit(CommitMessage.decode(bytes))
}

export function encodeBlockMeta(meta: BlockMeta): Bytes {
  return BlockMetaMessage.encode({
    blockId: blockIdToMessage(meta.blockId),
    blockSize: BigInt(meta.blockSize),
    header: headerToMessage(meta.header),
    numTxs: BigInt(meta.txCount),
  }).finish()
}

export function decodeBlockMeta(bytes: Bytes): BlockMeta {
  const message = BlockMetaMessage.decode(bytes)
  return {
    blockId: messageToBlockId(message.blockId),
    blockSize: Number(message.blockSize),
    header: messageToHeader(present(message.header, 'header')),
    txCount: Number(message.numTxs),
  }
}

export function publicKeyToMessage({ keyType, pubKey }: Pick<Validator, 'keyType' | 'pubKey'>): PublicKey {
  return keyType === 'ed25519' ? { ed25519: pubKey } : { secp256k1: pubKey }
}

export function validatorToMessage(validator: Validator): ValidatorMessage {
  return {
    address: validator.address,
    pubKey: publicKeyToMessage(validator),
    votingPower: validator.power,
    proposerPriority: validator.proposerPriority,
  }
}

export function encodeValidatorSet({ validators, proposer }: ValidatorSet): Bytes {
  const found = validators.find((validator) => equalBytes(validator.address, proposer))
  return ValidatorSetMessage.encode({
    validators: validators.map(validatorToMessage),
    proposer: found && validatorToMessage(found),
    totalVotingPower: 0n,
  }).finish()
}

export function decodeValidatorSet(bytes: Bytes): ValidatorSet {
  const message = ValidatorSetMessage.decode(bytes)
  const validators = message.validators.map(messageToValidator)
  return { validators, proposer: present(message.proposer, 'proposer').address }
}

export function messageToValidator(message: ValidatorMessage): Validator {
  const key = present(message.pubKey, 'validator key')
  return {
    address: message.address,
    keyType: key.ed25519 !== undefined ? 'ed25519' : 'secp256k1',
    pubKey: present(key.ed25519 ?? key.secp256k1, 'validator key'),
    power: message.votingPower,
    proposerPriority: message.proposerPriority,
  }
}
