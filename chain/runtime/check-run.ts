import type { Bytes } from '@coin/base/bytes'
import type { StateBranch } from '@coin/store/kv'
import type { AnteStep } from './ante/step.js'
import { type ParamsPort, paramsOf } from './consensus-params.js'
import { type BlockInfo, createWrite, type ExecMode, type Write } from './context.js'
import { GasMeter } from './gas.js'
import type { MsgRouter } from './msg-router.js'
import { runTx, type TxOutcome } from './run-tx.js'
import type { Tx, TxDecoder } from './tx.js'

/** What a transaction needs that is run outside of a block. */
export interface CheckRunOptions {
  readonly chainId: string
  readonly msgs: MsgRouter
  readonly decode: TxDecoder
  readonly steps: readonly AnteStep[]
  readonly params: Pick<ParamsPort, 'get'>
}

/** Uncommitted changes that never get into a block, and the block that they believe to be in. */
export interface CheckState {
  readonly branch: StateBranch
  readonly block: BlockInfo
}

/** The transaction and its context as checks and simulations have them. Throws for bytes that are no transaction. */
export function openCheck(
  options: CheckRunOptions,
  { branch, block }: CheckState,
  mode: ExecMode,
  bytes: Bytes,
  gas = new GasMeter(),
): { readonly ctx: Write; readonly tx: Tx } {
  const consensusParams = paramsOf(options, branch, gas)
  const tx = options.decode(bytes)
  const info = { bytes, hash: tx.hash, index: undefined }
  return { tx, ctx: createWrite(branch, { block, mode, consensusParams, tx: info, gas }) }
}

/** Runs it, in the mode of a check or a simulation; what it writes stays in the branch. */
export function runCheck(
  options: CheckRunOptions,
  state: CheckState,
  mode: ExecMode,
  bytes: Bytes,
  gas?: GasMeter,
): TxOutcome {
  const { ctx, tx } = openCheck(options, state, mode, bytes, gas)
  return runTx({ steps: options.steps, router: options.msgs }, ctx, tx)
}
