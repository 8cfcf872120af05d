import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { storeNames } from '@coin/app/app'
import { assert } from '@coin/base/assert'
import { emptyBytes } from '@coin/base/bytes'
import type { Clock } from '@coin/base/clock'
import type { Logger } from '@coin/base/logger'
import type { SignatureJob, TxResult } from '@coin/engine/application'
import {
  type CommittedBlock,
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EngineOptions,
} from '@coin/engine/embedded/engine'
import type { Measure } from '@coin/engine/embedded/mempool'
import type { Timer } from '@coin/engine/embedded/pacemaker'
import type { SignStatePort } from '@coin/engine/embedded/signer'
import { mempoolErrors } from '@coin/engine/errors'
import type { Genesis } from '@coin/engine/genesis'
import type { NodeApplication } from '@coin/runtime/application'
import { openMultiStore, type StoreMeasure } from '@coin/store/disk-multi-store'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import type { MultiStore } from '@coin/store/multi-store'
import type { AppSettings } from './app-settings.js'
import { createClosing } from './closing.js'
import { requireUsableDatabases } from './home/whole-database.js'
import { appSettingsOf, given, openApp } from './open-app.js'
import { createSignaturePool } from './signatures/signature-pool.js'

export interface ChainSettings extends Omit<AppSettings, 'chainId'> {
  /** Folder of everything that the chain keeps; made when it is not there. */
  readonly dataDir: string
  readonly genesis: Genesis
  readonly engine: EngineOptions
  /** Blocks whose state can be read behind the last one. */
  readonly historyBlocks?: number
  /** 0 keeps every block. */
  readonly minRetainBlocks?: number
  /** Of the validator: ed25519, the seed of 32 bytes or Go's 64. */
  readonly privateKey: Uint8Array
  readonly signState: SignStatePort
}

export interface ChainDependencies {
  readonly logger: Logger
  /** The chain cannot go on; called once. */
  onHalt(error: Error): void
  /** Take the time of the engine's and the store's stages. */
  readonly measure?: Measure
  readonly storeMeasure?: StoreMeasure
}

/** State machine and engine on one folder: everything that makes blocks, and no door to the outside. */
export interface Chain {
  readonly app: NodeApplication
  readonly engine: EmbeddedEngine
  readonly store: MultiStore
  /** Ends block production and closes the files. Resolves when everything is on disk. */
  close(): Promise<void>
}

export const systemClock: Clock = { nowNs: () => BigInt(Date.now()) * 1_000_000n }

const systemTimer: Timer = (delayMs, callback) => {
  const handle = delayMs > 0 ? setTimeout(callback, delayMs) : setImmediate(callback)
  return () => (delayMs > 0 ? clearTimeout(handle as NodeJS.Timeout) : clearImmediate(handle as NodeJS.Immediate))
}

/**
 * Opens the chain where it stopped, or begins it from genesis. Blocks are made from `chain.engine.start()` on. Throws the store's
 * and the engine's typed errors, and `badFile` for a database that is damaged; then nothing is left open.
 */
export async function openChain(settings: ChainSettings, dependencies: ChainDependencies): Promise<Chain> {
  const { dataDir, genesis } = settings
  const { logger } = dependencies
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  requireUsableDatabases([join(dataDir, 'state/values'), join(dataDir, 'blocks')])
  const closing = createClosing()
  let isClosing = false
  const closeAll = () => {
    isClosing = true
    return closing.closeAll()
  }
  try {
    let engine: EmbeddedEngine | undefined
    const halt = (error: Error) => {
      engine?.stop()
      if (isClosing) logger.warn({ error: error.message }, 'a part of the chain failed while it was closed')
      else dependencies.onHalt(error)
    }
    const store = openMultiStore({
      path: join(dataDir, 'state'),
      stores: storeNames,
      logger,
      onFailure: halt,
      ...given({ historyBlocks: settings.historyBlocks, measure: dependencies.storeMeasure }),
    })
    closing.add(() => store.close())
    const db = openKvDatabase(join(dataDir, 'blocks'))
    closing.add(() => db.close())
    const pool = createSignaturePool()
    closing.add(() => pool.close())
    const app = openApp(appSettingsOf(settings), {
      store,
      logger,
      blockTime: (height) => engine?.blocks.meta(height)?.header.time,
      ...given({ minRetainBlocks: settings.minRetainBlocks }),
    })
    engine = createEmbeddedEngine(settings.engine, {
      // Transactions that wait for their check when the files are closed are not checked any more.
      app: { ...app, checkTx: (tx, kind) => (isClosing ? notChecked : app.checkTx(tx, kind)) },
      genesis,
      db,
      privateKey: settings.privateKey,
      signState: settings.signState,
      clock: systemClock,
      timer: systemTimer,
      log: logger,
      onHalt: halt,
      preverify: async (txs) => (isClosing ? undefined : preverify(app, txs, pool.verify)),
      pause: nextTurn,
      ...given({ measure: dependencies.measure }),
    })
    const opened = engine
    opened.onBlock((committed) => logBlock(logger, committed))
    closing.add(async () => opened.stop())
    return { app, engine, store, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** One line a block: an operator sees that the chain goes on, and what it did. */
function logBlock(logger: Logger, { block: { header, txs }, results: { txResults } }: CommittedBlock): void {
  const failed = txResults.filter(({ code }) => code !== 0).length
  const gas = txResults.reduce((sum, { gasUsed }) => sum + gasUsed, 0)
  logger.info({ height: header.height, txs: txs.length, ...(txs.length > 0 && { failed, gas }) }, 'committed block')
}

const notChecked: TxResult = {
  code: mempoolErrors.halted.code,
  codespace: 'mempool',
  data: emptyBytes,
  log: 'the node is stopping',
  info: '',
  gasWanted: 0,
  gasUsed: 0,
  events: [],
}

/** When everything else that is due has had its turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Has the workers check the signatures of new transactions and tells the application's cache. */
async function preverify(
  app: Pick<NodeApplication, 'signatureJobs' | 'signatures'>,
  txs: readonly Uint8Array[],
  verify: (jobs: readonly SignatureJob[]) => Promise<readonly boolean[]>,
): Promise<void> {
  const jobs = txs.flatMap((tx) => app.signatureJobs(tx)).filter((job) => !app.signatures.has(job))
  const verdicts = await verify(jobs)
  assert(verdicts.length === jobs.length, 'the signature pool answers every job')
  for (const [index, job] of jobs.entries()) app.signatures.put(job, verdicts[index]!)
}
