import { assert } from '@coin/base/assert'
import { emptyBytes } from '@coin/base/bytes'
import type { TimeNs } from '@coin/engine/application'
import type { Mark, StateBranch } from '@coin/store/kv'
import type { MultiStore } from '@coin/store/multi-store'
import type { BlockInfo } from './context.js'

/** Where the node finds the header time of an older block; `undefined` when it has none. */
export type BlockTime = (height: number) => TimeNs | undefined

/**
 * Which uncommitted changes are in force: the block's (from finalizeBlock to commit) and the mempool's (from commit to commit,
 * so that a second transaction of an account sees the first).
 *
 * Between InitChain and the first block there is one branch for both: the mempool's part lies on top and is taken back.
 */
export interface ChainState {
  readonly chainId: string
  /** What the mempool's checks and simulations run on, and the block they believe to be in. */
  check(): { readonly branch: StateBranch; readonly block: BlockInfo }
  /** Starts at genesis. */
  openGenesis(block: BlockInfo): StateBranch
  /** From here on the mempool sees the genesis. */
  closeGenesis(block: BlockInfo): void
  /** The branch of a block to be executed. A block that was executed and not committed is forgotten. */
  open(block: BlockInfo): StateBranch
  /** Executed, waiting for commit. */
  stage(): Uint8Array
  commit(): BlockInfo
  /** For reads of a committed height. */
  blockAt(height: number): BlockInfo
}

/** Header times that are kept for reads of recent heights, when the node knows none. */
const timesMax = 1000

export function createChainState(store: MultiStore, chainId: string, blockTime: BlockTime): ChainState {
  let genesis: { readonly branch: StateBranch; readonly mark: Mark; readonly block: BlockInfo } | undefined
  let current: { readonly branch: StateBranch; readonly block: BlockInfo } | undefined
  let check: { readonly branch: StateBranch; readonly block: BlockInfo } | undefined
  const times = new Map<number, TimeNs>()

  const blockAt = (height: number): BlockInfo => ({
    ...emptyBlock(chainId),
    height,
    time: times.get(height) ?? blockTime(height) ?? 0n,
  })

  return {
    chainId,
    blockAt,
    check() {
      if (check === undefined && genesis !== undefined) check = genesis
      check ??= { branch: store.branch(), block: blockAt(store.height) }
      return check
    },
    openGenesis(block) {
      current = { branch: store.branch(), block }
      return current.branch
    },
    closeGenesis(block) {
      assert(current !== undefined, 'no genesis to close')
      genesis = { branch: current.branch, mark: current.branch.mark(), block }
      current = undefined
      check = undefined
    },
    open(block) {
      if (genesis === undefined) current = { branch: store.branch(), block }
      else {
        genesis.branch.revert(genesis.mark)
        current = { branch: genesis.branch, block }
        check = undefined
      }
      return current.branch
    },
    stage() {
      assert(current !== undefined, 'no executed block to stage')
      return store.stage(current.branch, current.block.height)
    },
    commit() {
      assert(current !== undefined, 'no executed block to commit')
      const { block } = current
      store.commit()
      times.set(block.height, block.time)
      times.delete(block.height - timesMax)
      genesis = undefined
      current = undefined
      check = undefined
      return block
    },
  }
}

export function emptyBlock(chainId: string): BlockInfo {
  const none = { hash: emptyBytes, proposerAddress: emptyBytes, lastCommit: [], misbehavior: [] }
  return { chainId, height: 0, time: 0n, ...none }
}
