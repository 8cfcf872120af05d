import { bytesToHex } from '@coin/base/bytes'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { type BusEvent, busEvent, named, withTags } from './bus-event.js'
import {
  base64,
  blockEventsJson,
  blockIdJson,
  blockJson,
  evidenceJson,
  finalizeBlockJson,
  headerJson,
  shortTxResultJson,
  updatedValidatorJson,
} from './comet-json.js'
import { newHeightEvent, roundEvents } from './round-events.js'

/** What a block's events are made of besides the block itself. */
export type EventReads = Pick<BlockReads, 'commit' | 'validators'>

/**
 * Everything that one block gives, in CometBFT's order: the steps of its round, the block, its header, its events, evidence, each
 * transaction, new validators, and the step to the next height.
 */
export function eventsOf(committed: CommittedBlock, reads: EventReads): readonly BusEvent[] {
  return [...roundEvents(committed, reads), ...blockEvents(committed), newHeightEvent(committed)]
}

function blockEvents({ block, blockId, txHashes, results }: CommittedBlock): readonly BusEvent[] {
  const { header, txs } = block
  const height = String(header.height)
  const bus: BusEvent[] = [
    busEvent('NewBlock', named('NewBlock', results.events), () => ({
      block: blockJson(block),
      block_id: blockIdJson(blockId),
      result_finalize_block: finalizeBlockJson(results),
    })),
    busEvent('NewBlockHeader', named('NewBlockHeader'), () => ({ header: headerJson(header) })),
    busEvent('NewBlockEvents', named('NewBlockEvents', results.events), () => ({
      height,
      events: blockEventsJson(results.events),
      num_txs: String(txs.length),
    })),
  ]
  for (const evidence of block.evidence) {
    const value = () => ({ height, evidence: evidenceJson(evidence) })
    bus.push(busEvent('NewEvidence', named('NewEvidence'), value))
  }
  txs.forEach((tx, index) => {
    const result = results.txResults[index]!
    const hash = bytesToHex(txHashes[index]!).toUpperCase()
    const tags = withTags(result.events, { 'tm.event': 'Tx', 'tx.hash': hash, 'tx.height': height })
    const value = () => ({
      TxResult: { height, ...(index !== 0 && { index }), tx: base64(tx), result: shortTxResultJson(result) },
    })
    bus.push(busEvent('Tx', tags, value))
  })
  const { validatorUpdates } = results
  if (validatorUpdates.length > 0) {
    const value = () => ({ validator_updates: validatorUpdates.map(updatedValidatorJson) })
    bus.push(busEvent('ValidatorSetUpdates', named('ValidatorSetUpdates'), value))
  }
  return bus
}
