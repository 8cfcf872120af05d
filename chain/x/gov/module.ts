import type { Module } from '@coin/runtime/module'
import { createGovGenesis } from './genesis.js'
import type { AccountsPort } from './ports.js'
import { govQueries } from './queries.js'
import { govStore } from './state.js'

export function createGovModule({ accounts, denom }: { accounts: AccountsPort; denom: string }): Module {
  return { name: 'gov', stores: [govStore], queries: govQueries, genesis: createGovGenesis(accounts, denom) }
}
