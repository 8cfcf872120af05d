import type { Event } from '@coin/engine/application'
import { type EventValues, eventValues } from '../index/query-match.js'
import { type Json, toJsonText } from './comet-json.js'

/** What `tm.event` of an event can be here (types/events.go); round-events.ts says what else CometBFT has. */
export const busNames = [
  ...(['NewBlock', 'NewBlockHeader', 'NewBlockEvents', 'NewEvidence', 'Tx', 'ValidatorSetUpdates'] as const),
  ...(['NewRound', 'NewRoundStep', 'CompleteProposal', 'ValidBlock', 'Polka', 'Lock', 'Vote'] as const),
] as const
export type BusName = (typeof busNames)[number]

/** One thing that happened, as CometBFT's event bus tells it (types/event_bus.go). */
export interface BusEvent {
  readonly name: BusName
  /** What subscriptions are matched against. */
  readonly tags: EventValues
  /** The fields `data` and `events` of the message to subscribers, made when the first one wants it. */
  text(): string
}

/** All attributes, indexed or not, and behind them CometBFT's own; an application may have used the same names. */
function withTags(events: readonly Event[], own: Readonly<Record<string, string>>): EventValues {
  const tags = eventValues(events)
  for (const [tag, value] of Object.entries(own)) tags.set(tag, [...(tags.get(tag) ?? []), value])
  return tags
}

export interface BusEventOptions {
  /** Of the message's data; the event's name when left out. */
  readonly type?: string
  /** Events of the application whose attributes become tags. */
  readonly events?: readonly Event[]
  /** Tags besides `tm.event`. */
  readonly tags?: Readonly<Record<string, string>>
}

export function busEvent(name: BusName, value: () => Json, options: BusEventOptions = {}): BusEvent {
  const type = `tendermint/event/${options.type ?? name}`
  const tags = withTags(options.events ?? [], { 'tm.event': name, ...options.tags })
  let text: string | undefined
  return {
    name,
    tags,
    text() {
      text ??= `"data":${toJsonText({ type, value: value() })},"events":${tagsText(tags)}`
      return text
    },
  }
}

/** Sorted, as Go prints maps. */
function tagsText(tags: EventValues): string {
  const names = [...tags.keys()].sort()
  return `{${names.map((name) => `${toJsonText(name)}:${toJsonText(tags.get(name)!)}`).join(',')}}`
}
