import { requireSigner } from './signers.js'
import type { AnteAccounts, AnteStep } from './step.js'

/** So that no transaction runs twice; unordered ones have used their timeouts instead. */
export function incrementSequence(accounts: AnteAccounts): AnteStep {
  return {
    name: 'increment-sequence',
    run(ctx, tx) {
      if (tx.body.unordered) return undefined
      for (const [index, signer] of tx.signers.entries()) {
        const account = requireSigner(ctx, accounts, tx, index)
        accounts.set(ctx, signer, { ...account, sequence: account.sequence + 1n })
      }
      return undefined
    },
  }
}
