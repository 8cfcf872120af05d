import { sdkErrors } from '../errors.js'
import { GasMeter } from '../gas.js'
import type { AnteStep } from './step.js'

/** Puts the transaction's own gas limit in force; genesis and simulations only count. */
export const setUp: AnteStep = {
  name: 'set-up',
  run(ctx, tx) {
    const isCounting = ctx.mode === 'simulate' || ctx.height === 0
    const metered = ctx.with({ gas: isCounting ? new GasMeter() : new GasMeter(tx.gasLimit) })
    return metered
  },
}

/** A transaction may not ask for more gas than a block has. */
export const checkGasLimit: AnteStep = {
  name: 'check-gas-limit',
  run(ctx, tx) {
    const { maxGas } = ctx.consensusParams.block
    if (maxGas > 0n && BigInt(tx.gasLimit) > maxGas) {
      throw sdkErrors.invalidGasLimit(`tx gas limit ${tx.gasLimit} exceeds block max gas ${maxGas}`)
    }
    return undefined
  },
}
