import type { Module } from '@coin/runtime/module'
import { createAuthGenesis } from './genesis.js'
import type { AuthKeeper } from './keeper.js'
import { createAuthQueries } from './queries.js'
import { authStore } from './state.js'

export function createAuthModule(keeper: AuthKeeper): Module {
  return {
    name: 'auth',
    stores: [authStore],
    queries: createAuthQueries(keeper),
    genesis: createAuthGenesis(keeper),
    ...(keeper.unordered === undefined ? {} : { preBlock: keeper.removeExpiredNonces }),
  }
}
