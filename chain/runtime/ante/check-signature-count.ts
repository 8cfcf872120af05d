import { sdkErrors } from '../errors.js'
import type { AnteAccounts, AnteStep } from './step.js'

/** Limits the work of verifying; keys that are left out because the account has them already do not count, as in the SDK. */
export function checkSignatureCount(accounts: AnteAccounts): AnteStep {
  return {
    name: 'check-signature-count',
    run(ctx, tx) {
      const limit = accounts.params(ctx).txSigLimit
      const count = tx.signatures.filter(({ pubKey }) => pubKey !== undefined).length
      if (BigInt(count) > limit) throw sdkErrors.tooManySignatures(`signatures: ${count}, limit: ${limit}`)
      return undefined
    },
  }
}
