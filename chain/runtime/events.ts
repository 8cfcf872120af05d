import type { Event, EventAttribute } from '@coin/engine/application'

/** Key and value of an event attribute, in the order in which they are emitted. */
export type Attribute = EventAttribute

/** As consensus carries it. The order of attributes is part of what clients see. */
export type RuntimeEvent = Event

/** Every attribute is indexed, as with an empty `index-events` in the SDK's app.toml. */
export function attribute(key: string, value: string): Attribute {
  return { key, value, index: true }
}

/** Attributes of an event by their keys; as a function where making their texts costs something and nobody may look. */
export type AttributesOf = Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>)

/** What a step emits, in order. One per transaction, message or submessage; dropped when that fails. */
export class EventLog {
  readonly #events: RuntimeEvent[] = []

  get events(): readonly RuntimeEvent[] {
    return this.#events
  }

  /** A log for what may still fail: its events are pushed here once it has not. */
  child(): EventLog {
    return new EventLog()
  }

  /** A list, not arguments: a contract may cause more events than the native stack has room for. */
  push(events: readonly RuntimeEvent[]): void {
    for (const event of events) this.#events.push(event)
  }

  /** `emit('transfer', { recipient, sender, amount })`: attributes in the order of the object's keys. */
  emit(type: string, attributes: AttributesOf): void {
    const given = typeof attributes === 'function' ? attributes() : attributes
    this.#events.push({ type, attributes: Object.keys(given).map((key) => attribute(key, given[key]!)) })
  }
}

/** Takes events and keeps none: nobody sees those of the mempool's checks. */
class SilentLog extends EventLog {
  override child(): EventLog {
    return this
  }

  override push(): void {}

  override emit(): void {}
}

export const silentLog: EventLog = new SilentLog()

/** The event with attributes put behind its own, for example `msg_index`. */
export function withAttributes({ type, attributes }: RuntimeEvent, ...more: readonly Attribute[]): RuntimeEvent {
  return { type, attributes: [...attributes, ...more] }
}
