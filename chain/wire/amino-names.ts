import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import type { Descriptors, FieldDescriptor, MessageDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import { mapEntryOf } from './json-forms.js'
import { sha256 } from './sha256.js'

/** Amino's registered types: the messages with an `amino.name`. */
export interface AminoNames {
  /** Throws `notAmino` for a message without a name. */
  nameOf(typeName: string): string
  /** Full protobuf name of a registered name. Throws `unknownType`. */
  typeOf(name: string): string
  /** The same by the four bytes before a binary value. Throws `unknownType`. */
  typeOfPrefix(prefix: Bytes): string
}

/** Bytes of a prefix. */
export const prefixLength = 4

/**
 * The bytes that stand for a registered name: of its SHA-256 hash three bytes from the first that is not zero are left out, then the
 * next four from one that is not zero.
 *
 * @example
 * bytesToHex(aminoPrefix('cosmos-sdk/StdTx')) // '282816a9'
 */
export function aminoPrefix(name: string): Bytes {
  const hash = sha256(utf8ToBytes(name))
  const notZero = (from: number): number => {
    let at = from
    while (hash[at] === 0) at++
    return at
  }
  const start = notZero(notZero(0) + 3)
  return hash.slice(start, start + prefixLength)
}

export function createAminoNames(descriptors: Descriptors): AminoNames {
  const types = new Map<string, string>()
  const prefixes = new Map<string, string>()
  for (const { name, aminoName } of descriptors.messages()) {
    if (aminoName === undefined || types.has(aminoName)) continue
    types.set(aminoName, name)
    prefixes.set(bytesToHex(aminoPrefix(aminoName)), name)
  }
  return {
    nameOf(typeName) {
      const { aminoName } = descriptors.requireMessage(typeName)
      if (aminoName === undefined) throw errors.notAmino(`${excerpt(typeName)} has no amino name`)
      return aminoName
    },
    typeOf(name) {
      const typeName = types.get(name)
      if (typeName === undefined) throw errors.unknownType(`amino type ${excerpt(name)}`)
      return typeName
    },
    typeOfPrefix(prefix) {
      const typeName = prefixes.get(bytesToHex(prefix))
      if (typeName === undefined) throw errors.unknownType(`amino prefix ${bytesToHex(prefix)}`)
      return typeName
    },
  }
}

/** One field of the Go struct that amino knows a message as. */
export type AminoField =
  | { readonly kind: 'field'; readonly number: number; readonly field: FieldDescriptor }
  | {
      readonly kind: 'oneof'
      readonly number: number
      readonly name: string
      readonly members: readonly FieldDescriptor[]
    }

/**
 * The fields in the order of the .proto file, numbered from 1 whatever their protobuf numbers are; a oneof is one field. Throws
 * `notAmino` for messages with maps or unnamed oneofs.
 */
export function aminoFields(
  { name: typeName, fields }: MessageDescriptor,
  descriptors: Descriptors,
): readonly AminoField[] {
  const found: AminoField[] = []
  for (const field of fields) {
    if (mapEntryOf(field, descriptors) !== undefined)
      throw errors.notAmino(`field ${field.name} of ${typeName} is a map`)
    const { oneof } = field
    if (oneof === undefined) {
      found.push({ kind: 'field', number: found.length + 1, field })
      continue
    }
    if (field.amino.oneofName === '')
      throw errors.notAmino(`field ${field.name} of ${typeName} is in a oneof without amino name`)
    if (found.some((it) => it.kind === 'oneof' && it.name === oneof)) continue
    const members = fields.filter((it) => it.oneof === oneof)
    found.push({ kind: 'oneof', number: found.length + 1, name: oneof, members })
  }
  return found
}

/** A registered type's prefix is needed for every value, and a hash is not free. */
export function createPrefixes(): (name: string) => Bytes {
  const known = new Map<string, Bytes>()
  return (name) => {
    const prefix = known.get(name) ?? aminoPrefix(name)
    assert(prefix.length === prefixLength, `amino prefix of ${name}`)
    known.set(name, prefix)
    return prefix
  }
}

/** Amino sees these as varints; everything else is bytes with a length. */
export function isVarint({ kind, typeName }: FieldDescriptor): boolean {
  if (kind === 'message') return typeName === 'google.protobuf.Duration'
  return kind !== 'string' && kind !== 'bytes'
}
