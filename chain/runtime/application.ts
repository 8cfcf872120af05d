import { assert } from '@coin/base/assert'
import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import type {
  Application,
  ConsensusParams,
  FinalizeBlock,
  InitChain,
  InitChainResult,
  SignatureJob,
  TxResult,
} from '@coin/engine/application'
import type { StateBranch, StateRead } from '@coin/store/kv'
import type { MultiStore } from '@coin/store/multi-store'
import type { Json } from '@coin/wire/json'
import { sha256 } from '@coin/wire/sha256'
import { answerQuery, checkHeight, type QuerySources } from './abci-query.js'
import type { AnteAccounts, AnteStep } from './ante/step.js'
import { type BlockOrder, type BlockRunner, executeBlock, failedTxResult, toTxResult } from './block.js'
import { type BlockTime, type ChainState, createChainState, emptyBlock } from './chain-state.js'
import { type BlockInfo, createRead, createWrite, type ExecMode, type Read, type Write } from './context.js'
import { sdkErrors } from './errors.js'
import { GasMeter } from './gas.js'
import { exportGenesis, initGenesis } from './genesis.js'
import type { Module } from './module.js'
import type { MsgRouter } from './msg-router.js'
import { selectTxs } from './proposal.js'
import type { QueryRouter } from './query-router.js'
import { runTx, type TxOutcome } from './run-tx.js'
import type { SignatureCache } from './signature-cache.js'
import { toSignatureJobs } from './signature-job.js'
import { createSimulateModule, type Simulate } from './simulate.js'
import type { Tx, TxDecoder } from './tx.js'

/** Where the consensus parameters live in the state. */
export interface ParamsPort {
  get(ctx: Read): ConsensusParams | undefined
  set(ctx: Write, params: ConsensusParams): void
}

export interface ApplicationOptions {
  readonly version: string
  /** Bumped by upgrades; part of every header. */
  readonly appVersion: bigint
  readonly chainId: string
  readonly store: MultiStore
  readonly logger: Logger
  /** In the order in which their genesis is taken; all are in the routers already. */
  readonly modules: readonly Module[]
  readonly order: BlockOrder
  readonly msgs: MsgRouter
  readonly queries: QueryRouter
  readonly decode: TxDecoder
  readonly steps: readonly AnteStep[]
  readonly accounts: AnteAccounts
  readonly params: ParamsPort
  readonly signatures: SignatureCache
  /** Header times of older blocks, for reads of old heights and after a restart. */
  readonly blockTime?: BlockTime
  /** Gas that one query may use; unlimited when left out. */
  readonly queryGasLimit?: number
  /** Blocks that the engine keeps behind the last one; 0 keeps all. */
  readonly minRetainBlocks?: number
}

/** The state machine as the engine drives it, and as the node reads it. */
export interface NodeApplication extends Application {
  /** Every query method; the node adds its own services (blocks, transactions) to the same table. */
  readonly queries: QueryRouter
  readonly msgs: MsgRouter
  /** Verdicts that the node's worker found ahead are put here. */
  readonly signatures: SignatureCache
  /** State at a committed height, 0 for the last, with its own gas meter. Throws for heights that are not there. */
  readAt(height: number): Read
  readonly simulate: Simulate
  readonly decode: TxDecoder
  /** `app_state` of the last committed height. */
  exportGenesis(): Readonly<Record<string, Json>>
}

/** Puts the parts together; which modules, and in which order, is `app/`'s business. */
export function createApplication(options: ApplicationOptions): NodeApplication {
  const { store, version, appVersion, queries, msgs, modules, decode, signatures } = options
  const state = createChainState(store, options.chainId, options.blockTime ?? (() => undefined))
  const mempool = createMempoolSide(options, state)
  const readAt = (height: number): Read => {
    checkHeight({ store }, height)
    const at = height === 0 ? store.height : height
    return readOf(options, at === store.height ? store.committed() : store.at(at), state.blockAt(at))
  }
  const { simulate } = mempool
  queries.add(createSimulateModule(simulate))
  const storeNames = new Set(modules.flatMap((module) => module.stores ?? []))
  const sources: QuerySources = { store, storeNames, queries, simulate, version, readAt }
  return {
    queries,
    msgs,
    signatures,
    simulate,
    decode,
    readAt,
    info: () => ({ lastHeight: store.height, lastAppHash: appHashOf(store), version, appVersion }),
    initChain: (request) => initChain(options, state, request),
    checkTx: mempool.checkTx,
    prepareProposal: ({ txs, maxTxBytes }) => selectTxs(decode, txs, maxTxBytes, mempool.maxGas()),
    processProposal: () => true,
    ...createConsensusSide(options, state),
    query: (request) => answerQuery(sources, request),
    signatureJobs: mempool.signatureJobs,
    exportGenesis: () => exportGenesis(readAt(0), modules),
  }
}

/** Before the first commit it is the hash of nothing, as the SDK gives it: the first header has it. */
function appHashOf({ height, appHash }: MultiStore): Bytes {
  return height === 0 ? sha256(emptyBytes) : appHash
}

function initChain(options: ApplicationOptions, state: ChainState, request: InitChain): InitChainResult {
  const { chainId, store, modules, logger } = options
  if (request.chainId !== chainId) {
    const ids = `expected: ${chainId}, got: ${request.chainId}`
    throw sdkErrors.invalidChainId(`invalid chain-id on InitChain; ${ids}`)
  }
  const block = { ...emptyBlock(chainId), time: request.time }
  const branch = state.openGenesis(block)
  const ctx = createWrite(branch, { block, mode: 'genesis', consensusParams: request.consensusParams })
  options.params.set(ctx, request.consensusParams)
  const validators = initGenesis(ctx, modules, request.appState, logger)
  state.closeGenesis({ ...block, height: request.initialHeight })
  return { appHash: appHashOf(store), validators }
}

/** Executing and committing blocks. */
function createConsensusSide(
  options: ApplicationOptions,
  state: ChainState,
): Pick<Application, 'finalizeBlock' | 'commit'> {
  const runner: BlockRunner = {
    steps: options.steps,
    router: options.msgs,
    order: options.order,
    decode: options.decode,
    paramsOf: (branch, gas) => paramsOf(options, branch, gas),
  }
  const retain = options.minRetainBlocks ?? 0
  return {
    finalizeBlock(request) {
      const { height } = options.store
      assert(height === 0 || request.height === height + 1, `block ${request.height} after ${height}`)
      const block = blockOf(state.chainId, request)
      const executed = executeBlock(runner, state.open(block), request, block)
      return { ...executed, appHash: state.stage() }
    },
    commit() {
      const { height } = state.commit()
      return { retainHeight: retain === 0 ? 0 : Math.max(0, height - retain) }
    },
  }
}

function blockOf(chainId: string, request: FinalizeBlock): BlockInfo {
  const { height, time, hash, proposerAddress, lastCommit, misbehavior } = request
  return { chainId, height, time, hash, proposerAddress, lastCommit: lastCommit.votes, misbehavior }
}

interface MempoolSide {
  checkTx(tx: Bytes, kind: 'new' | 'recheck'): TxResult
  signatureJobs(tx: Bytes): readonly SignatureJob[]
  readonly simulate: Simulate
  /** Of a block, -1 or 0 when unlimited. */
  maxGas(): bigint
}

/** What runs on the mempool's own view of the state, of which nothing is ever committed. */
function createMempoolSide(options: ApplicationOptions, state: ChainState): MempoolSide {
  const { decode, steps, msgs: router, accounts, signatures } = options
  const run = (mode: ExecMode, bytes: Bytes, gas = new GasMeter()): TxOutcome => {
    const { branch, block } = state.check()
    const consensusParams = paramsOf(options, branch, gas)
    const tx = decode(bytes)
    const info = { bytes, hash: tx.hash, index: undefined }
    const ctx = createWrite(branch, { block, mode, consensusParams, tx: info, gas })
    return runTx({ steps, router }, ctx, tx)
  }
  return {
    checkTx(bytes, kind) {
      const gas = new GasMeter()
      try {
        return toTxResult(run(kind === 'new' ? 'check' : 'recheck', bytes, gas))
      } catch (error) {
        if (error instanceof CodedError) return { ...failedTxResult(error), gasUsed: gas.consumed }
        throw error
      }
    },
    simulate(bytes) {
      const { branch } = state.check()
      const mark = branch.mark()
      try {
        return run('simulate', bytes)
      } finally {
        branch.revert(mark)
      }
    },
    signatureJobs(bytes) {
      try {
        const tx = decode(bytes)
        const { branch, block } = state.check()
        const ctx = createRead(branch, { block, mode: 'query', consensusParams: noParams })
        return signatureJobsOf(tx, ctx, accounts).filter((job) => !signatures.has(job))
      } catch (error) {
        if (error instanceof CodedError) return []
        throw error
      }
    },
    maxGas: () => paramsOf(options, state.check().branch).block.maxGas,
  }
}

/** None for a transaction with more signatures than one may have: nobody has paid for the work yet. */
function signatureJobsOf(tx: Tx, ctx: Read, accounts: AnteAccounts): readonly SignatureJob[] {
  const count = tx.signatures.reduce((sum, { multi }) => sum + (multi?.signers.length ?? 1), 0)
  if (BigInt(count) > accounts.params(ctx).txSigLimit) return []
  return tx.signers.flatMap((signer, index) => {
    const account = accounts.get(ctx, signer)
    const signature = tx.signatures[index]
    if (account === undefined || signature === undefined) return []
    const pubKey = account.pubKey ?? signature.pubKey
    const jobs = toSignatureJobs(tx, signature, { chainId: ctx.chainId, accountNumber: account.accountNumber, pubKey })
    return typeof jobs === 'string' ? [] : jobs
  })
}

function readOf(options: ApplicationOptions, source: StateRead, block: BlockInfo): Read {
  const gas = new GasMeter(options.queryGasLimit)
  return createRead(source, { block, mode: 'query', consensusParams: paramsOf(options, source), gas })
}

const noParams: ConsensusParams = {
  block: { maxBytes: -1n, maxGas: -1n },
  evidence: { maxAgeNumBlocks: 0n, maxAgeDurationNs: 0n, maxBytes: 0n },
  validator: { pubKeyTypes: [] },
  version: { app: 0n },
  abci: { voteExtensionsEnableHeight: 0n },
}

/** As stored; before genesis there are none. In the SDK every transaction pays for this read until its own meter is set up. */
function paramsOf(
  { params, chainId }: ApplicationOptions,
  source: StateRead | StateBranch,
  gas: GasMeter = new GasMeter(),
): ConsensusParams {
  const ctx = createRead(source, { block: emptyBlock(chainId), mode: 'query', consensusParams: noParams, gas })
  return params.get(ctx) ?? noParams
}
