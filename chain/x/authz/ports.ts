import type { Bytes } from '@coin/base/bytes'
import type { Account } from '@coin/runtime/account'
import type { Read, Write } from '@coin/runtime/context'

/** What authz needs of auth. */
export interface AccountsPort {
  get(ctx: Read, address: Bytes): Account | undefined
  create(ctx: Write, address: Bytes): Account
}

/** What authz needs of bank. */
export interface BankPort {
  isBlocked(address: Bytes): boolean
}
