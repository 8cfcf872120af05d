import type { Bytes } from '@coin/base/bytes'
import type { Application, TxResult } from '@coin/engine/application'
import type { Evidence } from '@coin/engine/comet/evidence'
import type { RoundState } from '@coin/engine/embedded/round-state'
import type { Broadcast, Consensus, MempoolView } from '../ports.js'
import type { Caller, ThreadApi } from './calls.js'

/** `Consensus` as calls between threads. */
export type ConsensusApi = {
  sync(tx: Bytes): Promise<Broadcast>
  async(tx: Bytes): Promise<Bytes>
  areWaiting(hashes: readonly Bytes[]): Promise<{ readonly height: number; readonly waiting: readonly boolean[] }>
  mempool(limit: number): Promise<MempoolView>
  checkTx(tx: Bytes): Promise<TxResult>
  info(argument: undefined): Promise<ReturnType<Application['info']>>
  round(argument: undefined): Promise<RoundState>
  addEvidence(evidence: Evidence): Promise<Bytes>
  flushMempool(argument: undefined): Promise<void>
}

/** For `serveCalls` on the thread that makes blocks. */
export function consensusApi(consensus: Consensus): ConsensusApi & ThreadApi {
  return {
    sync: (tx) => consensus.sync(tx),
    async: async (tx) => consensus.async(tx),
    areWaiting: async (hashes) => consensus.areWaiting(hashes),
    mempool: async (limit) => consensus.mempool(limit),
    checkTx: async (tx) => consensus.checkTx(tx),
    info: async () => consensus.info(),
    round: async () => consensus.round(),
    addEvidence: async (evidence) => consensus.addEvidence(evidence),
    flushMempool: async () => consensus.flushMempool(),
  }
}

/** For every other thread. */
export function consensusOver({ call }: Pick<Caller<ConsensusApi>, 'call'>): Consensus {
  return {
    sync: (tx) => call('sync', tx),
    async: (tx) => call('async', tx),
    areWaiting: (hashes) => call('areWaiting', hashes),
    mempool: (limit) => call('mempool', limit),
    checkTx: (tx) => call('checkTx', tx),
    info: () => call('info', undefined),
    round: () => call('round', undefined),
    addEvidence: (evidence) => call('addEvidence', evidence),
    flushMempool: () => call('flushMempool', undefined),
  }
}
