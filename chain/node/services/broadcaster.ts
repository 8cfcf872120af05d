import type { MempoolReads } from '@coin/engine/embedded/mempool'
import type { Broadcaster } from '../ports.js'

/** The mempool in this process as the doors see it. */
export function createBroadcaster(mempool: Pick<MempoolReads, 'submit'>): Broadcaster {
  return {
    async sync(tx) {
      const { hash, checked } = mempool.submit(tx)
      return { hash, checked: await checked }
    },
    async: (tx) => mempool.submit(tx).hash,
  }
}
