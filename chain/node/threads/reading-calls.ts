import type { Bytes } from '@coin/base/bytes'
import type { MultiStore, ProofPath } from '@coin/store/multi-store'
import type { PendingValue } from '@coin/store/state-reads'
import type { ReaderPoolOptions } from '../readers/reader-pool.js'
import type { Caller, ThreadApi } from './calls.js'

/** What the readers of the state need of the thread that makes blocks: the mempool's changes, the trees' part of proofs. */
export type ReadingApi = {
  pendingFor(tx: Bytes): Promise<readonly PendingValue[]>
  provePath(of: { readonly height: number; readonly store: string; readonly key: Bytes }): ProofPath
}

export function readingApi(
  pendingFor: ReaderPoolOptions['pendingFor'],
  store: Pick<MultiStore, 'provePath'>,
): ReadingApi & ThreadApi {
  return { pendingFor, provePath: (of) => store.provePath(of.height, of.store, of.key) }
}

export function readingOver({
  call,
}: Pick<Caller<ReadingApi>, 'call'>): Pick<ReaderPoolOptions, 'pendingFor' | 'provePath'> {
  return {
    pendingFor: (tx) => call('pendingFor', tx),
    provePath: (height, store, key) => call('provePath', { height, store, key }),
  }
}
