import type { Application } from '@coin/engine/application'
import type { MempoolReads } from '@coin/engine/embedded/mempool'
import type { Consensus } from '../ports.js'

/** Mempool and application of this thread as the doors see them. */
export function createConsensus(mempool: MempoolReads, app: Pick<Application, 'checkTx' | 'info'>): Consensus {
  return {
    async sync(tx) {
      const { hash, checked } = mempool.submit(tx)
      return { hash, checked: await checked }
    },
    async: (tx) => mempool.submit(tx).hash,
    areWaiting: (hashes) => ({ height: app.info().lastHeight, waiting: hashes.map((hash) => mempool.has(hash)) }),
    mempool: (limit) => ({ txs: mempool.list(limit), count: mempool.size(), bytes: mempool.sizeBytes() }),
    checkTx: (tx) => app.checkTx(tx, 'new'),
    info: () => app.info(),
  }
}
