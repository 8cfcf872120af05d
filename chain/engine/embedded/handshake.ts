import { bytesToHex, equalBytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { Application } from '../application.js'
import { engineErrors } from '../errors.js'
import type { Genesis } from '../genesis.js'
import { finalizeBlock } from './block-execution.js'
import type { BlockStore } from './block-store.js'
import { type ChainState, genesisState, stateAfter } from './chain-state.js'

export interface HandshakeDependencies {
  readonly app: Application
  readonly store: BlockStore
  readonly log: Logger
}

/**
 * Brings application, state and block store to one height after a start, whenever the process stopped before. A block is
 * stored before it is run, its results before the application commits, so the only gaps are:
 *
 * - the application is behind: stored blocks are run again (one after a crash, all of them with a fresh application);
 * - the state is one behind the block store: the last block was stored but its results were not.
 *
 * Throws `stateMismatch` for anything else, and when a block run again gives another app hash than the first time.
 */
export function handshake(genesis: Genesis, dependencies: HandshakeDependencies): ChainState {
  const { app, store, log } = dependencies
  const info = app.info()
  const stored = store.height()
  const saved = store.loadState()
  if (saved && saved.chainId !== genesis.chainId)
    throw engineErrors.stateMismatch(`genesis is of chain "${genesis.chainId}", the block store of "${saved.chainId}"`)
  if (info.lastHeight > stored)
    throw engineErrors.stateMismatch(
      `the application is at height ${info.lastHeight}, the block store at ${stored}: blocks are missing`,
    )
  if (stored > 0 && !saved) throw engineErrors.stateMismatch(`blocks up to height ${stored} are stored, but no state`)
  if (saved && stored - saved.lastHeight > 1 && saved.lastHeight > 0)
    throw engineErrors.stateMismatch(`the state is at height ${saved.lastHeight}, the block store at ${stored}`)

  const state = info.lastHeight === 0 ? initialize(genesis, saved, info.appVersion, dependencies) : saved!
  if (info.lastHeight > state.lastHeight)
    throw engineErrors.stateMismatch(
      `the application is at height ${info.lastHeight}, the results are stored up to ${state.lastHeight}`,
    )
  replayKnown(state, info.lastHeight, dependencies)
  const complete = stored > state.lastHeight ? finishLast(state, stored, dependencies) : state
  requireSameAppHash(app, complete)
  log.info({ height: complete.lastHeight, appHash: bytesToHex(complete.appHash) }, 'application and block store agree')
  return complete
}

/** InitChain. It leaves nothing on disk until the first block is committed, so a crash before that just repeats it. */
function initialize(
  genesis: Genesis,
  saved: ChainState | undefined,
  appVersion: bigint,
  { app, store, log }: HandshakeDependencies,
): ChainState {
  if (saved && saved.lastHeight > 0 && store.base() > saved.initialHeight)
    throw engineErrors.stateMismatch(
      `the application is empty, but blocks below height ${store.base()} have been pruned and cannot be run again`,
    )
  log.info(
    { chainId: genesis.chainId, initialHeight: genesis.initialHeight },
    'initializing the application from genesis',
  )
  const answer = app.initChain({
    time: genesis.time,
    chainId: genesis.chainId,
    consensusParams: genesis.consensusParams,
    validators: genesis.validators,
    appState: genesis.appState,
    initialHeight: genesis.initialHeight,
  })
  if (saved && saved.lastHeight > 0) return saved
  const state = genesisState(genesis, answer, appVersion)
  store.saveState(state, undefined)
  return state
}

/** Blocks from one line of the log to the next while known ones are run again. */
const toldBlocks = 500

/** Runs blocks whose results are known again, and compares what comes out with what the chain says. */
function replayKnown(state: ChainState, appHeight: number, { app, store, log }: HandshakeDependencies): void {
  const first = appHeight === 0 ? state.initialHeight : appHeight + 1
  for (let height = first; height <= state.lastHeight; height++) {
    const block = store.block(height)
    const meta = store.meta(height)
    if (!block || !meta) throw engineErrors.stateMismatch(`block ${height} has to be run again, but is not stored`)
    if ((height - first) % toldBlocks === 0) log.info({ height, last: state.lastHeight }, 'running stored blocks again')
    const { appHash } = finalizeBlock(app, block, meta.blockId, store.validators(height - 1))
    const expected = height === state.lastHeight ? state.appHash : store.meta(height + 1)?.header.appHash
    if (!expected || !equalBytes(appHash, expected))
      throw engineErrors.stateMismatch(
        `block ${height} gives app hash ${bytesToHex(appHash)}, the chain has ${expected && bytesToHex(expected)}: ` +
          'this is not the application that made these blocks, or it is not deterministic',
      )
    app.commit()
  }
}

function finishLast(state: ChainState, height: number, { app, store, log }: HandshakeDependencies): ChainState {
  const block = store.block(height)
  const meta = store.meta(height)
  if (!block || !meta) throw engineErrors.corruptStore(`block ${height} is not whole`)
  log.info({ height }, 'running the last stored block')
  const result = finalizeBlock(app, block, meta.blockId, state.lastValidators)
  const next = stateAfter(state, block.header, meta.blockId, block.txs.length, result)
  store.saveState(next, result)
  app.commit()
  return next
}

function requireSameAppHash(app: Application, state: ChainState): void {
  const { lastHeight, lastAppHash } = app.info()
  if (lastHeight === 0 && state.lastHeight === 0) return
  if (lastHeight === state.lastHeight && equalBytes(lastAppHash, state.appHash)) return
  throw engineErrors.stateMismatch(
    `the application is at height ${lastHeight} with app hash ${bytesToHex(lastAppHash)}, the chain at ` +
      `${state.lastHeight} with ${bytesToHex(state.appHash)}`,
  )
}
