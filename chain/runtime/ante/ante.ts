import type { AddressCodec } from '@coin/wire/addresses'
import type { DecCoins } from '@coin/wire/coins'
import type { Write } from '../context.js'
import { sdkErrors } from '../errors.js'
import { OutOfGas } from '../gas.js'
import type { SignatureCache } from '../signature-cache.js'
import type { Tx } from '../tx.js'
import { checkBasics, rejectExtensionOptions } from './check-basics.js'
import { checkMemo } from './check-memo.js'
import { checkSignatureCount } from './check-signature-count.js'
import { checkTimeout } from './check-timeout.js'
import { consumeSignatureGas } from './consume-signature-gas.js'
import { consumeSizeGas } from './consume-size-gas.js'
import { deductFee } from './deduct-fee.js'
import { incrementSequence } from './increment-sequence.js'
import { setPubKey } from './set-pub-key.js'
import { checkGasLimit, setUp } from './set-up.js'
import type { AnteAccounts, AnteFeeGrants, AnteFees, AnteStep, UnorderedNonces } from './step.js'
import { takeNonces } from './take-nonces.js'
import { verifySignatures } from './verify-signatures.js'

export interface AnteOptions {
  readonly accounts: AnteAccounts
  readonly fees: AnteFees
  readonly feeGrants: AnteFeeGrants
  readonly addresses: AddressCodec
  readonly signatures: SignatureCache
  /** Left out, the chain takes no unordered transactions. */
  readonly unordered?: UnorderedNonces | undefined
  /** This node's own floor; empty takes any fee. */
  readonly minGasPrices: DecCoins
  /** Steps of modules, right behind the gas meter's set-up (where wasmd has its own). */
  readonly afterSetUp?: readonly AnteStep[]
}

/** The order is the SDK's (x/auth/ante): it decides which error a bad transaction gets and what gas it has used by then. */
export function createAnteSteps(options: AnteOptions): readonly AnteStep[] {
  const { accounts, fees, feeGrants, addresses, signatures, unordered, minGasPrices, afterSetUp = [] } = options
  return [
    setUp,
    checkGasLimit,
    ...afterSetUp,
    rejectExtensionOptions,
    checkBasics,
    checkTimeout,
    checkMemo(accounts),
    consumeSizeGas(accounts),
    deductFee({ accounts, fees, feeGrants, addresses, minGasPrices }),
    setPubKey(accounts),
    checkSignatureCount(accounts),
    consumeSignatureGas(accounts),
    takeNonces(unordered),
    verifySignatures(accounts, signatures),
    incrementSequence(accounts),
  ]
}

/**
 * Runs the steps in order. `entered` is told of every context that a step puts in force, so that the caller knows the gas meter
 * also when a later step throws. Running out of gas becomes the SDK's error.
 */
export function runAnte(steps: readonly AnteStep[], ctx: Write, tx: Tx, entered: (ctx: Write) => void): Write {
  let current = ctx
  try {
    for (const step of steps) {
      const next = step.run(current, tx)
      if (next === undefined) continue
      current = next
      entered(current)
    }
    return current
  } catch (error) {
    throw error instanceof OutOfGas ? outOfGasError(error, tx.gasLimit, current.gas.consumed) : error
  }
}

/** The message of a transaction that ran out, wherever it was. */
export function outOfGasError({ descriptor }: OutOfGas, gasWanted: number, gasUsed: number) {
  return sdkErrors.outOfGas(`out of gas in location: ${descriptor}; gasWanted: ${gasWanted}, gasUsed: ${gasUsed}`)
}
