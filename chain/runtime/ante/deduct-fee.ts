import { CodedError } from '@coin/base/errors'
import { type Coins, checkCoins, type DecCoins, formatCoins, isAnyGte } from '@coin/wire/coins'
import type { Write } from '../context.js'
import { sdkErrors } from '../errors.js'
import type { Tx } from '../tx.js'
import type { AnteAccounts, AnteFees, AnteStep } from './step.js'

/**
 * Takes the fee from the payer: the first signer, or whom the transaction names. `minGasPrices` is this node's own floor
 * (app.toml), so only checks for its mempool look at it.
 */
export function deductFee(accounts: AnteAccounts, fees: AnteFees, minGasPrices: DecCoins): AnteStep {
  return {
    name: 'deduct-fee',
    run(ctx, tx) {
      const isSimulation = ctx.mode === 'simulate'
      if (!isSimulation && ctx.height > 0 && tx.gasLimit === 0) {
        throw sdkErrors.invalidGasLimit('must provide positive gas')
      }
      if (ctx.mode === 'check' || ctx.mode === 'recheck') checkMinimum(tx, minGasPrices)
      if (tx.feeGranter !== '') throw sdkErrors.invalidRequest('fee grants are not enabled')
      if (accounts.get(ctx, tx.feePayer) === undefined) {
        throw sdkErrors.unknownAddress(`fee payer address: ${tx.feePayerText} does not exist`)
      }
      if (tx.fee.some((coin) => coin.amount !== 0n)) take(ctx, tx, fees)
      ctx.emit('tx', () => ({ fee: formatCoins(tx.fee), fee_payer: tx.feePayerText }))
      return undefined
    },
  }
}

/** One of the node's denoms must be paid in full: price times gas limit, rounded up. */
function checkMinimum(tx: Tx, minGasPrices: DecCoins): void {
  if (minGasPrices.length === 0) return
  const required: Coins = minGasPrices.map(({ denom, amount }) => ({
    denom,
    amount: amount.mulInt(BigInt(tx.gasLimit)).ceilInt(),
  }))
  if (isAnyGte(tx.fee, required)) return
  const got = formatCoins(tx.fee)
  throw sdkErrors.insufficientFee(`insufficient fees; got: ${got} required: ${formatCoins(required)}`)
}

function take(ctx: Write, tx: Tx, fees: AnteFees): void {
  try {
    checkCoins(tx.fee)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.insufficientFee(`invalid fee amount: ${formatCoins(tx.fee)}`) : error
  }
  try {
    fees.collect(ctx, tx.feePayer, tx.fee)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.insufficientFunds(error.message) : error
  }
}
