import type { Bytes } from '@coin/base/bytes'
import type { Account } from '@coin/runtime/account'
import type { Read, Write } from '@coin/runtime/context'
import type { Coins } from '@coin/wire/coins'

/** What bank needs of auth. */
export interface AccountsPort {
  get(ctx: Read, address: Bytes): Account | undefined
  has(ctx: Read, address: Bytes): boolean
  create(ctx: Write, address: Bytes): Account
  /** What a vesting account may not spend at the block's time. */
  locked(ctx: Read, address: Bytes): Coins
  /** False when the account does not exist. */
  trackDelegation(ctx: Write, address: Bytes, balance: Coins, amount: Coins): boolean
  trackUndelegation(ctx: Write, address: Bytes, amount: Coins): boolean
  moduleAddress(name: string): Bytes | undefined
  moduleAccount(ctx: Write, name: string): { readonly address: Bytes; readonly account: Account }
}
