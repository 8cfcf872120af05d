import type { Bytes } from '@coin/base/bytes'
import type { Account } from '@coin/runtime/account'
import type { Read, Write } from '@coin/runtime/context'
import type { Coins } from '@coin/wire/coins'

/** What wasm needs of auth. */
export interface AccountsPort {
  get(ctx: Read, address: Bytes): Account | undefined
  /** In the place of one that is there, with a number of its own. */
  create(ctx: Write, address: Bytes): Account
}

/** What wasm needs of bank. */
export interface BankPort {
  balanceOf(ctx: Read, holder: Bytes, denom: string): bigint
  balancesOf(ctx: Read, holder: Bytes): Coins
  supplyOf(ctx: Read, denom: string): bigint
  isBlocked(address: Bytes): boolean
  checkSendEnabled(ctx: Read, coins: Coins): void
  send(ctx: Write, from: Bytes, to: Bytes, coins: Coins): void
  sendToModule(ctx: Write, from: Bytes, module: string, coins: Coins): void
  /** The module's account needs the `burner` permission. */
  burn(ctx: Write, module: string, coins: Coins): void
}
