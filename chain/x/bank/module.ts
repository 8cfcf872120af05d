import type { Module } from '@coin/runtime/module'
import { bankAuthorizations } from './authorization.js'
import { createBankGenesis } from './genesis.js'
import { bankInvariants } from './invariants.js'
import type { BankKeeper } from './keeper.js'
import { createBankMsgs } from './msgs.js'
import { createBankQueries } from './queries.js'
import { bankStore } from './state.js'

export function createBankModule(keeper: BankKeeper): Module {
  return {
    name: 'bank',
    stores: [bankStore],
    msgs: createBankMsgs(keeper),
    queries: createBankQueries(keeper),
    authorizations: bankAuthorizations,
    genesis: createBankGenesis(keeper),
    invariants: bankInvariants,
  }
}
