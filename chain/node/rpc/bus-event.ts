import type { Event } from '@coin/engine/application'
import { type EventValues, eventValues } from '../index/query-match.js'
import { type Json, toJsonText } from './comet-json.js'

/** One thing that happened, as CometBFT's event bus tells it (types/event_bus.go). */
export interface BusEvent {
  /** What subscriptions are matched against. */
  readonly tags: EventValues
  /** The fields `data` and `events` of the message to subscribers, made when the first one wants it. */
  text(): string
}

/** Tags of an event by its name. */
export const named = (name: string, events: readonly Event[] = []) => withTags(events, { 'tm.event': name })

/** All attributes, indexed or not, and behind them CometBFT's own; an application may have used the same names. */
export function withTags(events: readonly Event[], own: Readonly<Record<string, string>>): EventValues {
  const tags = eventValues(events)
  for (const [tag, value] of Object.entries(own)) tags.set(tag, [...(tags.get(tag) ?? []), value])
  return tags
}

export function busEvent(type: string, tags: EventValues, value: () => Json): BusEvent {
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
