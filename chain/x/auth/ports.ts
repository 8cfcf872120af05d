import type { Bytes } from '@coin/base/bytes'
import type { Read, Write } from '@coin/runtime/context'
import type { Coins } from '@coin/wire/coins'

/** What messages that open vesting accounts need of bank. */
export interface BankPort {
  isBlocked(address: Bytes): boolean
  checkSendEnabled(ctx: Read, coins: Coins): void
  send(ctx: Write, from: Bytes, to: Bytes, coins: Coins): void
}
