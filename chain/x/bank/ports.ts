import type { Bytes } from '@coin/base/bytes'
import type { Account } from '@coin/runtime/account'
import type { Read, Write } from '@coin/runtime/context'

/** What bank needs of auth. */
export interface AccountsPort {
  get(ctx: Read, address: Bytes): Account | undefined
  has(ctx: Read, address: Bytes): boolean
  create(ctx: Write, address: Bytes): Account
  moduleAddress(name: string): Bytes | undefined
  moduleAccount(ctx: Write, name: string): { readonly address: Bytes; readonly account: Account }
}
