import { bytesToHex } from '@coin/base/bytes'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { type BusEvent, type BusName, busEvent, busNames } from './bus-event.js'
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

/** Whether anybody asks for events of this name. */
export type Wants = (name: BusName) => boolean

/**
 * Everything that one block gives, in CometBFT's order: the steps of its round, the block, its header, its events, evidence, each
 * transaction, new validators, and the step to the next height. What nobody wants is not made: a block may have to be read for it.
 */
export function eventsOf(committed: CommittedBlock, reads: EventReads, wants: Wants = () => true): readonly BusEvent[] {
  const steps = busNames.slice(busNames.indexOf('NewRound')).some(wants)
  return [
    ...(steps ? roundEvents(committed, reads) : []),
    ...(wants('NewBlock') ? [newBlock(committed)] : []),
    ...(wants('NewBlockHeader') ? [newBlockHeader(committed)] : []),
    ...(wants('NewBlockEvents') ? [newBlockEvents(committed)] : []),
    ...(wants('NewEvidence') ? newEvidence(committed) : []),
    ...(wants('Tx') ? txEvents(committed) : []),
    ...(wants('ValidatorSetUpdates') ? validatorSetUpdates(committed) : []),
    ...(steps ? [newHeightEvent(committed)] : []),
  ]
}

function newBlock({ block, blockId, results }: CommittedBlock): BusEvent {
  const value = () => ({
    block: blockJson(block),
    block_id: blockIdJson(blockId),
    result_finalize_block: finalizeBlockJson(results),
  })
  return busEvent('NewBlock', value, { events: results.events })
}

function newBlockHeader({ block }: CommittedBlock): BusEvent {
  return busEvent('NewBlockHeader', () => ({ header: headerJson(block.header) }))
}

function newBlockEvents({ block, results: { events } }: CommittedBlock): BusEvent {
  const height = String(block.header.height)
  const value = () => ({ height, events: blockEventsJson(events), num_txs: String(block.txs.length) })
  return busEvent('NewBlockEvents', value, { events })
}

function newEvidence({ block }: CommittedBlock): readonly BusEvent[] {
  const height = String(block.header.height)
  return block.evidence.map((evidence) => busEvent('NewEvidence', () => ({ height, evidence: evidenceJson(evidence) })))
}

function txEvents({ block, txHashes, results }: CommittedBlock): readonly BusEvent[] {
  const height = String(block.header.height)
  return block.txs.map((tx, index) => {
    const result = results.txResults[index]!
    const hash = bytesToHex(txHashes[index]!).toUpperCase()
    const value = () => ({
      TxResult: { height, ...(index !== 0 && { index }), tx: base64(tx), result: shortTxResultJson(result) },
    })
    return busEvent('Tx', value, { events: result.events, tags: { 'tx.hash': hash, 'tx.height': height } })
  })
}

function validatorSetUpdates({ results: { validatorUpdates } }: CommittedBlock): readonly BusEvent[] {
  if (validatorUpdates.length === 0) return []
  return [busEvent('ValidatorSetUpdates', () => ({ validator_updates: validatorUpdates.map(updatedValidatorJson) }))]
}
