import { readFileSync } from 'node:fs'
import { type Bytes, base64ToBytes, hexToBytes } from '@coin/base/bytes'
import { parseTime } from '../comet/time.js'
import type { BlockId, BlockIdFlag, Commit, Header } from '../comet/types.js'

/** JSON as CometBFT prints it, read back. Recorded from CometBFT v0.38.17 into tests/vectors/comet. */
export interface BlockIdJson {
  readonly hash: string
  readonly parts: { readonly total: number; readonly hash: string }
}

export interface HeaderJson {
  readonly version: { readonly block?: string; readonly app?: string }
  readonly chain_id: string
  readonly height: string
  readonly time: string
  readonly last_block_id: BlockIdJson
  readonly last_commit_hash: string
  readonly data_hash: string
  readonly validators_hash: string
  readonly next_validators_hash: string
  readonly consensus_hash: string
  readonly app_hash: string
  readonly last_results_hash: string
  readonly evidence_hash: string
  readonly proposer_address: string
}

export interface CommitJson {
  readonly height: string
  readonly round: number
  readonly block_id: BlockIdJson
  readonly signatures: readonly {
    readonly block_id_flag: number
    readonly validator_address: string
    readonly timestamp: string
    readonly signature: string | null
  }[]
}

export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../../tests/vectors/comet/${name}`, import.meta.url), 'utf8')) as T
}

export function blockIdOf(json: BlockIdJson): BlockId {
  return { hash: hexToBytes(json.hash), parts: { total: json.parts.total, hash: hexToBytes(json.parts.hash) } }
}

export function headerOf(json: HeaderJson): Header {
  return {
    version: { block: BigInt(json.version.block ?? 0), app: BigInt(json.version.app ?? 0) },
    chainId: json.chain_id,
    height: Number(json.height),
    time: parseTime(json.time),
    lastBlockId: blockIdOf(json.last_block_id),
    lastCommitHash: hexToBytes(json.last_commit_hash),
    dataHash: hexToBytes(json.data_hash),
    validatorsHash: hexToBytes(json.validators_hash),
    nextValidatorsHash: hexToBytes(json.next_validators_hash),
    consensusHash: hexToBytes(json.consensus_hash),
    appHash: hexToBytes(json.app_hash),
    lastResultsHash: hexToBytes(json.last_results_hash),
    evidenceHash: hexToBytes(json.evidence_hash),
    proposerAddress: hexToBytes(json.proposer_address),
  }
}

export function commitOf(json: CommitJson): Commit {
  return {
    height: Number(json.height),
    round: json.round,
    blockId: blockIdOf(json.block_id),
    signatures: json.signatures.map((sig) => ({
      flag: sig.block_id_flag as BlockIdFlag,
      validatorAddress: hexToBytes(sig.validator_address),
      timestamp: parseTime(sig.timestamp),
      signature: sig.signature === null ? new Uint8Array(0) : base64ToBytes(sig.signature),
    })),
  }
}

/** Transaction `i` of the vectors: byte k is (31 i + 7 k) mod 251. */
export function vectorTx(i: number, length: number): Bytes {
  return Uint8Array.from({ length }, (_, k) => (i * 31 + k * 7) % 251)
}
