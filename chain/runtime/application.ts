import { assert } from '@coin/base/assert'
import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type {
  Application,
  FinalizeBlock,
  InitChain,
  InitChainResult,
  QueryResult,
  SignatureJob,
  TxResult,
} from '@coin/engine/application'
import type { MultiStore } from '@coin/store/multi-store'
import type { PendingValue } from '@coin/store/state-reads'
import { sha256 } from '@coin/wire/sha256'
import type { QueryRequest } from './abci-query.js'
import type { AnteAccounts } from './ante/step.js'
import { type AppReader, type AppReaderOptions, createAppReader } from './app-reader.js'
import { type BlockOrder, type BlockRunner, executeBlock, failedTxResult, toTxResult } from './block.js'
import { type BlockTime, type ChainState, createChainState, emptyBlock } from './chain-state.js'
import { runCheck } from './check-run.js'
import { noParams, type ParamsPort, paramsOf } from './consensus-params.js'
import { type BlockInfo, createRead, createWrite, type Read } from './context.js'
import { sdkErrors } from './errors.js'
import { GasMeter } from './gas.js'
import { initGenesis } from './genesis.js'
import type { Module } from './module.js'
import type { MsgRouter } from './msg-router.js'
import { pendingFor, type ReadPayers } from './pending.js'
import { selectTxs } from './proposal.js'
import type { SignatureCache } from './signature-cache.js'
import { toSignatureJobs } from './signature-job.js'
import type { Tx, TxDecoder } from './tx.js'

export interface ApplicationOptions extends AppReaderOptions {
  /** Bumped by upgrades; part of every header. */
  readonly appVersion: bigint
  readonly store: MultiStore
  /** In the order in which their genesis is taken; all are in the routers already. */
  readonly modules: readonly Module[]
  readonly order: BlockOrder
  readonly accounts: AnteAccounts
  readonly params: ParamsPort
  readonly signatures: SignatureCache
  /** For `pendingFor`. */
  readonly readPayers: ReadPayers
  /** Header times of older blocks, for reads of old heights and after a restart. */
  readonly blockTime?: BlockTime
  /** Blocks that the engine keeps behind the last one; 0 keeps all. */
  readonly minRetainBlocks?: number
}

/** The state machine as the engine drives it, and as the node reads it. */
export interface NodeApplication extends Application, AppReader {
  /** As `Application` has it. */
  query(request: QueryRequest): QueryResult
  readonly msgs: MsgRouter
  /** Verdicts that the node's worker found ahead are put here. */
  readonly signatures: SignatureCache
  readonly decode: TxDecoder
  /** What another thread must lay over the committed state to simulate `tx` as this one would. */
  pendingFor(tx: Bytes): readonly PendingValue[]
}

/** Puts the parts together; which modules, and in which order, is `app/`'s business. */
export function createApplication(options: ApplicationOptions): NodeApplication {
  const { store, version, appVersion, msgs, decode, signatures } = options
  const state = createChainState(store, options.chainId, options.blockTime ?? (() => undefined))
  const reader = createAppReader(options, { states: store, blockAt: state.blockAt, simulationState: state.check })
  const mempool = createMempoolSide(options, state)
  return {
    ...reader,
    msgs,
    signatures,
    decode,
    info: () => ({ lastHeight: store.height, lastAppHash: appHashOf(store), version, appVersion }),
    initChain: (request) => initChain(options, state, request),
    checkTx: mempool.checkTx,
    prepareProposal: ({ txs, maxTxBytes }) => selectTxs(decode, txs, maxTxBytes, mempool.maxGas()),
    processProposal: () => true,
    ...createConsensusSide(options, state),
    signatureJobs: mempool.signatureJobs,
    pendingFor: mempool.pendingFor,
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
  pendingFor(tx: Bytes): readonly PendingValue[]
  /** Of a block, -1 or 0 when unlimited. */
  maxGas(): bigint
}

/** What runs on the mempool's own view of the state, of which nothing is ever committed. */
function createMempoolSide(options: ApplicationOptions, state: ChainState): MempoolSide {
  const { decode, accounts, signatures, store } = options
  return {
    checkTx(bytes, kind) {
      const gas = new GasMeter()
      try {
        return toTxResult(runCheck(options, state.check(), kind === 'new' ? 'check' : 'recheck', bytes, gas))
      } catch (error) {
        if (error instanceof CodedError) return { ...failedTxResult(error), gasUsed: gas.consumed }
        throw error
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
    pendingFor: (bytes) => pendingFor(options, state.check(), store.committed(), bytes),
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
    const { accountNumber } = account
    const address = tx.signerTexts[index]!
    const jobs = toSignatureJobs(tx, signature, { chainId: ctx.chainId, address, accountNumber, pubKey })
    return typeof jobs === 'string' ? [] : jobs
  })
}
