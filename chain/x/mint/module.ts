import type { Module } from '@coin/runtime/module'
import { createMintGenesis } from './genesis.js'
import type { AccountsPort } from './ports.js'
import { mintQueries } from './queries.js'
import { mintStore } from './state.js'

export function createMintModule({ accounts, denom }: { accounts: AccountsPort; denom: string }): Module {
  return { name: 'mint', stores: [mintStore], queries: mintQueries, genesis: createMintGenesis(accounts, denom) }
}
