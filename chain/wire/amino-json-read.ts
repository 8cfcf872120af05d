import { emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { PackedMessage } from './amino-binary.js'
import { goName } from './amino-json.js'
import { type AminoField, aminoFields, createAminoNames } from './amino-names.js'
import { decodeBase64 } from './base64.js'
import type { Descriptors, FieldDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import { type CodecLookup, enumNames, type ProtoObject } from './json-forms.js'
import { describeNode } from './json-read.js'
import { parseFieldInteger, scalarReader } from './json-scalars.js'
import { JsonArray, type JsonNode, JsonNumber, JsonObject, parseJson } from './json-text.js'
import { nsToDuration, parseTimestamp } from './time.js'

/** Reads amino JSON as go-amino v0.16 does: unknown names are ignored, missing ones are empty. */
export interface AminoJsonReader {
  /** `{"type": ..., "value": ...}`. Throws errors of codespace `wire` with the place. */
  parseAny(text: string): PackedMessage
  /** The value alone. */
  parse(typeName: string, node: JsonNode, source: string): object
}

type Read = (node: JsonNode, source: string) => unknown

interface Context {
  readonly descriptors: Descriptors
  readonly codecOf: CodecLookup
  readonly readerOf: (typeName: string) => Read
}

export function createAminoJsonReader(descriptors: Descriptors, codecOf: CodecLookup): AminoJsonReader {
  const names = createAminoNames(descriptors)
  const readers = new Map<string, Read>()
  const context: Context = { descriptors, codecOf, readerOf }

  function readAny(node: JsonNode, source: string): PackedMessage {
    const { type, value } = typedValue(node)
    const typeName = names.typeOf(type)
    const codec = codecOf(typeName)
    if (codec === undefined) throw errors.unknownType(`${typeName} has no codec`)
    return { typeUrl: `/${typeName}`, value: codec.encode(readerOf(typeName)(value, source) as never).finish() }
  }

  function readerOf(typeName: string): Read {
    let reader = readers.get(typeName)
    if (reader === undefined) {
      reader = (node, source) => compiled(node, source)
      readers.set(typeName, reader)
      const compiled: Read = typeName === 'google.protobuf.Any' ? readAny : createReader(typeName, context)
      readers.set(typeName, compiled)
    }
    return reader
  }

  return {
    parseAny: (text) => readAny(parseJson(text), text),
    parse: (typeName, node, source) => readerOf(typeName)(node, source) as object,
  }
}

/** The wrapper of a registered type. */
export function typedValue(node: JsonNode): { readonly type: string; readonly value: JsonNode } {
  const members = node instanceof JsonObject ? node.members : undefined
  const type = members?.get('type')
  if (typeof type !== 'string' || type === '')
    throw errors.badValue(`${describeNode(node)}, expected {"type": ..., "value": ...}`)
  return { type, value: members?.get('value') ?? null }
}

function createReader(typeName: string, context: Context): Read {
  if (typeName === 'google.protobuf.Timestamp') return (node) => parseTimestamp(textOf(node, 'a time'))
  if (typeName === 'google.protobuf.Duration')
    return (node) => nsToDuration(parseFieldInteger('int64', textOf(node, 'nanoseconds as a string')) as bigint)
  const codec = context.codecOf(typeName)
  if (codec === undefined) throw errors.unknownType(`${excerpt(typeName)} has no codec`)
  const empty = (): ProtoObject => codec.decode(emptyBytes) as ProtoObject
  const message = context.descriptors.requireMessage(typeName)
  if (message.aminoEncoding === 'key_field')
    return (node) => ({ ...empty(), key: decodeBase64(textOf(node, 'a key in base64')) })
  if (message.aminoEncoding === 'threshold_string')
    return (node, source) => readMultisig(node, source, empty(), context)
  const parts = aminoFields(message, context.descriptors).map((part) => partReader(part, context))
  return (node, source) => {
    if (!(node instanceof JsonObject)) throw errors.badValue(`${describeNode(node)}, expected an object of ${typeName}`)
    const target = empty()
    for (const { name, read } of parts) {
      const member = node.members.get(name)
      if (member !== undefined && member !== null) at(name, () => read(target, member, source))
    }
    return target
  }
}

/** Puts the place in front of an error. */
function at(place: string, run: () => void): void {
  try {
    run()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(place) : error
  }
}

interface Part {
  /** In the JSON. */
  readonly name: string
  read(target: ProtoObject, node: JsonNode, source: string): void
}

function partReader(part: AminoField, context: Context): Part {
  if (part.kind === 'field') {
    const read = fieldReader(part.field, context)
    return {
      name: part.field.amino.fieldName || part.field.name,
      read(target, node, source) {
        target[part.field.property] = read(node, source)
      },
    }
  }
  const members = part.members.map((field) => ({ field, read: fieldReader(field, context) }))
  return {
    name: goName(part.name),
    read(target, node, source) {
      const { type, value } = typedValue(node)
      const member = members.find(({ field }) => field.amino.oneofName === type)
      if (member === undefined) throw errors.unknownType(`amino type ${excerpt(type)}`)
      const inner = value instanceof JsonObject ? (value.members.get(member.field.name) ?? null) : null
      if (inner !== null) target[member.field.property] = member.read(inner, source)
    },
  }
}

function fieldReader(field: FieldDescriptor, context: Context): Read {
  const read = elementReader(field, context)
  if (!field.repeated) return read
  return (node, source) => {
    if (!(node instanceof JsonArray)) throw errors.badValue(`${describeNode(node)}, expected an array`)
    return node.items.map((item) => read(item, source))
  }
}

function elementReader(field: FieldDescriptor, context: Context): Read {
  switch (field.kind) {
    case 'message':
      return context.readerOf(field.typeName)
    case 'enum':
      return enumReader(field, context)
    case 'int32':
    case 'sint32':
    case 'sfixed32':
    case 'uint32':
    case 'fixed32':
      return (node) => {
        if (!(node instanceof JsonNumber)) throw errors.badValue(`${describeNode(node)}, expected a number`)
        return parseFieldInteger(field.kind, node.text)
      }
    case 'int64':
    case 'sint64':
    case 'sfixed64':
    case 'uint64':
    case 'fixed64':
      return (node) => parseFieldInteger(field.kind, textOf(node, 'an integer as a string'))
    case 'double':
    case 'float':
    case 'group':
      throw errors.notAmino(`field ${field.name} is a ${field.kind}`)
    default:
      return scalarReader(field, context.descriptors)
  }
}

/** Enums are numbers; the one with names of its own in JSON is read by them too. */
function enumReader({ typeName }: FieldDescriptor, { descriptors }: Context): Read {
  const item = descriptors.enum(typeName)
  const numbers = new Map(item && enumNames(item).map(({ name, number }) => [name, number]))
  return (node) => {
    if (node instanceof JsonNumber) return parseFieldInteger('int32', node.text)
    const number = typeof node === 'string' ? numbers.get(node) : undefined
    if (number === undefined) throw errors.badValue(`${describeNode(node)}, expected a number of ${typeName}`)
    return number
  }
}

function readMultisig(node: JsonNode, source: string, target: ProtoObject, { readerOf }: Context): object {
  if (!(node instanceof JsonObject)) throw errors.badValue(`${describeNode(node)}, expected a multisig key`)
  const keys = node.members.get('pubkeys') ?? null
  if (keys !== null && !(keys instanceof JsonArray)) throw errors.badValue(`${describeNode(keys)}, expected an array`)
  return {
    ...target,
    threshold: parseFieldInteger('uint32', textOf(node.members.get('threshold') ?? null, 'a threshold as a string')),
    publicKeys: keys === null ? [] : keys.items.map((key) => readerOf('google.protobuf.Any')(key, source)),
  }
}

function textOf(node: JsonNode, expected: string): string {
  if (typeof node !== 'string') throw errors.badValue(`${describeNode(node)}, expected ${expected}`)
  return node
}
