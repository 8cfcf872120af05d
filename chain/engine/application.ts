import type { Bytes } from '@coin/base/bytes'

/**
 * What consensus drives: ABCI 2.0 as CometBFT v0.38 has it (spec/abci), with plain values instead of protobuf messages.
 * Synchronous: the state machine never waits. Heights are safe integers, powers and times bigint.
 */
export interface Application {
  info(): {
    readonly lastHeight: number
    readonly lastAppHash: Bytes
    readonly version: string
    readonly appVersion: bigint
  }
  /** Called once, at height 0. `appState` is genesis.json's `app_state` as UTF-8 JSON. */
  initChain(request: InitChain): InitChainResult
  checkTx(tx: Bytes, kind: 'new' | 'recheck'): TxResult
  /** Picks and orders transactions for a proposal of at most `maxTxBytes`. */
  prepareProposal(request: {
    txs: readonly Bytes[]
    maxTxBytes: number
    height: number
    time: TimeNs
  }): readonly Bytes[]
  processProposal(request: { txs: readonly Bytes[]; height: number; time: TimeNs }): boolean
  finalizeBlock(request: FinalizeBlock): FinalizeBlockResult
  /** Makes the finalized block durable. `retainHeight` 0 keeps every block. */
  commit(): { readonly retainHeight: number }
  query(request: { path: string; data: Bytes; height: number; prove: boolean }): QueryResult
  /**
   * The signature checks that `checkTx(tx)` is going to need, so that the node can do them beforehand in a worker and hand
   * the verdicts to the application's signature cache. Empty when the transaction cannot be decoded.
   */
  signatureJobs(tx: Bytes): readonly SignatureJob[]
}

/** Nanoseconds since the Unix epoch, UTC. */
export type TimeNs = bigint

export interface SignatureJob {
  /** 33 bytes, compressed secp256k1. */
  readonly pubKey: Bytes
  /** 32 bytes, sha256 of the sign bytes. */
  readonly digest: Bytes
  /** 64 bytes, r and s; a high s is refused. */
  readonly signature: Bytes
}

export interface EventAttribute {
  readonly key: string
  readonly value: string
  readonly index: boolean
}

export interface Event {
  readonly type: string
  readonly attributes: readonly EventAttribute[]
}

/** Outcome of one transaction; `code` 0 is success. The deterministic part (code, data, gas) is hashed into the header. */
export interface TxResult {
  readonly code: number
  readonly codespace: string
  readonly data: Bytes
  readonly log: string
  readonly info: string
  readonly gasWanted: number
  readonly gasUsed: number
  readonly events: readonly Event[]
}

export interface QueryResult {
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly key: Bytes
  readonly value: Bytes
  readonly height: number
  readonly proofOps: readonly { type: string; key: Bytes; data: Bytes }[]
}

export interface ValidatorUpdate {
  readonly keyType: 'ed25519' | 'secp256k1'
  readonly pubKey: Bytes
  /** 0 removes the validator. */
  readonly power: bigint
}

/** CometBFT's consensus parameters (types/params.proto); unlimited is -1 as there. */
export interface ConsensusParams {
  readonly block: { readonly maxBytes: bigint; readonly maxGas: bigint }
  readonly evidence: { readonly maxAgeNumBlocks: bigint; readonly maxAgeDurationNs: bigint; readonly maxBytes: bigint }
  readonly validator: { readonly pubKeyTypes: readonly string[] }
  readonly version: { readonly app: bigint }
  readonly abci: { readonly voteExtensionsEnableHeight: bigint }
}

export interface InitChain {
  readonly time: TimeNs
  readonly chainId: string
  readonly consensusParams: ConsensusParams
  readonly validators: readonly ValidatorUpdate[]
  readonly appState: Bytes
  readonly initialHeight: number
}

export interface InitChainResult {
  readonly appHash: Bytes
  /** Empty keeps the validators of the genesis file. */
  readonly validators: readonly ValidatorUpdate[]
  readonly consensusParams?: ConsensusParams
}

export interface FinalizeBlock {
  readonly height: number
  readonly time: TimeNs
  readonly hash: Bytes
  /** 20-byte consensus address. */
  readonly proposerAddress: Bytes
  readonly nextValidatorsHash: Bytes
  readonly txs: readonly Bytes[]
  readonly lastCommit: { readonly round: number; readonly votes: readonly CommitVote[] }
  readonly misbehavior: readonly Misbehavior[]
}

export interface CommitVote {
  readonly address: Bytes
  readonly power: bigint
  readonly flag: 'absent' | 'commit' | 'nil'
}

export interface Misbehavior {
  readonly kind: 'duplicate_vote' | 'light_client_attack'
  readonly address: Bytes
  readonly power: bigint
  readonly height: number
  readonly time: TimeNs
  readonly totalPower: bigint
}

export interface FinalizeBlockResult {
  readonly appHash: Bytes
  readonly txResults: readonly TxResult[]
  readonly events: readonly Event[]
  readonly validatorUpdates: readonly ValidatorUpdate[]
  readonly consensusParamUpdates?: ConsensusParams
}
