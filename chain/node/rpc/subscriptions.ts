import { bytesToHex } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { type EventValues, eventValues } from '../index/query-match.js'
import {
  base64,
  blockEventsJson,
  blockIdJson,
  blockJson,
  finalizeBlockJson,
  headerJson,
  type Json,
  shortTxResultJson,
  toJsonText,
  updatedValidatorJson,
} from './comet-json.js'

/** One thing that happened, as CometBFT's event bus tells it (types/event_bus.go). */
export interface BusEvent {
  /** What subscriptions are matched against. */
  readonly tags: EventValues
  /** The fields `data` and `events` of the message to subscribers, made when the first one wants it. */
  text(): string
}

/** Everything that one block gives, in CometBFT's order: the block, its header, its events, each transaction, new validators. */
export function eventsOf({ block, blockId, txHashes, results }: CommittedBlock): readonly BusEvent[] {
  const { header, txs } = block
  const height = String(header.height)
  const named = (name: string, events: readonly Event[] = []) => withTags(events, { 'tm.event': name })
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

/** All attributes, indexed or not, and behind them CometBFT's own; an application may have used the same names. */
function withTags(events: readonly Event[], own: Readonly<Record<string, string>>): EventValues {
  const tags = eventValues(events)
  for (const [tag, value] of Object.entries(own)) tags.set(tag, [...(tags.get(tag) ?? []), value])
  return tags
}

function busEvent(type: string, tags: EventValues, value: () => Json): BusEvent {
  let text: string | undefined
  return {
    tags,
    text() {
      text ??= `"data":${toJsonText({ type: `tendermint/event/${type}`, value: value() })},"events":${tagsText(tags)}`
      return text
    },
  }
}

/** Sorted, as Go prints maps. */
function tagsText(tags: EventValues): string {
  const names = [...tags.keys()].sort()
  return `{${names.map((name) => `${toJsonText(name)}:${toJsonText(tags.get(name)!)}`).join(',')}}`
}
