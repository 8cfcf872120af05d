import { concatBytes } from '@coin/base/bytes'
import type { AnteStep } from '@coin/runtime/ante/step'
import { GasMeter, noGasLimit } from '@coin/runtime/gas'
import { decodeUint32, decodeUint64, encodeUint32, encodeUint64 } from '@coin/runtime/keys'
import { txCounter } from './state.js'

/** Most gas of a simulation where neither the node's configuration nor the block sets a limit: some seconds of work. */
const simulationGasMax = 25_000_000

/**
 * A simulation costs its sender nothing, so it must end: at the node's own limit, else at that of a block. Where blocks have none
 * the client is still told that there is no limit, as in the SDK.
 */
export function limitSimulation(gasLimit?: number): AnteStep {
  return {
    name: 'limit-simulation',
    run(ctx) {
      if (ctx.mode !== 'simulate') return undefined
      const { maxGas } = ctx.consensusParams.block
      const isBlockLimited = maxGas > 0n && maxGas < BigInt(noGasLimit)
      const limit = gasLimit ?? (isBlockLimited ? Number(maxGas) : undefined)
      const meter = limit === undefined ? new GasMeter(simulationGasMax, noGasLimit) : new GasMeter(limit)
      return ctx.with({ gas: meter })
    },
  }
}

/**
 * Counts the transactions of a block whose ante steps pass; contracts see the number. A simulation pays the same gas as the
 * delivery it stands for and sees 0, the number it has when its block has no other transaction.
 */
export const countTransactions: AnteStep = {
  name: 'count-transactions',
  run(ctx) {
    const stored = txCounter.get(ctx)
    const isSameBlock = stored !== undefined && decodeUint64(stored) === BigInt(ctx.height)
    const next = isSameBlock ? decodeUint32(stored, 8) : 0
    txCounter.set(ctx, concatBytes(encodeUint64(BigInt(ctx.height)), encodeUint32(next + 1)))
    if (ctx.tx === undefined) return undefined
    return ctx.with({ tx: { ...ctx.tx, index: ctx.mode === 'simulate' ? 0 : next } })
  },
}
