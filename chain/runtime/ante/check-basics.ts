import { sdkErrors } from '../errors.js'
import { signerCount } from './signers.js'
import type { AnteStep } from './step.js'

/** Critical extension options change what a transaction means; none is known here. */
export const rejectExtensionOptions: AnteStep = {
  name: 'reject-extension-options',
  run(_, tx) {
    if (tx.body.extensionOptions.length > 0) throw sdkErrors.unknownExtensionOptions()
    return undefined
  },
}

/** What is wrong with a transaction on its face. A recheck knows already that nothing is. */
export const checkBasics: AnteStep = {
  name: 'check-basics',
  run(ctx, tx) {
    if (ctx.mode === 'recheck') return undefined
    const negative = tx.fee.find((coin) => coin.amount < 0n)
    if (negative !== undefined) {
      throw sdkErrors.insufficientFee(`invalid fee provided: ${negative.amount}${negative.denom}`)
    }
    if (tx.signatureCount === 0) throw sdkErrors.noSignatures()
    if (tx.signatureCount !== tx.signers.length) {
      const numbers = `expected ${tx.signers.length}, got ${tx.signatureCount}`
      throw sdkErrors.unauthorized(`wrong number of signers; ${numbers}`)
    }
    if (tx.signatures.length > tx.signatureCount) throw signerCount(tx.signatures.length, tx.signatureCount)
    return undefined
  },
}
