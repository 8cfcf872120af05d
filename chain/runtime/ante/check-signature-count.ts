import { sdkErrors } from '../errors.js'
import { countKeys } from '../public-key.js'
import type { AnteAccounts, AnteStep } from './step.js'

/** Limits the work of verifying; keys that are left out because the account has them already do not count, as in the SDK. */
export function checkSignatureCount(accounts: AnteAccounts): AnteStep {
  return {
    name: 'check-signature-count',
    run(ctx, tx) {
      const limit = accounts.params(ctx).txSigLimit
      let count = 0
      for (const { pubKey } of tx.signatures) {
        count += pubKey === undefined ? 0 : countKeys(pubKey)
        if (BigInt(count) > limit) throw sdkErrors.tooManySignatures(`signatures: ${count}, limit: ${limit}`)
      }
      return undefined
    },
  }
}
