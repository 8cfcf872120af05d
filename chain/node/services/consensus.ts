import type { Application } from '@coin/engine/application'
import type { EmbeddedEngine } from '@coin/engine/embedded/engine'
import type { Consensus } from '../ports.js'

/** Engine and application of this thread as the doors see them. */
export function createConsensus(
  engine: Pick<EmbeddedEngine, 'mempool' | 'round' | 'addEvidence' | 'flushMempool'>,
  app: Pick<Application, 'checkTx' | 'info'>,
): Consensus {
  const { mempool } = engine
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
    round: () => engine.round(),
    addEvidence: (evidence) => engine.addEvidence(evidence),
    flushMempool: () => engine.flushMempool(),
  }
}
