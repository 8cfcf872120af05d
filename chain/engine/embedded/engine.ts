import { type Bytes, equalBytes } from '@coin/base/bytes'
import type { Clock } from '@coin/base/clock'
import type { Logger } from '@coin/base/logger'
import type { KvDatabase } from '@coin/store/kv-database'
import type { Application, FinalizeBlockResult, TimeNs } from '../application.js'
import type { Evidence } from '../comet/evidence.js'
import { type Block, type BlockId, emptyCommit, zeroTime } from '../comet/types.js'
import { engineErrors } from '../errors.js'
import type { Genesis } from '../genesis.js'
import { commitBlock, finalizeBlock, propose, proposingRound, requireOwnMajority } from './block-execution.js'
import { type BlockReads, type BlockStore, createBlockStore } from './block-store.js'
import { asFatal, type ChainState, nextHeight, stateAfter } from './chain-state.js'
import { createEvidencePool, type EvidencePool } from './evidence-pool.js'
import { handshake } from './handshake.js'
import {
  createMempool,
  defaultMempoolOptions,
  type Measure,
  type Mempool,
  type MempoolOptions,
  type MempoolReads,
  type Pause,
  type Preverify,
} from './mempool.js'
import { createPacemaker, type Pacemaker, type PacemakerOptions, type Timer } from './pacemaker.js'
import type { RoundState } from './round-state.js'
import { createSigner, type SignStatePort, type ValidatorSigner } from './signer.js'

export interface EngineOptions extends PacemakerOptions {
  readonly mempool?: Partial<MempoolOptions>
  /** Blocks forgotten per new block when pruning. Default 100. */
  readonly pruneMax?: number
}

export interface EngineDependencies {
  readonly app: Application
  readonly genesis: Genesis
  /** Blocks, results and state; the engine is its only writer. */
  readonly db: KvDatabase
  /** ed25519: the seed of 32 bytes, or Go's 64. */
  readonly privateKey: Bytes
  readonly signState: SignStatePort
  readonly clock: Clock
  readonly timer: Timer
  readonly log: Logger
  readonly preverify?: Preverify
  /** Between two batches of transactions that are checked. */
  readonly pause?: Pause
  /** Takes the time of each stage; the default takes none. */
  readonly measure?: Measure
  /** The node cannot go on: called once, after block production has stopped. */
  onHalt(error: Error): void
}

/** A block that is part of the chain: durable, run, and committed by the application. */
export interface CommittedBlock {
  readonly block: Block
  readonly blockId: BlockId
  /** sha256 of each transaction, in order. */
  readonly txHashes: readonly Bytes[]
  readonly results: FinalizeBlockResult
}

export type BlockListener = (committed: CommittedBlock) => void

const nsPerMs = 1_000_000n

/** One validator in one process that makes real CometBFT blocks. */
export interface EmbeddedEngine {
  readonly blocks: BlockReads
  readonly mempool: MempoolReads
  readonly validator: { readonly address: Bytes; readonly pubKey: Bytes }
  /** The state that the next block is made from. */
  state(): ChainState
  round(): RoundState
  /**
   * Verifies evidence of misbehavior and puts it into the next block; answers its hash, also when it is known. Throws
   * `badEvidence`, `evidenceFull`, `halted`.
   */
  addEvidence(evidence: Evidence): Bytes
  /** Forgets every transaction that waits, and that it was seen. */
  flushMempool(): void
  /** Starts making blocks. The handshake was done when the engine was created. */
  start(): void
  /** Ends block production; a block is never left half-made. */
  stop(): void
  /** Makes one block now, for tests and `stop`ped engines. Throws what halts the node. */
  produceBlock(): CommittedBlock
  /** Called after each commit, in order. Returns the function that ends it. A listener's error is logged, never the chain's. */
  onBlock(listener: BlockListener): () => void
}

/**
 * Opens the chain where it stopped, or begins it from genesis. Throws `stateMismatch`, `badGenesis`, `notValidator`.
 *
 * @example
 * const engine = createEmbeddedEngine(options, dependencies)
 * engine.start()
 * const { hash, checked } = engine.mempool.submit(txBytes)
 */
export function createEmbeddedEngine(options: EngineOptions, dependencies: EngineDependencies): EmbeddedEngine {
  return new SingleValidatorEngine(options, dependencies)
}

class SingleValidatorEngine implements EmbeddedEngine {
  readonly #options: EngineOptions
  readonly #dependencies: EngineDependencies
  readonly #store: BlockStore
  readonly #signer: ValidatorSigner
  readonly #pool: Mempool
  readonly #evidence: EvidencePool
  readonly #pacemaker: Pacemaker
  readonly #listeners = new Set<BlockListener>()
  readonly #measure: Measure
  #state: ChainState
  #commitTime: TimeNs = zeroTime
  #startTime: TimeNs
  #halted: Error | undefined

  constructor(options: EngineOptions, dependencies: EngineDependencies) {
    const { app, genesis, db, log, clock, timer, privateKey, signState } = dependencies
    this.#options = options
    this.#dependencies = dependencies
    this.#measure = dependencies.measure ?? ((_stage, _count, run) => run())
    this.#store = createBlockStore(db, (run) => this.#measure('write', 0, run))
    this.#signer = createSigner(privateKey, signState)
    this.#state = handshake(genesis, { app, store: this.#store, log })
    requireOwnMajority(this.#state.validators, this.#signer.address, nextHeight(this.#state))
    this.#evidence = createEvidencePool({ store: this.#store, log, state: () => this.#state })
    this.#startTime = clock.nowNs()
    this.#pool = createMempool({ ...defaultMempoolOptions, ...options.mempool }, this.#state.consensusParams, {
      app,
      log,
      preverify: dependencies.preverify,
      pause: dependencies.pause,
      measure: this.#measure,
      onFatal: (error) => this.#halt(error),
      onAvailable: () => this.#pacemaker.onAvailable(),
    })
    this.#pacemaker = createPacemaker(options, {
      clock,
      timer,
      genesisTime: genesis.time,
      hasWork: () => this.#pool.size() > 0 || this.#evidence.size() > 0,
      needsProofBlock: () => this.#needsProofBlock(),
      produce: () => this.#produceOrHalt(),
    })
  }

  get blocks(): BlockReads {
    return this.#store
  }

  get mempool(): MempoolReads {
    return this.#pool
  }

  get validator(): { readonly address: Bytes; readonly pubKey: Bytes } {
    return this.#signer
  }

  state(): ChainState {
    return this.#state
  }

  round(): RoundState {
    const { lastHeight, validators, lastValidators } = this.#state
    return {
      height: nextHeight(this.#state),
      startTime: this.#startTime,
      commitTime: this.#commitTime,
      validators,
      lastValidators,
      lastCommit: this.#store.commit(lastHeight),
    }
  }

  addEvidence(evidence: Evidence): Bytes {
    if (this.#halted) throw engineErrors.halted(this.#halted.message)
    const hash = this.#evidence.add(evidence)
    if (this.#evidence.size() > 0) this.#pacemaker.onAvailable()
    return hash
  }

  flushMempool(): void {
    this.#pool.flush()
  }

  start(): void {
    this.#pacemaker.start()
  }

  stop(): void {
    this.#pacemaker.stop()
  }

  onBlock(listener: BlockListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  produceBlock(): CommittedBlock {
    if (this.#halted) throw engineErrors.halted(this.#halted.message)
    try {
      return this.#produce()
    } catch (error) {
      this.#halt(error)
      throw error
    }
  }

  #produce(): CommittedBlock {
    const { app, log, clock } = this.#dependencies
    const state = this.#state
    const height = nextHeight(state)
    const { address } = this.#signer
    requireOwnMajority(state.validators, address, height)
    const lastCommit = this.#store.commit(state.lastHeight) ?? emptyCommit
    const reap: Mempool['reap'] = (limits) => this.#pool.reap(limits)
    const round = proposingRound(state.validators, address, this.#signer.freeRound(height))

    const proposal = this.#measure('propose', 0, () =>
      propose(state, lastCommit, address, { app, log, reap, evidence: this.#evidence }),
    )
    const { block, meta, txHashes } = proposal
    const count = block.txs.length
    // Signed before it is stored, stored before it is run: after a crash the same block is run again, or, when it was
    // not yet stored and so seen by nobody, another one is made in the next round.
    const commit = this.#measure('sign', count, () =>
      commitBlock(proposal, round, state.validators, this.#signer, clock.nowNs()),
    )
    this.#measure('save', count, () => this.#store.saveBlock(block, meta, commit))
    const results = this.#measure('finalize', count, () =>
      finalizeBlock(app, block, meta.blockId, state.lastValidators),
    )
    const next = this.#measure('resultsHash', count, () =>
      stateAfter(state, block.header, meta.blockId, count, results),
    )
    this.#measure('save', count, () => this.#store.saveState(next, results))
    const { retainHeight } = this.#measure('commit', count, () => app.commit())
    this.#state = next
    this.#pool.update(txHashes, results.txResults, next.consensusParams)
    this.#evidence.update(block.evidence)
    this.#commitTime = clock.nowNs()
    this.#startTime = this.#commitTime + BigInt(this.#options.blockTimeMs) * nsPerMs
    if (retainHeight > 0) this.#store.prune(retainHeight, this.#options.pruneMax ?? 100)
    const committed = { block, blockId: meta.blockId, txHashes, results }
    this.#measure('publish', count, () => this.#publish(committed))
    return committed
  }

  #publish(committed: CommittedBlock): void {
    for (const listener of this.#listeners) {
      try {
        listener(committed)
      } catch (error) {
        const { height } = committed.block.header
        this.#dependencies.log.error({ height, error: String(error) }, 'a listener failed on a block')
      }
    }
  }

  /** After a block that changed the state, one more lets the chain say so when empty blocks are off. */
  #needsProofBlock(): boolean {
    const { lastHeight, appHash } = this.#state
    if (lastHeight === 0) return true
    const header = this.#store.meta(lastHeight)?.header
    return header !== undefined && !equalBytes(header.appHash, appHash)
  }

  #produceOrHalt(): boolean {
    try {
      this.produceBlock()
      return true
    } catch {
      return false // produceBlock has halted the node
    }
  }

  #halt(error: unknown): void {
    if (this.#halted) return
    this.#halted = asFatal(error)
    this.#pacemaker.stop()
    this.#pool.halt()
    this.#dependencies.log.error({ error: this.#halted.stack ?? this.#halted.message }, 'the node stops making blocks')
    this.#dependencies.onHalt(this.#halted)
  }
}
