import type { Bytes } from '@coin/base/bytes'
import type { Application, QueryResult, TxResult } from '@coin/engine/application'
import type { Evidence } from '@coin/engine/comet/evidence'
import type { Block, BlockMeta, ValidatorSet } from '@coin/engine/comet/types'
import type { RoundState } from '@coin/engine/embedded/round-state'

/** What REST and gRPC need of the rest of the node. An embedded engine answers at once, an outside one later. */
export type Awaitable<T> = T | Promise<T>

/** Blocks that are part of the chain; `EmbeddedEngine.blocks` fits as it is. */
export interface BlockReader {
  /** Of the last block; 0 before the first. */
  height(): number
  /** Of the oldest block that pruning has left; 0 before the first. */
  base(): number
  meta(height: number): Awaitable<BlockMeta | undefined>
  block(height: number): Awaitable<Block | undefined>
  /** The set that signs this height; also known for the height to come. */
  validators(height: number): Awaitable<ValidatorSet | undefined>
}

/** A transaction that is in a block. */
export interface IndexedTx {
  /** 32 bytes. */
  readonly hash: Bytes
  readonly height: number
  /** Position in its block, from 0. */
  readonly index: number
  readonly bytes: Bytes
  readonly result: TxResult
}

/** Where a transaction stands in the chain. */
export interface TxPosition {
  readonly height: number
  readonly index: number
}

export interface TxSearch {
  /** In CometBFT's query language: `transfer.recipient='coin1...' AND tx.height>5`. Never empty. */
  readonly query: string
  readonly order: 'asc' | 'desc'
  /** 1 to 100. */
  readonly limit: number
  /** Matches to leave out first. */
  readonly skip: number
  /** Begin at this position, inclusive, in the given order; a match or not. */
  readonly from?: TxPosition | undefined
  /**
   * All matches of one condition are counted at once, however many there are; those of several are looked at one by one. Where that
   * is too much, `true` throws and `'cheaply'` leaves the total out.
   */
  readonly countTotal: boolean | 'cheaply'
}

export interface TxPage {
  readonly txs: readonly IndexedTx[]
  /**
   * Where the search goes on: the first match behind this page. With less than a full page, even none: as far as one search looks.
   */
  readonly next?: TxPosition | undefined
  /** All matches, whatever `from` and `skip` are; only when counted. */
  readonly total?: number | undefined
}

/** Transactions by hash and by event. */
export interface TxIndex {
  get(hash: Bytes): Awaitable<IndexedTx | undefined>
  /** Throws a `CodedError` that says what is wrong with the query. */
  search(request: TxSearch): Awaitable<TxPage>
}

/** What CheckTx said; code 0 means that the transaction waits for a block. */
export interface Broadcast {
  readonly hash: Bytes
  readonly checked: TxResult
}

/** The way into the mempool. Both throw what the mempool refuses by itself: known, too large, full, halted. */
export interface Broadcaster {
  /** Waits for CheckTx. */
  sync(tx: Bytes): Promise<Broadcast>
  /** Hands the transaction over and answers its hash. */
  async(tx: Bytes): Awaitable<Bytes>
}

/** The beginning of the mempool, and how much there is in all. */
export interface MempoolView {
  readonly txs: readonly Bytes[]
  readonly count: number
  readonly bytes: number
}

/** The thread that makes blocks, for the doors, which run in another one: what only it knows. */
export interface Consensus extends Broadcaster {
  /**
   * Whether each of these transactions waits for a block, by hash, after the block of `height`: the doors may not know that block
   * yet, and it may have taken the transaction.
   */
  areWaiting(hashes: readonly Bytes[]): Awaitable<{ readonly height: number; readonly waiting: readonly boolean[] }>
  /** The oldest `limit` transactions that wait; fewer when they are more than 8 MiB together. */
  mempool(limit: number): Awaitable<MempoolView>
  checkTx(tx: Bytes): Awaitable<TxResult>
  info(): Awaitable<ReturnType<Application['info']>>
  /** Where the engine stands. */
  round(): Awaitable<RoundState>
  /** Verifies evidence of misbehavior for the next block; answers its hash, also when it is known. Throws the engine's `badEvidence`. */
  addEvidence(evidence: Evidence): Awaitable<Bytes>
  /** Forgets every transaction that waits. */
  flushMempool(): Awaitable<void>
}

/** The application's state, read beside consensus. */
export interface AppQueries {
  /** The last committed state. */
  height(): number
  /**
   * A gRPC query by its path, `/cosmos.bank.v1beta1.Query/Balance`, bytes in, bytes out; `height` undefined is the last
   * state. Throws a `CodedError`: `unimplemented` for a method that no module has, `invalidArgument` for a height that is not
   * there any more or not yet, `deadlineExceeded` for one that takes too long.
   */
  query(method: string, request: Bytes, height: number | undefined): Awaitable<QueryAnswer<Bytes>>
  /** The same with the response as the JSON that REST gives. */
  queryJson(method: string, request: Bytes, height: number | undefined): Awaitable<QueryAnswer<string>>
  /** A raw ABCI query. Failures are in the result. */
  abci(request: AbciQuery): Awaitable<QueryResult>
  /** Registered methods, sorted. */
  methods(): readonly string[]
}

export interface QueryAnswer<Form> {
  readonly response: Form
  /** Of the state that was read. */
  readonly height: number
}

export interface AbciQuery {
  readonly path: string
  readonly data: Bytes
  /** 0 is the last committed one. */
  readonly height: number
  readonly prove: boolean
}

/** Who this node is and how it is set up. */
export interface NodeFacts {
  /** 40 hexadecimal digits. */
  readonly nodeId: string
  readonly moniker: string
  readonly chainId: string
  /** Where other nodes connect: `tcp://0.0.0.0:26656`. */
  readonly listenAddress: string
  readonly rpcAddress: string
  /** Of CometBFT's protocols. */
  readonly consensusVersion: string
  readonly version: {
    readonly name: string
    readonly appName: string
    readonly version: string
    readonly gitCommit: string
    readonly buildTags: string
    /** The runtime that executes the node; the field is named for Go. */
    readonly goVersion: string
    readonly buildDeps: readonly { readonly path: string; readonly version: string; readonly sum: string }[]
    readonly cosmosSdkVersion: string
  }
  /** As the SDK prints it: `0.001000000000000000ucoin`. */
  readonly minimumGasPrices: string
  readonly pruningKeepRecent: string
  readonly pruningInterval: string
  readonly haltHeight: number
  /** The node is behind the chain. Always false on the embedded engine. */
  isSyncing(): boolean
  /** Oldest state that can be read; 0 when none has been pruned. */
  earliestStateHeight(): number
}
