import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { ProofPath } from '@coin/store/multi-store'
import type { PendingValue } from '@coin/store/state-reads'
import type { AppSettings } from '../app-settings.js'
import type { AppQueries } from '../ports.js'

export interface ReaderPoolOptions {
  readonly app: AppSettings
  readonly logger: Logger
  /** The last block that clients are told of; the readers have it or a later one. 0 before the first. */
  height(): number
  /**
   * What the transactions that wait in the mempool have changed of that which this one will read, once the state that they stand
   * upon can be read by other threads: see `createPending`. The thread that makes blocks knows.
   */
  pendingFor(tx: Bytes): Promise<readonly PendingValue[]>
  /** `MultiStore.provePath` of the thread that makes blocks; only asked for stores that are mounted. */
  provePath(height: number, store: string, key: Bytes): Promise<ProofPath>
  /** Threads. Default: one a core, at least two. */
  readonly readers?: number
  /** How long one query may wait for a reader, and then how long it may run. Default 10 s. */
  readonly deadlineMs?: number
  /** Queries that may wait for a reader. Default 10,000. */
  readonly waitingMax?: number
  /** How long queries that run may go on when the pool is closed. Default 1 s. */
  readonly closeMs?: number
}

/**
 * The application in threads of its own. Besides what `AppQueries` says, queries fail with `deadlineExceeded` when they take too long,
 * and with `unavailable` when too many wait or the pool is closed.
 */
export interface ReaderPool extends AppQueries {
  close(): Promise<void>
}

/** Resolves when the first reader answers; rejects, with nothing left open, when it cannot. */
export type CreateReaderPool = (options: ReaderPoolOptions) => Promise<ReaderPool>
