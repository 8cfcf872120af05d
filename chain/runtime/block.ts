import { emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type {
  ConsensusParams,
  Event,
  FinalizeBlock,
  FinalizeBlockResult,
  TxResult,
  ValidatorUpdate,
} from '@coin/engine/application'
import type { StateBranch } from '@coin/store/kv'
import { type BlockInfo, createWrite, type Write } from './context.js'
import { attribute, EventLog, withAttributes } from './events.js'
import { GasMeter, noGasLimit } from './gas.js'
import type { Module } from './module.js'
import { runTx, type TxOutcome, type TxRunner } from './run-tx.js'
import type { TxDecoder } from './tx.js'

export interface BlockOrder {
  readonly preBlock: readonly Module[]
  readonly beginBlock: readonly Module[]
  readonly endBlock: readonly Module[]
}

export interface BlockRunner extends TxRunner {
  readonly order: BlockOrder
  readonly decode: TxDecoder
  /** The consensus parameters as stored; reading them is paid from `gas`. */
  paramsOf(branch: StateBranch, gas?: GasMeter): ConsensusParams
}

type Executed = Omit<FinalizeBlockResult, 'appHash'>

/** One block: what modules do before, the transactions in order, what modules do after. A module that throws stops the chain. */
export function executeBlock(
  runner: BlockRunner,
  branch: StateBranch,
  request: FinalizeBlock,
  block: BlockInfo,
): Executed {
  const { order, paramsOf } = runner
  const before = paramsOf(branch)
  const contextWith = (events: EventLog): Write =>
    createWrite(branch, { block, mode: 'block', consensusParams: paramsOf(branch), events })
  const events: Event[] = []
  const run = (modules: readonly Module[], step: (module: Module, ctx: Write) => void, mode?: string): void => {
    const log = new EventLog()
    const ctx = contextWith(log)
    for (const module of modules) step(module, ctx)
    for (const event of log.events) {
      events.push(mode === undefined ? event : withAttributes(event, attribute('mode', mode)))
    }
  }
  run(order.preBlock, (module, ctx) => module.preBlock?.(ctx))
  run(order.beginBlock, (module, ctx) => module.beginBlock?.(ctx), 'BeginBlock')
  const txResults = executeTxs(runner, branch, request.txs, block)
  const validatorUpdates: ValidatorUpdate[] = []
  run(order.endBlock, (module, ctx) => validatorUpdates.push(...(module.endBlock?.(ctx) ?? [])), 'EndBlock')
  const after = paramsOf(branch)
  const isChanged = !sameParams(before, after)
  return { txResults, events, validatorUpdates, ...(isChanged ? { consensusParamUpdates: after } : {}) }
}

function executeTxs(
  runner: BlockRunner,
  branch: StateBranch,
  txs: readonly Uint8Array[],
  block: BlockInfo,
): readonly TxResult[] {
  const { maxGas } = runner.paramsOf(branch).block
  const isLimited = maxGas > 0n && maxGas < BigInt(noGasLimit)
  const blockGas = isLimited ? new GasMeter(Number(maxGas)) : new GasMeter()
  return txs.map((bytes, index) => {
    try {
      const tx = runner.decode(bytes)
      const info = { bytes, hash: tx.hash, index }
      const gas = new GasMeter()
      const consensusParams = runner.paramsOf(branch, gas)
      const ctx = createWrite(branch, { block, mode: 'finalize', consensusParams, tx: info, gas })
      return toTxResult(runTx(runner, ctx, tx, blockGas))
    } catch (error) {
      if (error instanceof CodedError) return failedTxResult(error)
      throw error
    }
  })
}

export function toTxResult(outcome: TxOutcome): TxResult {
  const { error, data, gasWanted, gasUsed } = outcome
  return {
    code: error?.code ?? 0,
    codespace: error?.codespace ?? '',
    data,
    log: error?.message ?? '',
    info: '',
    gasWanted,
    gasUsed,
    events: outcome.events,
  }
}

/** Of a transaction that could not even be decoded. */
export function failedTxResult({ code, codespace, message }: CodedError): TxResult {
  return { code, codespace, data: emptyBytes, log: message, info: '', gasWanted: 0, gasUsed: 0, events: [] }
}

function sameParams(a: ConsensusParams, b: ConsensusParams): boolean {
  const text = (params: ConsensusParams) =>
    JSON.stringify(params, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  return text(a) === text(b)
}
