import type { Account } from '@coin/runtime/account'
import type { Write } from '@coin/runtime/context'
import { genesisErrors } from '@coin/runtime/errors'
import { type Genesis, onGenesis } from '@coin/runtime/module'
import type { GenesisState } from '@coin/wire/gen/cosmos/auth/v1beta1/genesis'
import { accountFromAny, accountToAny } from './account-value.js'
import { checkAccount } from './genesis-account.js'
import type { AuthKeeper } from './keeper.js'
import { checkParams, paramsDefault } from './params.js'
import { accounts, nextAccountNumber, params } from './state.js'

/** Whose account collects transaction fees until they are distributed. */
export const feeCollector = 'fee_collector'

export function createAuthGenesis(keeper: AuthKeeper): Genesis {
  return onGenesis<GenesisState>({
    type: 'cosmos.auth.v1beta1.GenesisState',
    default: () => ({ params: paramsDefault, accounts: [] }),
    init(ctx, state) {
      checkParams(state.params)
      params.set(ctx, state.params)
      initAccounts(ctx, keeper, state.accounts.map(accountFromAny))
      checkModuleAccounts(ctx, keeper)
      keeper.moduleAccount(ctx, feeCollector)
      return undefined
    },
    export: (ctx) => ({
      params: keeper.params(ctx),
      accounts: [...accounts.entries(ctx)].map(([, account]) => accountToAny(account)),
    }),
  })
}

/** Accounts in the order of their numbers; the next free number ends up behind the highest one. */
function initAccounts(ctx: Write, keeper: AuthKeeper, given: readonly Account[]): void {
  const seen = new Set<string>()
  let last: bigint | undefined
  for (const account of numberAccounts(given)) {
    checkAccount(account, keeper.addresses)
    if (seen.has(account.address)) throw genesisErrors.invalid(`account ${account.address} is given twice`)
    seen.add(account.address)
    while (last === undefined || last < account.accountNumber) last = nextAccountNumber.next(ctx)
    keeper.set(ctx, keeper.addresses.decode(account.address), account)
  }
}

/** The reference panics as soon as it uses an account that has a module's address and is not the module's. */
function checkModuleAccounts(ctx: Write, keeper: AuthKeeper): void {
  for (const name of keeper.moduleNames) {
    const account = keeper.get(ctx, keeper.moduleAddress(name)!)
    if (account !== undefined && account.module === undefined)
      throw genesisErrors.invalid(
        `account ${account.address} has the address of module ${name}, expected a ModuleAccount there, or none`,
      )
  }
}

/** Gives accounts whose number is taken (usually all have 0) the lowest free ones, as the SDK does, and sorts by number. */
function numberAccounts(given: readonly Account[]): Account[] {
  const taken = new Set<bigint>()
  const again: { readonly at: number; readonly number: bigint }[] = []
  for (const [at, { accountNumber: number }] of given.entries()) {
    if (taken.has(number)) again.push({ at, number })
    else taken.add(number)
  }
  again.sort((a, b) => (a.number < b.number ? -1 : a.number > b.number ? 1 : a.at - b.at))
  const numbered = [...given]
  let free = 0n
  for (const { at } of again) {
    while (taken.has(free)) free++
    taken.add(free)
    numbered[at] = { ...given[at]!, accountNumber: free }
  }
  return numbered.sort((a, b) => (a.accountNumber < b.accountNumber ? -1 : a.accountNumber > b.accountNumber ? 1 : 0))
}
