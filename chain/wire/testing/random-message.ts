import type { Descriptors, FieldDescriptor } from '../descriptors.js'
import { mapEntryOf } from '../json-forms.js'

/** A small generator of pseudo-random numbers, so that a failing message can be made again from its seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Random = (below: number) => number
type Values = Record<string, unknown>

const words = ['', 'a', 'ucoin', 'coin1qypqxpq9', 'é🚀', 'x'.repeat(130)]

function bits64(random: Random): bigint {
  const value = (BigInt(random(0x100000000)) << 32n) | BigInt(random(0x100000000))
  return BigInt.asUintN([0, 1, 7, 14, 31, 53, 64][random(7)]!, value)
}

function scalar(field: FieldDescriptor, random: Random): unknown {
  switch (field.kind) {
    case 'string':
      return field.customType.includes('Dec') || field.scalar === 'cosmos.Dec'
        ? String(random(1_000_000_000))
        : words[random(words.length)]
    case 'bytes':
      return Uint8Array.from({ length: [0, 1, 20, 200][random(4)]! }, () => random(256))
    case 'bool':
      return random(2) === 1
    case 'uint32':
    case 'fixed32':
      return random(0x100000000) >>> [0, 8, 25, 31][random(4)]!
    case 'int32':
    case 'sint32':
    case 'sfixed32':
      return random(0x100000000) >> [0, 8, 25, 31][random(4)]!
    case 'uint64':
    case 'fixed64':
      return bits64(random)
    case 'int64':
    case 'sint64':
    case 'sfixed64':
      return BigInt.asIntN(64, bits64(random))
    default:
      return random(1000) / 8
  }
}

/** A value for every field of the message (one member of each oneof), as generated codecs take it. */
export function randomMessage(descriptors: Descriptors, name: string, random: Random, depth = 3): Values {
  const values: Values = {}
  const message = descriptors.requireMessage(name)
  const chosen = new Map(
    message.oneofs.map((oneof) => {
      const members = message.fields.filter((field) => field.oneof === oneof)
      return [oneof, members[random(members.length)]!.name]
    }),
  )
  const one = (field: FieldDescriptor): unknown => {
    if (field.kind === 'message') return randomMessage(descriptors, field.typeName, random, depth - 1)
    if (field.kind !== 'enum') return scalar(field, random)
    const choices = descriptors.enum(field.typeName)!.values
    return choices[random(choices.length)]!.number
  }
  const lengthOf = ({ kind }: FieldDescriptor): number => {
    // cosmjs-types writes an empty packed list, which nobody else does: packed lists have at least one element here.
    const packed = kind !== 'message' && kind !== 'string' && kind !== 'bytes'
    if (packed) return 1 + random(3)
    return depth > 0 ? random(3) : 0
  }
  for (const field of message.fields) {
    if (field.oneof !== undefined && chosen.get(field.oneof) !== field.name) continue
    const optional = field.kind === 'message' && field.nullable
    const entry = mapEntryOf(field, descriptors)
    if (entry !== undefined) {
      const keys = words.slice(0, depth > 0 ? random(words.length) : 0)
      values[field.property] = Object.fromEntries(keys.map((key) => [key, one(entry.value)]))
    } else if (field.repeated) values[field.property] = Array.from({ length: lengthOf(field) }, () => one(field))
    else if (!optional || (depth > 0 && random(4) > 0)) values[field.property] = one(field)
  }
  return values
}
