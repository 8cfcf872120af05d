import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { silentLogger } from '@coin/base/logger'
import { type BlockReads, createBlockStore } from '@coin/engine/embedded/block-store'
import type { ChainState } from '@coin/engine/embedded/chain-state'
import type { AppReader } from '@coin/runtime/app-reader'
import { emptyBlock } from '@coin/runtime/chain-state'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { openStateReads } from '@coin/store/state-reads'
import { formatDecCoins } from '@coin/wire/coins'
import type { NodeConfig } from '../config/node-config.js'
import { nodeErrors } from '../errors.js'
import { openAppReader } from '../open-app.js'
import { addressPrefix, denomOfGenesis, type readGenesisFile } from './genesis-file.js'
import { requireWholeDatabase } from './whole-database.js'

/** Blocks and state of a home folder as they are on disk, also while its node runs. Nothing is written. */
export interface StateView {
  readonly blocks: BlockReads
  /** What the next block is made from; undefined before the first start. */
  chainState(): ChainState | undefined
  readonly app: AppReader
  /** Heights whose state can be read, both inclusive. */
  readonly available: { readonly earliest: number; readonly latest: number }
  /** A query may not outlive the turn it begins in. */
  close(): Promise<void>
}

/** Throws `noState` when the node has not made a block yet, and `badFile` for a damaged database. */
export async function openStateView(
  config: NodeConfig,
  { genesis, json }: ReturnType<typeof readGenesisFile>,
): Promise<StateView> {
  const { dataDir } = config.home
  const files = { state: join(dataDir, 'state/values'), blocks: join(dataDir, 'blocks') }
  for (const path of Object.values(files)) {
    if (!existsSync(join(path, 'data.mdb'))) throw nodeErrors.noState(`${path} has no database: no block was made yet`)
    requireWholeDatabase(join(path, 'data.mdb'))
  }
  const state = openStateReads({ path: join(dataDir, 'state') })
  const db = openKvDatabase(files.blocks)
  const blocks = createBlockStore(db)
  const { chainId } = genesis
  const blockAt = (height: number) => ({
    ...emptyBlock(chainId),
    height,
    time: blocks.meta(height)?.header.time ?? 0n,
  })
  const settings = {
    dataDir,
    chainId,
    bech32Prefix: addressPrefix(config.bech32Prefix, json, config.home.genesis),
    denom: denomOfGenesis(json),
    minGasPrices: formatDecCoins(config.minimumGasPrices),
  }
  const app = openAppReader(settings, silentLogger, {
    states: {
      get height() {
        return state.refresh()
      },
      committed: () => state.committed(),
      at: (height) => state.at(height),
      prove() {
        throw nodeErrors.notBuilt('a proof needs the trees of the running node')
      },
    },
    blockAt,
    simulationState: () => ({ branch: state.branch(), block: blockAt(state.height) }),
  })
  state.refresh()
  return {
    blocks,
    chainState: () => blocks.loadState(),
    app,
    available: state.available(),
    async close() {
      await state.close()
      await db.close()
    },
  }
}
