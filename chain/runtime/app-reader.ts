import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { QueryResult } from '@coin/engine/application'
import type { StateRead } from '@coin/store/kv'
import type { Proof } from '@coin/store/multi-store'
import type { Json } from '@coin/wire/json'
import { answerQuery, checkHeight, type QueryRequest, type QuerySources } from './abci-query.js'
import { type CheckRunOptions, type CheckState, runCheck } from './check-run.js'
import { paramsOf } from './consensus-params.js'
import { type BlockInfo, createRead, type Read } from './context.js'
import { GasMeter } from './gas.js'
import { exportGenesis } from './genesis.js'
import { checkInvariants, type InvariantCheck } from './invariants.js'
import type { Module } from './module.js'
import type { QueryRouter } from './query-router.js'
import { createSimulateModule, type Simulate } from './simulate.js'

/** Committed states, as the thread that commits them has them (`MultiStore`), or another one that follows it (`StateReads`). */
export interface CommittedStates {
  /** Of the last one; 0 before the first. */
  readonly height: number
  committed(): StateRead
  /** Throws `heightUnavailable`, naming those that are there. */
  at(height: number): StateRead
  prove(height: number, store: string, key: Bytes): Proof
}

export interface AppReaderOptions extends CheckRunOptions {
  readonly version: string
  /** All are in the routers already. */
  readonly modules: readonly Module[]
  readonly queries: QueryRouter
  readonly logger: Logger
  /** Gas that one query may use; unlimited when left out. */
  readonly queryGasLimit?: number
}

/** What the application is read from. */
export interface ReadSources {
  readonly states: CommittedStates
  /** The block after which a committed state holds. */
  blockAt(height: number): BlockInfo
  /** What a simulation runs on. What it writes is taken back. */
  simulationState(): CheckState
}

/** The application without what makes blocks: the same modules, methods and simulation, over any source of committed states. */
export interface AppReader {
  /** Every query method of the application. */
  readonly queries: QueryRouter
  /** Of the last committed state; 0 before the first block. */
  height(): number
  /** State at a committed height, 0 for the last, with its own gas meter. Throws for heights that are not there. */
  readAt(height: number): Read
  /** `abci_query`. Failures are in the result. */
  query(request: QueryRequest): QueryResult
  readonly simulate: Simulate
  /** `app_state` of a committed height, 0 for the last: what a new chain begins with. Throws for heights that are not there. */
  exportGenesis(height?: number): Readonly<Record<string, Json>>
  /** What every module says must always be true, at the last committed height. */
  checkInvariants(): readonly InvariantCheck[]
}

export function createAppReader(options: AppReaderOptions, sources: ReadSources): AppReader {
  const { queries, modules, version, logger } = options
  const { states } = sources
  const readAt = (asked: number): Read => {
    checkHeight(states, asked)
    const height = asked === 0 ? states.height : asked
    const state = height === states.height ? states.committed() : states.at(height)
    const gas = new GasMeter(options.queryGasLimit)
    const parts = {
      block: sources.blockAt(height),
      mode: 'query',
      consensusParams: paramsOf(options, state),
      gas,
    } as const
    return createRead(state, parts)
  }
  const simulate: Simulate = (bytes) => {
    const state = sources.simulationState()
    const mark = state.branch.mark()
    try {
      return runCheck(options, state, 'simulate', bytes)
    } finally {
      state.branch.revert(mark)
    }
  }
  queries.add(createSimulateModule(simulate))
  const storeNames = new Set(modules.flatMap((module) => module.stores ?? []))
  const querySources: QuerySources = { states, storeNames, queries, simulate, version, readAt, logger }
  return {
    queries,
    height: () => states.height,
    readAt,
    query: (request) => answerQuery(querySources, request),
    simulate,
    exportGenesis: (height = 0) => exportGenesis(readAt(height), modules),
    checkInvariants: () => checkInvariants(readAt(0), modules),
  }
}
