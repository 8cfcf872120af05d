import type { Module } from '@coin/runtime/module'
import { authzAuthorizations } from './generic.js'
import { createAuthzGenesis } from './genesis.js'
import { removeEnded } from './grant-queue.js'
import { authzInvariants } from './invariants.js'
import type { AuthzKeeper } from './keeper.js'
import { createAuthzMsgs } from './msgs.js'
import { createAuthzQueries } from './queries.js'
import { authzStore } from './state.js'

export function createAuthzModule(keeper: AuthzKeeper): Module {
  return {
    name: 'authz',
    stores: [authzStore],
    msgs: createAuthzMsgs(keeper),
    queries: createAuthzQueries(keeper),
    authorizations: authzAuthorizations,
    genesis: createAuthzGenesis(keeper),
    beginBlock: removeEnded,
    invariants: authzInvariants(keeper),
  }
}
