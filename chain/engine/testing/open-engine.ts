import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { type KvDatabase, memoryKvDatabase } from '@coin/store/kv-database'
import { ed25519PublicKey } from '@coin/wire/ed25519'
import type { Application } from '../application.js'
import { validatorAddress } from '../comet/validator-set.js'
import {
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EngineDependencies,
  type EngineOptions,
} from '../embedded/engine.js'
import { memorySignState, type SignStatePort } from '../embedded/signer.js'
import { defaultConsensusParams, type Genesis } from '../genesis.js'
import { type SimulatedTime, simulateTime } from './simulated-time.js'
import { createTally, emptyTallyDisk, type TallyDisk } from './tally-application.js'

export const testKey: Bytes = new Uint8Array(32).fill(7)
const pubKey = ed25519PublicKey(testKey)

export const testGenesis: Genesis = {
  chainId: 'tally-1',
  time: 1_700_000_000_000_000_000n,
  initialHeight: 1,
  consensusParams: defaultConsensusParams,
  validators: [{ address: validatorAddress('ed25519', pubKey), keyType: 'ed25519', pubKey, power: 10n, name: 'one' }],
  appHash: new Uint8Array(0),
  appState: utf8ToBytes('{}'),
}

export const testOptions: EngineOptions = { blockTimeMs: 1000, blockAtOnce: false, createEmptyBlocks: true }

/** What survives the process. */
export interface Disks {
  readonly db: KvDatabase
  readonly signState: SignStatePort
  readonly tally: TallyDisk
}

export function emptyDisks(): Disks {
  return { db: memoryKvDatabase(), signState: memorySignState(), tally: emptyTallyDisk() }
}

export interface OpenEngine {
  readonly engine: EmbeddedEngine
  readonly time: SimulatedTime
  readonly app: Application
  readonly halts: Error[]
  /** Submits a transaction of the tally and waits for its check. */
  send(text: string): Promise<number>
}

/** An engine with the tally application, memory disks and simulated time. */
export function openEngine(
  changes: {
    readonly disks?: Disks
    readonly genesis?: Partial<Genesis>
    readonly options?: Partial<EngineOptions>
    readonly dependencies?: Partial<EngineDependencies>
    readonly time?: SimulatedTime
  } = {},
): OpenEngine {
  const disks = changes.disks ?? emptyDisks()
  const genesis = { ...testGenesis, ...changes.genesis }
  const time = changes.time ?? simulateTime(genesis.time)
  const halts: Error[] = []
  const app = changes.dependencies?.app ?? createTally(disks.tally)
  const engine = createEmbeddedEngine(
    { ...testOptions, ...changes.options },
    {
      app,
      genesis,
      db: disks.db,
      privateKey: testKey,
      signState: disks.signState,
      clock: time.clock,
      timer: time.timer,
      log: silentLogger,
      onHalt: (error) => halts.push(error),
      ...changes.dependencies,
    },
  )
  return {
    engine,
    time,
    app,
    halts,
    send: async (text) => (await engine.mempool.submit(utf8ToBytes(text)).checked).code,
  }
}
