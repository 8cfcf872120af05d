import { assert } from '@coin/base/assert'
import type { Account } from '../account.js'
import type { Read } from '../context.js'
import { sdkErrors } from '../errors.js'
import type { Tx } from '../tx.js'
import type { AnteAccounts } from './step.js'

/** The account that must sign at `index`. Throws `unknownAddress` when it does not exist. */
export function requireSigner(ctx: Read, accounts: AnteAccounts, tx: Tx, index: number): Account {
  const address = tx.signers[index]
  assert(address !== undefined, `no signer at index ${index}`)
  const account = accounts.get(ctx, address)
  if (account === undefined) throw sdkErrors.unknownAddress(`account ${tx.signerTexts[index]} does not exist`)
  return account
}

/** What a transaction gets that brings more or fewer signatures than it needs. */
export function signerCount(expected: number, found: number) {
  return sdkErrors.unauthorized(`invalid number of signer;  expected: ${expected}, got ${found}`)
}
