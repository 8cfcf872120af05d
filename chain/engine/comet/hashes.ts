import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { merkleRoot } from '@coin/store/simple-merkle'
import { Timestamp } from '@coin/wire/gen/google/protobuf/timestamp'
import { ExecTxResult } from '@coin/wire/gen/tendermint/abci/types'
import { HashedParams } from '@coin/wire/gen/tendermint/types/params'
import { BlockID } from '@coin/wire/gen/tendermint/types/types'
import { SimpleValidator } from '@coin/wire/gen/tendermint/types/validator'
import { Consensus } from '@coin/wire/gen/tendermint/version/types'
import { BinaryWriter } from '@coin/wire/protobuf/writer'
import { sha256 } from '@coin/wire/sha256'
import type { ConsensusParams, TxResult } from '../application.js'
import { blockIdToMessage, encodeCommitSig, publicKeyToMessage } from './codec.js'
import { timeToTimestamp } from './time.js'
import type { Commit, Header, Validator } from './types.js'

/** Header fields that are plain values are hashed inside protobuf's wrapper messages; an empty one as no bytes at all. */
const wrapBytes = (value: Bytes): Bytes =>
  value.length === 0 ? emptyBytes : new BinaryWriter().uint32(10).bytes(value).finish()
const wrapString = (value: string): Bytes =>
  value === '' ? emptyBytes : new BinaryWriter().uint32(10).string(value).finish()
const wrapInt = (value: number): Bytes =>
  value === 0 ? emptyBytes : new BinaryWriter().uint32(8).int64(BigInt(value)).finish()

/** Identity of a block: merkle root over its header's fields in order (types/block.go, Header.Hash). 32 bytes. */
export function headerHash(header: Header): Bytes {
  return merkleRoot([
    Consensus.encode(header.version).finish(),
    wrapString(header.chainId),
    wrapInt(header.height),
    Timestamp.encode(timeToTimestamp(header.time)).finish(),
    BlockID.encode(blockIdToMessage(header.lastBlockId)).finish(),
    wrapBytes(header.lastCommitHash),
    wrapBytes(header.dataHash),
    wrapBytes(header.validatorsHash),
    wrapBytes(header.nextValidatorsHash),
    wrapBytes(header.consensusHash),
    wrapBytes(header.appHash),
    wrapBytes(header.lastResultsHash),
    wrapBytes(header.evidenceHash),
    wrapBytes(header.proposerAddress),
  ])
}

export function commitHash(commit: Commit): Bytes {
  return merkleRoot(commit.signatures.map(encodeCommitSig))
}

/** The name of a transaction everywhere outside: sha256 of its bytes. */
export function txHash(tx: Bytes): Bytes {
  return sha256(tx)
}

/** Merkle root over transaction hashes. */
export function dataHash(txHashes: readonly Bytes[]): Bytes {
  return merkleRoot(txHashes)
}

/** Merkle root over keys and powers in the order of the set; priorities are not part of it. */
export function validatorsHash(validators: readonly Validator[]): Bytes {
  return merkleRoot(
    validators.map((validator) =>
      SimpleValidator.encode({ pubKey: publicKeyToMessage(validator), votingPower: validator.power }).finish(),
    ),
  )
}

/** Only the block limits are hashed (types/params.go, HashConsensusParams). */
export function consensusParamsHash({ block }: Pick<ConsensusParams, 'block'>): Bytes {
  return sha256(HashedParams.encode({ blockMaxBytes: block.maxBytes, blockMaxGas: block.maxGas }).finish())
}

/** Merkle root over the part of each result that every node computes alike: code, data, gas wanted, gas used. */
export function resultsHash(results: readonly TxResult[]): Bytes {
  return merkleRoot(
    results.map((result) =>
      ExecTxResult.encode({
        code: result.code,
        data: result.data,
        log: '',
        info: '',
        gasWanted: BigInt(result.gasWanted),
        gasUsed: BigInt(result.gasUsed),
        events: [],
        codespace: '',
      }).finish(),
    ),
  )
}
