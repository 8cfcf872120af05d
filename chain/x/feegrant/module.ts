import type { Module } from '@coin/runtime/module'
import { createFeegrantGenesis } from './genesis.js'
import { feegrantInvariants } from './invariants.js'
import type { FeegrantKeeper } from './keeper.js'
import { createFeegrantMsgs } from './msgs.js'
import { createFeegrantQueries } from './queries.js'
import { feegrantStore } from './state.js'

/** Grants that one block removes at most. */
const prunedPerBlock = 200

export function createFeegrantModule(keeper: FeegrantKeeper): Module {
  return {
    name: 'feegrant',
    stores: [feegrantStore],
    msgs: createFeegrantMsgs(keeper),
    queries: createFeegrantQueries(keeper),
    genesis: createFeegrantGenesis(keeper),
    endBlock(ctx) {
      keeper.prune(ctx, prunedPerBlock)
      return undefined
    },
    invariants: feegrantInvariants(keeper.addresses),
  }
}
