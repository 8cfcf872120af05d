import type { Bytes } from '@coin/base/bytes'
import { equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { AddressCodec } from '@coin/wire/addresses'
import { type Coins, checkCoins, type DecCoins, formatCoins, isAnyGte } from '@coin/wire/coins'
import type { Write } from '../context.js'
import { sdkErrors, undefinedErrors } from '../errors.js'
import type { Tx } from '../tx.js'
import type { AnteAccounts, AnteFeeGrants, AnteFees, AnteStep } from './step.js'

export interface FeeOptions {
  readonly accounts: AnteAccounts
  readonly fees: AnteFees
  readonly feeGrants: AnteFeeGrants
  readonly addresses: AddressCodec
  /** This node's own floor (app.toml), so only checks for its mempool look at it. */
  readonly minGasPrices: DecCoins
}

/** Takes the fee from the payer (the first signer, or whom the transaction names), or from who grants it to the payer. */
export function deductFee({ accounts, fees, feeGrants, addresses, minGasPrices }: FeeOptions): AnteStep {
  return {
    name: 'deduct-fee',
    run(ctx, tx) {
      const isSimulation = ctx.mode === 'simulate'
      if (!isSimulation && ctx.height > 0 && tx.gasLimit === 0) {
        throw sdkErrors.invalidGasLimit('must provide positive gas')
      }
      if (ctx.mode === 'check' || ctx.mode === 'recheck') checkMinimum(tx, minGasPrices)
      const granter = tx.feeGranter === '' ? undefined : granterOf(tx, addresses)
      if (granter !== undefined && !equalBytes(granter, tx.feePayer)) useGrant(ctx, tx, granter, feeGrants)
      const source = granter ?? tx.feePayer
      const sourceText = granter === undefined ? tx.feePayerText : tx.feeGranter.toLowerCase()
      if (accounts.get(ctx, source) === undefined) {
        throw sdkErrors.unknownAddress(`fee payer address: ${sourceText} does not exist`)
      }
      if (tx.fee.some((coin) => coin.amount !== 0n)) take(ctx, source, tx.fee, fees)
      ctx.emit('tx', () => ({ fee: formatCoins(tx.fee), fee_payer: sourceText }))
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

/** A text that is no address makes the SDK panic here, so its clients and its results hash have the code of a panic. */
function granterOf({ feeGranter }: Tx, addresses: AddressCodec): Bytes {
  try {
    return addresses.decode(feeGranter)
  } catch (error) {
    throw error instanceof CodedError ? undefinedErrors.panic(`fee granter: ${error.message}`) : error
  }
}

function useGrant(ctx: Write, tx: Tx, granter: Bytes, feeGrants: AnteFeeGrants): void {
  const types = tx.msgs.map(({ typeUrl }) => typeUrl)
  try {
    feeGrants.useGrantedFees(ctx, granter, tx.feePayer, tx.fee, types)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw error.wrap(`${tx.feeGranter} does not allow to pay fees for ${tx.feePayerText}`)
  }
}

function take(ctx: Write, payer: Bytes, fee: Coins, fees: AnteFees): void {
  try {
    checkCoins(fee)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.insufficientFee(`invalid fee amount: ${formatCoins(fee)}`) : error
  }
  try {
    fees.collect(ctx, payer, fee)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.insufficientFunds(error.message) : error
  }
}
