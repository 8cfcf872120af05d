import { bytesToHex } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { compileEventQuery } from '../index/query-match.js'
import { parseQuery } from '../index/query-syntax.js'
import {
  base64,
  blockIdJson,
  blockJson,
  finalizeBlockJson,
  headerJson,
  type Json,
  shortTxResultJson,
} from './comet-json.js'

/** One thing that happened, as subscribers of CometBFT's event bus get it (types/events.go). */
export interface BusEvent {
  readonly data: Json
  /** Event and attribute -> values, in the order they came. */
  readonly events: { readonly [tag: string]: readonly string[] }
}

/** Whether an event is what a query asks for. Throws `badQuery` at once. */
export function compileSubscription(query: string): (event: BusEvent) => boolean {
  const matches = compileEventQuery(parseQuery(query))
  return ({ events }) => matches(toEvents(events))
}

/** Tags back as events, which the index's matcher reads. */
function toEvents(tags: BusEvent['events']): readonly Event[] {
  return Object.entries(tags).map(([tag, values]) => {
    const dot = tag.lastIndexOf('.')
    const key = tag.slice(dot + 1)
    return { type: tag.slice(0, dot), attributes: values.map((value) => ({ key, value, index: true })) }
  })
}

/** Everything one block gives: the block, its header, each transaction, and changes of the validator set. */
export function eventsOf(committed: CommittedBlock): readonly BusEvent[] {
  const { block, blockId, txHashes, results } = committed
  const { header, txs } = block
  const ofBlock = tagsOf(results.events)
  const out: BusEvent[] = [
    {
      data: {
        type: 'tendermint/event/NewBlock',
        value: {
          block: blockJson(block),
          block_id: blockIdJson(blockId),
          result_finalize_block: finalizeBlockJson(results),
        },
      },
      events: { ...ofBlock, 'tm.event': ['NewBlock'], 'block.height': [String(header.height)] },
    },
    {
      data: { type: 'tendermint/event/NewBlockHeader', value: { header: headerJson(header) } },
      events: { ...ofBlock, 'tm.event': ['NewBlockHeader'], 'block.height': [String(header.height)] },
    },
    {
      data: {
        type: 'tendermint/event/NewBlockEvents',
        value: { height: String(header.height), events: finalizeEvents(results.events), num_txs: String(txs.length) },
      },
      events: { ...ofBlock, 'tm.event': ['NewBlockEvents'], 'block.height': [String(header.height)] },
    },
  ]
  txs.forEach((tx, index) => {
    const result = results.txResults[index]!
    const value = {
      TxResult: {
        height: String(header.height),
        ...(index !== 0 && { index }),
        tx: base64(tx),
        result: shortTxResultJson(result),
      },
    }
    const hash = bytesToHex(txHashes[index]!).toUpperCase()
    const events = {
      ...tagsOf(result.events),
      'tm.event': ['Tx'],
      'tx.hash': [hash],
      'tx.height': [String(header.height)],
    }
    out.push({ data: { type: 'tendermint/event/Tx', value }, events })
  })
  if (results.validatorUpdates.length > 0) {
    const updates = finalizeBlockJson({ ...results, events: [], txResults: [] }) as { readonly validator_updates: Json }
    const value = { validator_updates: updates.validator_updates }
    out.push({
      data: { type: 'tendermint/event/ValidatorSetUpdates', value },
      events: { 'tm.event': ['ValidatorSetUpdates'] },
    })
  }
  return out
}

function finalizeEvents(events: readonly Event[]): Json {
  return events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(({ key, value, index }) => ({ key, value, index })),
  }))
}

function tagsOf(events: readonly Event[]): Record<string, string[]> {
  const tags: Record<string, string[]> = {}
  for (const { type, attributes } of events) {
    for (const { key, value, index } of attributes) {
      if (!index || type === '' || key === '') continue
      const tag = `${type}.${key}`
      tags[tag] ??= []
      tags[tag].push(value)
    }
  }
  return tags
}
