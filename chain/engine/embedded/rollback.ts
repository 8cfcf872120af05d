import type { KvDatabase } from '@coin/store/kv-database'
import { engineErrors } from '../errors.js'
import { type BlockStore, createBlockStore } from './block-store.js'
import type { ChainState } from './chain-state.js'

/** Where the chain stands after going back. */
export interface RolledBack {
  /** Of the last block whose results are kept; the application must be there too. */
  readonly height: number
  readonly appHash: Uint8Array
  /** Of the last block that is stored. */
  readonly stored: number
}

/** Height that {@link rollbackChain} would go back to. Throws `stateMismatch` as it does. */
export function rollbackTarget(db: KvDatabase): number {
  const { state, stored } = load(createBlockStore(db))
  return stored > state.lastHeight ? state.lastHeight : state.lastHeight - 1
}

/**
 * Forgets the results of the last block, so that it is run again at the next start, as CometBFT's rollback does; with `removeBlock`
 * the block itself, so that another one is made. A last block that has no results yet is as good as rolled back. Throws
 * `stateMismatch` for a chain of no or one block, and has changed nothing.
 */
export function rollbackChain(db: KvDatabase, removeBlock: boolean): RolledBack {
  const store = createBlockStore(db)
  const { state, stored } = load(store)
  const before = stored > state.lastHeight ? state : stateBefore(store, state)
  if (before !== state) store.saveState(before, undefined)
  if (removeBlock) store.removeLast()
  return { height: before.lastHeight, appHash: before.appHash, stored: store.height() }
}

function load(store: BlockStore): { readonly state: ChainState; readonly stored: number } {
  const state = store.loadState()
  const stored = store.height()
  const last = state?.lastHeight ?? 0
  if (state === undefined || stored === 0) throw engineErrors.stateMismatch('there is no block to go back from')
  if (stored < last || stored > last + 1)
    throw engineErrors.stateMismatch(`the state is at height ${last}, the block store at ${stored}`)
  if (stored === last && last <= state.initialHeight)
    throw engineErrors.stateMismatch(`block ${last} is the first: before it is the genesis, so remove the data folder`)
  return { state, stored }
}

/** The state before the last block, out of what its header says. */
function stateBefore(store: BlockStore, state: ChainState): ChainState {
  const height = state.lastHeight
  const last = store.meta(height)
  const before = store.meta(height - 1)
  const sets = [height - 1, height, height + 1].map((at) => store.validators(at))
  const [lastValidators, validators, nextValidators] = sets
  const consensusParams = store.consensusParams(height)
  if (!last || !before || !lastValidators || !validators || !nextValidators || !consensusParams)
    throw engineErrors.stateMismatch(`block ${height - 1} is not kept any more (pruned up to ${store.base()})`)
  const { header } = last
  return {
    ...state,
    lastHeight: height - 1,
    lastBlockId: header.lastBlockId,
    lastBlockTime: before.header.time,
    lastValidators,
    validators,
    nextValidators,
    consensusParams,
    appVersion: header.version.app,
    lastResultsHash: header.lastResultsHash,
    appHash: header.appHash,
  }
}
