import { assert } from '@coin/base/assert'
import { emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Descriptors, FieldDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import { type CodecLookup, mapEntryOf, type ProtoObject, textForm } from './json-forms.js'
import { scalarReader } from './json-scalars.js'
import { JsonArray, type JsonNode, JsonObject } from './json-text.js'
import { anyTypeName, isWellKnown } from './json-write.js'
import { parseDuration, parseTimestamp } from './time.js'

/** JSON -> value of a field or message. `source` is the text that the node was read from. */
export type JsonReader = (node: JsonNode, source: string) => unknown

/** What reading messages of one descriptor set needs, shared by all its readers. */
interface Context {
  readonly descriptors: Descriptors
  readonly codecOf: CodecLookup
  readonly readerOf: (typeName: string) => JsonReader
  readonly unknownFields: UnknownFields
}

/** What happens with a name that a message does not have. */
export type UnknownFields = 'refuse' | 'ignore'

/** Readers by message name, built when first asked for. They accept what gogoproto's jsonpb accepts. */
export function createJsonReaders(
  descriptors: Descriptors,
  codecOf: CodecLookup,
  unknownFields: UnknownFields = 'refuse',
): (typeName: string) => JsonReader {
  const readers = new Map<string, JsonReader>()
  const context: Context = { descriptors, codecOf, readerOf, unknownFields }
  function readerOf(typeName: string): JsonReader {
    let reader = readers.get(typeName)
    if (reader === undefined) {
      reader = (node, source) => compiled(node, source)
      readers.set(typeName, reader)
      const compiled = wellKnownReader(typeName, context) ?? messageReader(typeName, context)
      readers.set(typeName, compiled)
    }
    return reader
  }
  return readerOf
}

/** What the JSON node is, for an error message. */
export function describeNode(node: JsonNode): string {
  if (node === null) return 'null'
  if (node instanceof JsonObject) return 'an object'
  if (node instanceof JsonArray) return 'an array'
  return typeof node === 'string' ? excerpt(node) : typeof node === 'boolean' ? String(node) : node.text
}

/** Puts the path of the field in front of an error: `amount[0].denom: ...`. */
function at<T>(place: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    const separator = error.message.startsWith('[') ? '' : error.cause instanceof CodedError ? '.' : ': '
    throw new CodedError(error.codespace, error.code, `${place}${separator}${error.message}`, { cause: error })
  }
}

function messageReader(typeName: string, context: Context): JsonReader {
  const { fields } = context.descriptors.requireMessage(typeName)
  const byName = new Map<string, { field: FieldDescriptor; read: JsonReader }>()
  for (const field of fields) {
    const entry = { field, read: fieldReader(field, context) }
    byName.set(field.name, entry)
    byName.set(field.jsonName, entry)
  }
  const empty = emptyMessageMaker(typeName, context)
  const names = fields.map(({ name }) => name).join(', ')
  return (node, source) => {
    if (node !== null && !(node instanceof JsonObject)) {
      throw errors.badValue(`${describeNode(node)}, expected an object of ${typeName}`)
    }
    const message = empty()
    for (const [name, child] of node?.members ?? []) {
      const entry = byName.get(name)
      if (entry === undefined) {
        if (context.unknownFields === 'ignore') continue
        throw errors.unknownField(`${excerpt(name)} in ${typeName}, expected one of ${names}`)
      }
      const { field, read } = entry
      if (child === null) continue
      const value = at(name, () => read(child, source))
      if (field.oneof !== undefined) clearOneof(message, fields, field.oneof)
      message[field.property] = value
    }
    return message
  }
}

function clearOneof(message: ProtoObject, fields: readonly FieldDescriptor[], oneof: string): void {
  for (const field of fields) if (field.oneof === oneof) message[field.property] = undefined
}

/** What the codec decodes from no bytes, with the zero that Go writes for amounts which are not set. */
function emptyMessageMaker(typeName: string, { descriptors, codecOf }: Context): () => ProtoObject {
  const zeros = descriptors
    .requireMessage(typeName)
    .fields.filter(
      (field) => field.kind === 'string' && !field.repeated && !field.nullable && textForm(field) !== 'text',
    )
    .map(({ property }) => property)
  const codec = codecOf(typeName)
  if (codec === undefined) throw errors.unknownType(`${excerpt(typeName)} has no codec`)
  return () => {
    const message = codec.decode(emptyBytes) as ProtoObject
    for (const property of zeros) message[property] = '0'
    return message
  }
}

function fieldReader(field: FieldDescriptor, context: Context): JsonReader {
  const entry = mapEntryOf(field, context.descriptors)
  if (entry !== undefined) return mapReader(elementReader(entry.value, context))
  const read = elementReader(field, context)
  if (!field.repeated) return read
  return (node, source) => {
    if (!(node instanceof JsonArray)) throw errors.badValue(`${describeNode(node)}, expected an array`)
    return node.items.map((item, i) => at(`[${i}]`, () => read(item, source)))
  }
}

function mapReader(read: JsonReader): JsonReader {
  return (node, source) => {
    if (!(node instanceof JsonObject)) throw errors.badValue(`${describeNode(node)}, expected an object`)
    const members = [...node.members].filter(([, child]) => child !== null)
    return Object.fromEntries(members.map(([key, child]) => [key, at(key, () => read(child, source))]))
  }
}

function elementReader(field: FieldDescriptor, context: Context): JsonReader {
  if (field.kind !== 'message') return scalarReader(field, context.descriptors)
  // Looked up at the first use: messages may contain themselves.
  return (node, source) => context.readerOf(field.typeName)(node, source)
}

function wellKnownReader(typeName: string, context: Context): JsonReader | undefined {
  const text = (node: JsonNode): string => {
    if (typeof node !== 'string') throw errors.badValue(`${describeNode(node)}, expected a string`)
    return node
  }
  if (typeName === 'google.protobuf.Timestamp') return (node) => parseTimestamp(text(node))
  if (typeName === 'google.protobuf.Duration') return (node) => parseDuration(text(node))
  if (typeName === 'google.protobuf.Any') return (node, source) => readAny(node, source, context)
  assert(!/^google\.protobuf\.(\w+Value|Struct|Value)$/.test(typeName), `no JSON for ${typeName}`)
  return undefined
}

function readAny(node: JsonNode, source: string, { codecOf, readerOf }: Context): unknown {
  if (!(node instanceof JsonObject)) throw errors.badValue(`${describeNode(node)}, expected an object with "@type"`)
  const typeUrl = node.members.get('@type')
  if (typeof typeUrl !== 'string')
    throw errors.badValue('"@type" is missing, expected a type URL such as "/cosmos.bank.v1beta1.MsgSend"')
  const typeName = anyTypeName(typeUrl)
  const codec = codecOf(typeName)
  if (codec === undefined) throw errors.unknownType(`type URL ${excerpt(typeUrl)} is not known to this chain`)
  const content = at(typeUrl, () => readerOf(typeName)(anyContent(node, typeName), source))
  return { typeUrl, value: codec.encode(content as never).finish() }
}

function anyContent(node: JsonObject, typeName: string): JsonNode {
  if (isWellKnown(typeName)) {
    const value = node.members.get('value')
    if (value === undefined) throw errors.badValue('"value" is missing')
    return value
  }
  const members = new Map(node.members)
  members.delete('@type')
  return new JsonObject(members, node.start, node.end)
}

/** The text of the node, byte for byte: what wasmd keeps of an inlined contract message. */
export function rawText(node: JsonNode, source: string): Uint8Array {
  if (node instanceof JsonObject || node instanceof JsonArray) return utf8ToBytes(source.slice(node.start, node.end))
  if (typeof node === 'object' && node !== null) return utf8ToBytes(node.text)
  return utf8ToBytes(JSON.stringify(node))
}
