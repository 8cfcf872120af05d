import type { Descriptors, FieldDescriptor } from './descriptors.js'
import { parseInt256 } from './int.js'
import { protobufErrors as errors } from './protobuf/errors.js'
import { decodeAny } from './registry.js'
import { checkTimestamp, type Duration, durationToNs, formatDuration, type Timestamp } from './time.js'

/**
 * What the Go SDK finds out while it unpacks a message, beyond the wire format: a packed value has a type that the field accepts,
 * packed values are not nested too deeply nor too many, times and amounts are such. Throws `unknownType`, `tooDeep`, `outOfRange` or
 * what is wrong with the value.
 */
export type PackedCheck = (typeName: string, message: unknown) => void

/** The SDK's limits (codec/types) for one message of a transaction, which is a packed value itself. */
const depthMax = 10
const packedMax = 100

const anyName = 'google.protobuf.Any'
const msgInterface = 'cosmos.base.v1beta1.Msg'

interface Budget {
  left: number
}

/** `depth`: in how many packed values it is, with the message itself. */
type Inspect = (value: unknown, depth: number, budget: Budget) => void

interface FieldCheck {
  readonly property: string
  readonly repeated: boolean
  readonly inspect: Inspect
}

/** Tables are built once per message type; messages without anything to look at cost one look-up. */
export function createPackedCheck(descriptors: Descriptors): PackedCheck {
  const tables = new Map<string, readonly FieldCheck[]>()
  const implementations = implementationsOf(descriptors)

  function tableOf(typeName: string): readonly FieldCheck[] {
    const known = tables.get(typeName)
    if (known !== undefined) return known
    const table: FieldCheck[] = []
    // First the empty table: messages may contain themselves.
    tables.set(typeName, table)
    for (const field of descriptors.requireMessage(typeName).fields) {
      const inspect = inspectorOf(field)
      if (inspect !== undefined) table.push({ property: field.property, repeated: field.repeated, inspect })
    }
    return table
  }

  function inspectorOf(field: FieldDescriptor): Inspect | undefined {
    if (field.kind === 'string' && field.customType.endsWith('math.Int')) {
      // Outside of packed values the modules say it themselves.
      return (value, depth) => depth > 1 && parseInt256(value as string)
    }
    if (field.kind !== 'message') return undefined
    if (field.typeName === anyName) return anyInspector(field)
    if (field.typeName === 'google.protobuf.Timestamp') return (value) => checkTimestamp(value as Timestamp)
    if (field.typeName === 'google.protobuf.Duration') return (value) => checkDuration(value as Duration)
    const { typeName } = field
    return (value, depth, budget) => inspectMessage(typeName, value, depth, budget)
  }

  function anyInspector({ acceptsInterface }: FieldDescriptor): Inspect | undefined {
    const accepted = implementations.get(acceptsInterface)
    if (accepted === undefined) return undefined
    return (value, depth, budget) => {
      if (depth >= depthMax) throw errors.tooDeep(`${depthMax} packed values in each other`)
      if (budget.left-- <= 0) throw errors.outOfRange(`more than ${packedMax} packed values`)
      const { typeName, message } = decodeAny(value as { typeUrl: string; value: Uint8Array })
      if (!accepted.has(typeName)) throw errors.unknownType(`"${typeName}" is no ${acceptsInterface}`)
      inspectMessage(typeName, message, depth + 1, budget)
    }
  }

  function inspectMessage(typeName: string, message: unknown, depth: number, budget: Budget): void {
    for (const { property, repeated, inspect } of tableOf(typeName)) {
      const value = (message as Readonly<Record<string, unknown>>)[property]
      if (value === undefined) continue
      if (repeated) for (const element of value as readonly unknown[]) inspect(element, depth, budget)
      else inspect(value, depth, budget)
    }
  }

  return (typeName, message) => inspectMessage(typeName, message, 1, { left: packedMax - 1 })
}

/** Type names by interface. Interfaces of which the .proto files do not say who implements them are not there. */
function implementationsOf(descriptors: Descriptors): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const add = (name: string, typeName: string): void => {
    const set = found.get(name) ?? new Set()
    found.set(name, set.add(typeName))
  }
  for (const { name, implementsInterfaces } of descriptors.messages()) {
    for (const interfaceName of implementsInterfaces) add(interfaceName, name)
  }
  for (const { isMsgService, methods } of descriptors.services()) {
    if (isMsgService) for (const { input } of methods) add(msgInterface, input)
  }
  return found
}

/** As Go's `time.Duration` has it: nanoseconds in 64 bits. */
function checkDuration(duration: Duration): void {
  formatDuration(duration)
  const ns = durationToNs(duration)
  if (BigInt.asIntN(64, ns) !== ns) throw errors.outOfRange(`duration of ${duration.seconds} s`)
}
