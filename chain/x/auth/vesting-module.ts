import type { Module } from '@coin/runtime/module'
import type { AuthKeeper } from './keeper.js'
import type { BankPort } from './ports.js'
import { createVestingMsgs } from './vesting-msgs.js'

/** Messages only: the accounts they open are auth's. */
export function createVestingModule(auth: AuthKeeper, bank: BankPort): Module {
  return { name: 'vesting', msgs: createVestingMsgs(auth, bank) }
}
