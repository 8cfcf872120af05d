import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Write } from '@coin/runtime/context'
import { GasMeter } from '@coin/runtime/gas'
import { errors } from './errors.js'
import type { AccountsPort, BankPort } from './ports.js'

/** Whose account burns what was locked at a contract's address. */
const wasmModule = 'wasm'

/**
 * The account of a contract that is made now. One that somebody sent coins to beforehand becomes the contract's; one that has signed
 * may not. A vesting account, which nobody but a stranger can have put there, is replaced, and the coins of its denoms are burnt: they
 * could be locked for ever, or become free by it.
 */
export function openContractAccount(ctx: Write, address: Bytes, accounts: AccountsPort, bank: BankPort): void {
  const existing = accounts.get(ctx, address)
  if (existing === undefined) {
    accounts.create(ctx, address)
    return
  }
  const claimed = () => errors.accountExists('address is claimed by external account')
  const { sequence, pubKey, module, vesting } = existing
  if (sequence !== 0n || pubKey !== undefined) throw claimed()
  if (module === undefined && vesting === undefined) return
  accounts.create(ctx, address)
  if (vesting === undefined || vesting.kind === 'base') throw claimed()
  const free = ctx.with({ gas: new GasMeter() })
  const coins = vesting.original.map(({ denom }) => ({ denom, amount: bank.balanceOf(free, address, denom) }))
  try {
    bank.sendToModule(free, address, wasmModule, coins)
  } catch (error) {
    // One of its denoms is gone: wasmd fails at the zero.
    throw error instanceof CodedError ? error.wrap('prune account balance').wrap('prune balance') : error
  }
  bank.burn(free, wasmModule, coins)
}
