import type { Event } from '@coin/engine/application'

/** Key and value of an event attribute, in the order in which they are emitted. */
export type Attribute = readonly [key: string, value: string]

/** An event while its transaction runs. The order of attributes is part of what clients see. */
export interface RuntimeEvent {
  readonly type: string
  readonly attributes: readonly Attribute[]
}

/** What a step emits, in order. One per transaction, message or submessage; dropped when that fails. */
export class EventLog {
  readonly #events: RuntimeEvent[] = []

  get events(): readonly RuntimeEvent[] {
    return this.#events
  }

  push(...events: readonly RuntimeEvent[]): void {
    for (const event of events) this.#events.push(event)
  }

  /** `emit('transfer', { recipient, sender, amount })`: attributes in the order of the object's keys. */
  emit(type: string, attributes: Readonly<Record<string, string>>): void {
    this.#events.push({ type, attributes: Object.entries(attributes) })
  }
}

/** As consensus carries it: every attribute is indexed, as with an empty `index-events` in the SDK's app.toml. */
export function toAbciEvent(event: RuntimeEvent): Event {
  return { type: event.type, attributes: event.attributes.map(([key, value]) => ({ key, value, index: true })) }
}

/** The event with attributes put behind its own, for example `['msg_index', '0']`. */
export function withAttributes(event: RuntimeEvent, ...more: readonly Attribute[]): RuntimeEvent {
  return { type: event.type, attributes: [...event.attributes, ...more] }
}
