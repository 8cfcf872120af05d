import { bytesToHex, compareBytes, equalBytes } from '@coin/base/bytes'
import { engineErrors } from '../errors.js'
import {
  type DuplicateVoteEvidence,
  type Evidence,
  isNoBlock,
  type LightBlock,
  type Vote,
  voteTypes,
} from './evidence.js'
import { blockIdKey } from './evidence-codec.js'
import { headerHash, validatorsHash } from './hashes.js'
import {
  type BlockId,
  blockIdFlags,
  blockProtocol,
  type Commit,
  type CommitSig,
  type Header,
  type Validator,
  zeroTime,
} from './types.js'
import { validatorAddress } from './validator-set.js'

const addressBytes = 20
const hashBytes = 32
const signatureBytesMax = 64
const chainIdLengthMax = 50

const bad = engineErrors.badEvidence

/**
 * What can be said of an evidence without knowing the chain (types/evidence.go, ValidateBasic). Throws `badEvidence`. Before it, a
 * value from outside has the right types and nothing else.
 */
export function checkEvidence(evidence: Evidence): void {
  if (evidence.kind === 'duplicate_vote') checkDuplicateVote(evidence)
  else {
    const { conflictingBlock, totalPower, commonHeight } = evidence
    if (totalPower <= 0n) throw bad(`total voting power is ${totalPower}, expected above 0`)
    if (commonHeight <= 0) throw bad(`common height is ${commonHeight}, expected above 0`)
    const { height } = conflictingBlock.header
    if (commonHeight > height) throw bad(`common height ${commonHeight} is ahead of the conflicting block's ${height}`)
    checkLightBlock(conflictingBlock)
    for (const [index, validator] of evidence.byzantineValidators.entries())
      checkValidator(`byzantine validator #${index}`, validator)
  }
}

function checkDuplicateVote({ voteA, voteB }: DuplicateVoteEvidence): void {
  checkVote('vote_a', voteA)
  checkVote('vote_b', voteB)
  if (compareBytes(blockIdKey(voteA.blockId), blockIdKey(voteB.blockId)) >= 0)
    throw bad('duplicate votes in invalid order: vote_a must have the smaller block id')
}

function checkVote(name: string, vote: Vote): void {
  const {
    type,
    height,
    round,
    blockId,
    validatorAddress: address,
    validatorIndex,
    extension,
    extensionSignature,
  } = vote
  if (type !== voteTypes.prevote && type !== voteTypes.precommit)
    throw bad(`${name} has type ${type}, expected 1 (prevote) or 2 (precommit)`)
  if (height <= 0) throw bad(`${name} has height ${height}, expected above 0`)
  if (round < 0) throw bad(`${name} has round ${round}, expected at least 0`)
  checkBlockId(name, blockId)
  const isComplete =
    blockId.hash.length === hashBytes && blockId.parts.total > 0 && blockId.parts.hash.length === hashBytes
  if (!isNoBlock(blockId) && !isComplete) throw bad(`${name} has a block id that is neither empty nor complete`)
  if (address.length !== addressBytes)
    throw bad(`${name} has a validator address of ${address.length} bytes, expected ${addressBytes}`)
  if (validatorIndex < 0) throw bad(`${name} has validator index ${validatorIndex}, expected at least 0`)
  checkSignature(name, vote.signature)
  const mayExtend = type === voteTypes.precommit && !isNoBlock(blockId)
  if (!mayExtend && (extension.length > 0 || extensionSignature.length > 0))
    throw bad(`${name} has a vote extension, which only a precommit for a block may have`)
  if (extensionSignature.length > signatureBytesMax)
    throw bad(`${name} has an extension signature of ${extensionSignature.length} bytes, at most ${signatureBytesMax}`)
  if (extension.length > 0 && extensionSignature.length === 0) throw bad(`${name} has an extension without a signature`)
}

function checkSignature(name: string, signature: Uint8Array): void {
  if (signature.length === 0) throw bad(`${name}: signature is missing`)
  if (signature.length > signatureBytesMax)
    throw bad(`${name} has a signature of ${signature.length} bytes, at most ${signatureBytesMax}`)
}

function checkHash(name: string, hash: Uint8Array): void {
  if (hash.length > 0 && hash.length !== hashBytes)
    throw bad(`${name} has ${hash.length} bytes, expected ${hashBytes} or none`)
}

function checkBlockId(name: string, { hash, parts }: BlockId): void {
  checkHash(`block hash of ${name}`, hash)
  checkHash(`part set hash of ${name}`, parts.hash)
  if (parts.total < 0) throw bad(`${name} has ${parts.total} parts`)
}

function checkLightBlock({ header, commit, validators, proposer }: LightBlock): void {
  checkHeader(header)
  checkCommit(commit)
  if (commit.height !== header.height)
    throw bad(`header and commit height mismatch: ${header.height} vs ${commit.height}`)
  const hash = headerHash(header)
  if (!equalBytes(hash, commit.blockId.hash))
    throw bad(`commit signs block ${bytesToHex(commit.blockId.hash)}, header is block ${bytesToHex(hash)}`)
  if (validators.length === 0) throw bad('the validator set is empty')
  for (const [index, validator] of validators.entries()) checkValidator(`validator #${index}`, validator)
  checkValidator('proposer', proposer)
  if (!validators.some(({ address }) => equalBytes(address, proposer.address)))
    throw bad(`proposer ${bytesToHex(proposer.address)} is not in the validator set`)
  if (!equalBytes(header.validatorsHash, validatorsHash(validators)))
    throw bad('the validator set is not the one of the header: its hash differs from validators_hash')
}

function checkHeader(header: Header): void {
  const { block } = header.version
  if (block !== blockProtocol) throw bad(`block protocol is ${block}, expected ${blockProtocol}`)
  if (header.chainId.length > chainIdLengthMax)
    throw bad(`chain id has ${header.chainId.length} characters, at most ${chainIdLengthMax}`)
  if (header.height <= 0) throw bad(`the header's height is ${header.height}, expected above 0`)
  checkBlockId('last_block_id', header.lastBlockId)
  checkHash('last_commit_hash', header.lastCommitHash)
  checkHash('data_hash', header.dataHash)
  checkHash('evidence_hash', header.evidenceHash)
  checkHash('validators_hash', header.validatorsHash)
  checkHash('next_validators_hash', header.nextValidatorsHash)
  checkHash('consensus_hash', header.consensusHash)
  checkHash('last_results_hash', header.lastResultsHash)
  if (header.proposerAddress.length !== addressBytes)
    throw bad(`proposer address has ${header.proposerAddress.length} bytes, expected ${addressBytes}`)
}

function checkCommit({ round, blockId, signatures }: Commit): void {
  if (round < 0) throw bad(`the commit's round is ${round}, expected at least 0`)
  if (isNoBlock(blockId)) throw bad('commit cannot be for nil block')
  if (signatures.length === 0) throw bad('no signatures in commit')
  for (const [index, sig] of signatures.entries()) checkCommitSig(`commit signature #${index}`, sig)
}

function checkCommitSig(name: string, { flag, validatorAddress: address, timestamp, signature }: CommitSig): void {
  if (flag === blockIdFlags.absent) {
    if (address.length > 0 || signature.length > 0 || timestamp !== zeroTime)
      throw bad(`${name} is absent and has an address, a time or a signature`)
    return
  }
  if (flag !== blockIdFlags.commit && flag !== blockIdFlags.nil) throw bad(`${name} has block id flag ${flag}`)
  if (address.length !== addressBytes)
    throw bad(`${name} has an address of ${address.length} bytes, expected ${addressBytes}`)
  checkSignature(name, signature)
}

function checkValidator(name: string, { address, keyType, pubKey, power }: Validator): void {
  if (power < 0n) throw bad(`${name} has power ${power}, expected at least 0`)
  const derived = validatorAddress(keyType, pubKey)
  if (!equalBytes(address, derived))
    throw bad(`${name} has address ${bytesToHex(address)}, its public key has ${bytesToHex(derived)}`)
}
