import type { Bytes } from '@coin/base/bytes'
import type { Application } from '@coin/engine/application'
import type { EmbeddedEngine } from '@coin/engine/embedded/engine'
import type { Consensus } from '../ports.js'

/** Of the transactions in one view of the mempool: they are copied between threads, and a block waits for that. */
const viewBytesMax = 8 * 1024 * 1024

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
    mempool: (limit) => ({ txs: firstOf(mempool.list(limit)), count: mempool.size(), bytes: mempool.sizeBytes() }),
    checkTx: (tx) => app.checkTx(tx, 'new'),
    info: () => app.info(),
    round: () => engine.round(),
    addEvidence: (evidence) => engine.addEvidence(evidence),
    flushMempool: () => engine.flushMempool(),
  }
}

/** As many as fit, one in any case. */
function firstOf(txs: readonly Bytes[]): readonly Bytes[] {
  let bytes = 0
  return txs.filter((tx, index) => {
    bytes += tx.length
    return index === 0 || bytes <= viewBytesMax
  })
}
