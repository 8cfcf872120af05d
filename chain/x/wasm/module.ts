import type { Module } from '@coin/runtime/module'
import { wasmAuthorizations } from './authorizations.js'
import { createWasmGenesis } from './genesis.js'
import type { WasmKeeper } from './keeper.js'
import { createWasmMsgs } from './msgs.js'
import { createAuthorityMsgs } from './msgs-authority.js'
import { createWasmQueries } from './queries.js'
import { wasmStore } from './state.js'

export function createWasmModule(keeper: WasmKeeper): Module {
  let isPinned = false
  return {
    name: 'wasm',
    stores: [wasmStore],
    msgs: { ...createWasmMsgs(keeper), ...createAuthorityMsgs(keeper) },
    queries: createWasmQueries(keeper),
    authorizations: wasmAuthorizations(keeper.addresses),
    genesis: createWasmGenesis(keeper),
    /** After a start: pinned codes are compiled before they are needed. Changes nothing in the state. */
    beginBlock(ctx) {
      if (!isPinned) keeper.codes.loadPinned(ctx)
      isPinned = true
    },
  }
}
