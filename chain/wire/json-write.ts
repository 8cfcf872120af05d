import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex, bytesToUtf8 } from '@coin/base/bytes'
import { encodeBase64 } from './base64.js'
import { LegacyDec } from './dec.js'
import type { Descriptors, EnumDescriptor, FieldDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import { parseInt256 } from './int.js'
import { bytesForm, type CodecLookup, enumNames, mapEntryOf, type ProtoObject, textForm } from './json-forms.js'
import { compactJson, parseJson, quoteJson } from './json-text.js'
import { type Duration, formatDuration, formatTimestamp, type Timestamp, zeroTime } from './time.js'

/** Value of a field or message -> JSON text. */
export type JsonWriter = (value: unknown) => string

/** Writers by message name, built when first asked for. */
export function createJsonWriters(descriptors: Descriptors, codecOf: CodecLookup): (typeName: string) => JsonWriter {
  const writers = new Map<string, JsonWriter>()
  function writerOf(typeName: string): JsonWriter {
    let writer = writers.get(typeName)
    if (writer === undefined) {
      // Set before the fields are looked at: messages may contain themselves.
      writer = (value) => compiled(value)
      writers.set(typeName, writer)
      const compiled = wellKnownWriter(typeName, writerOf, codecOf) ?? messageWriter(typeName)
      writers.set(typeName, compiled)
    }
    return writer
  }
  function messageWriter(typeName: string): JsonWriter {
    const { fields } = descriptors.requireMessage(typeName)
    const parts = fields.map((field) => ({
      property: field.property,
      key: `${quoteJson(field.name)}:`,
      skipAbsent: field.oneof !== undefined,
      write: fieldWriter(field, descriptors, writerOf),
    }))
    return (value) => {
      const message = value as ProtoObject
      let out = ''
      for (const { property, key, skipAbsent, write } of parts) {
        const field = message[property]
        if (skipAbsent && field === undefined) continue
        out += out === '' ? key + write(field) : `,${key}${write(field)}`
      }
      return `{${out}}`
    }
  }
  return writerOf
}

const wrappers: ReadonlySet<string> = new Set(
  ['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name) => `google.protobuf.${name}Value`,
  ),
)

/** Whether protobuf gives the message a JSON form of its own, so that inside an Any it stands under `value`. */
export function isWellKnown(typeName: string): boolean {
  return (
    typeName === 'google.protobuf.Any' ||
    typeName === 'google.protobuf.Timestamp' ||
    typeName === 'google.protobuf.Duration' ||
    wrappers.has(typeName)
  )
}

function wellKnownWriter(
  typeName: string,
  writerOf: (typeName: string) => JsonWriter,
  codecOf: CodecLookup,
): JsonWriter | undefined {
  if (typeName === 'google.protobuf.Timestamp') return (value) => `"${formatTimestamp(value as Timestamp)}"`
  if (typeName === 'google.protobuf.Duration') return (value) => `"${formatDuration(value as Duration)}"`
  if (typeName === 'google.protobuf.Any') return anyWriter(writerOf, codecOf)
  assert(
    !wrappers.has(typeName) && !/^google\.protobuf\.(Struct|Value|ListValue)$/.test(typeName),
    `no JSON for ${typeName}`,
  )
  return undefined
}

/** The message name of a type URL, which in the SDK is a slash and the name; otherwise empty, which no message is called. */
export function anyTypeName(typeUrl: string): string {
  return typeUrl.startsWith('/') ? typeUrl.slice(1) : ''
}

function anyWriter(writerOf: (typeName: string) => JsonWriter, codecOf: CodecLookup): JsonWriter {
  return (value) => {
    const { typeUrl, value: bytes } = value as { typeUrl: string; value: Bytes }
    const typeName = anyTypeName(typeUrl)
    const codec = codecOf(typeName)
    if (codec === undefined) throw errors.unknownType(`type URL ${excerpt(typeUrl)} is not known to this chain`)
    const json = writerOf(typeName)(codec.decode(bytes))
    const head = `{"@type":${quoteJson(typeUrl)}`
    if (isWellKnown(typeName)) return `${head},"value":${json}}`
    return json === '{}' ? `${head}}` : `${head},${json.slice(1)}`
  }
}

function fieldWriter(
  field: FieldDescriptor,
  descriptors: Descriptors,
  writerOf: (typeName: string) => JsonWriter,
): JsonWriter {
  if (field.repeated) {
    const entry = mapEntryOf(field, descriptors)
    if (entry !== undefined) return mapWriter(elementWriter(entry.value, descriptors, writerOf))
    const write = elementWriter(field, descriptors, writerOf)
    return (value) => {
      const items = value as readonly unknown[] | undefined
      if (items === undefined || items.length === 0) return '[]'
      return `[${items.map(write).join(',')}]`
    }
  }
  const write = elementWriter(field, descriptors, writerOf)
  if (field.kind === 'message') return messageFieldWriter(field, write)
  if (field.kind === 'enum' && !field.optional) return write
  const absent = absentForm(field)
  if (field.kind !== 'bytes' && field.kind !== 'string') return (value) => (value === undefined ? absent : write(value))
  return (value) => (value === undefined || (value as Bytes | string).length === 0 ? absent : write(value))
}

/** Keys in order, as in Go. */
function mapWriter(write: JsonWriter): JsonWriter {
  return (value) => {
    const members = Object.entries((value ?? {}) as ProtoObject).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, item]) => `${quoteJson(key)}:${write(item)}`).join(',')}}`
  }
}

/** A message that is not there: null, or for Go's non-pointers the JSON of the empty message. */
function messageFieldWriter(field: FieldDescriptor, write: JsonWriter): JsonWriter {
  if (field.nullable || field.typeName === 'google.protobuf.Any') {
    return (value) => (value === undefined ? 'null' : write(value))
  }
  const empty: unknown =
    field.typeName === 'google.protobuf.Timestamp'
      ? zeroTime
      : field.typeName === 'google.protobuf.Duration'
        ? { seconds: 0n, nanos: 0 }
        : {}
  return (value) => write(value ?? empty)
}

/** What Go prints for a scalar field that is not set; nil prints as null, and an empty byte string is nil there. */
function absentForm(field: FieldDescriptor): string {
  const form = field.kind === 'string' ? textForm(field) : field.kind === 'bytes' ? bytesForm(field) : undefined
  const isNumberType = form === 'int' || form === 'dec'
  if (field.optional || (isNumberType && field.nullable)) return 'null'
  if (isNumberType) return form === 'int' ? '"0"' : `"${LegacyDec.zero}"`
  if (field.kind === 'bytes') return form === 'hex' ? '""' : 'null'
  if (field.kind === 'string') return '""'
  if (field.kind === 'bool') return 'false'
  return isQuotedNumber(field) ? '"0"' : '0'
}

function isQuotedNumber({ kind }: FieldDescriptor): boolean {
  return kind === 'int64' || kind === 'uint64' || kind === 'sint64' || kind === 'fixed64' || kind === 'sfixed64'
}

function elementWriter(
  field: FieldDescriptor,
  descriptors: Descriptors,
  writerOf: (typeName: string) => JsonWriter,
): JsonWriter {
  switch (field.kind) {
    case 'message':
      return writerOf(field.typeName)
    case 'enum': {
      const item = descriptors.enum(field.typeName)
      assert(item !== undefined, `enum ${field.typeName} is missing`)
      return enumWriter(item)
    }
    case 'string':
      return textWriters[textForm(field)]
    case 'bytes':
      return bytesWriters[bytesForm(field)]
    case 'bool':
      return (value) => (value === true ? 'true' : 'false')
    case 'double':
    case 'float':
      return (value) => (Number.isFinite(value) ? String(value) : `"${String(value)}"`)
    default:
      return isQuotedNumber(field) ? (value) => `"${String(value)}"` : (value) => String(value)
  }
}

function enumWriter(item: EnumDescriptor): JsonWriter {
  const names = new Map<unknown, string>()
  for (const { name, number } of enumNames(item)) if (!names.has(number)) names.set(number, quoteJson(name))
  return (value) => names.get(value ?? 0) ?? String(value)
}

const plainInt = /^(?:0|-?[1-9][0-9]{0,76})$/

const textWriters: Readonly<Record<ReturnType<typeof textForm>, JsonWriter>> = {
  text: (value) => quoteJson(value as string),
  int: (value) => {
    const text = value as string
    return `"${plainInt.test(text) ? text : parseInt256(text)}"`
  },
  dec: (value) => `"${LegacyDec.fromProto(value as string)}"`,
}

/** The text of a contract message; it is in the JSON as it is, so it must be JSON. */
function inlineJson(bytes: Bytes): string {
  let text: string
  try {
    text = bytesToUtf8(bytes)
  } catch {
    throw errors.badJson('contract message is not UTF-8')
  }
  parseJson(text)
  return compactJson(text)
}

const bytesWriters: Readonly<Record<ReturnType<typeof bytesForm>, JsonWriter>> = {
  base64: (value) => `"${encodeBase64(value as Bytes)}"`,
  hex: (value) => `"${bytesToHex(value as Bytes).toUpperCase()}"`,
  json: (value) => inlineJson(value as Bytes),
  int: (value) => textWriters.int(bytesToUtf8(value as Bytes)),
  dec: (value) => textWriters.dec(bytesToUtf8(value as Bytes)),
}
