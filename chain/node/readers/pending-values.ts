import type { Bytes } from '@coin/base/bytes'
import type { NodeApplication } from '@coin/runtime/application'
import { status } from '@coin/runtime/status'
import type { MultiStore } from '@coin/store/multi-store'
import type { PendingValue } from '@coin/store/state-reads'
import { writtenUpTo } from '../threads/written.js'

/** A transaction that no mempool takes is not simulated: decoding one of ten megabytes would hold up a block for more than a second. */
const txBytesMaxDefault = 1_048_576

/**
 * `pendingFor` of the reader pool, in the thread that makes blocks. It answers when other threads can read the state that the values
 * lie upon: otherwise a client that has just been told of its transaction's block could simulate the next one on the state before. Throws
 * `invalidArgument` for a transaction of more than `txBytesMax` bytes.
 */
export function createPendingFor(
  app: Pick<NodeApplication, 'pendingFor'>,
  store: Pick<MultiStore, 'height' | 'written' | 'onWritten'>,
  txBytesMax = txBytesMaxDefault,
): (tx: Bytes) => Promise<readonly PendingValue[]> {
  return async (tx) => {
    if (tx.length > txBytesMax)
      throw status('invalidArgument', `the transaction has ${tx.length} bytes, this node takes at most ${txBytesMax}`)
    const pending = app.pendingFor(tx)
    await writtenUpTo(store, store.height)
    return pending
  }
}
