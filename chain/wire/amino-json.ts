import { type Bytes, bytesToUtf8, compareBytes, utf8ToBytes } from '@coin/base/bytes'
import { encodeBase64 } from './base64.js'
import { LegacyDec } from './dec.js'
import type { Descriptors, FieldDescriptor, MessageDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import { type CodecLookup, enumNames, mapEntryOf, type ProtoObject, textForm } from './json-forms.js'
import { JsonArray, type JsonNode, JsonNumber, JsonObject, parseJson, quoteJson } from './json-text.js'
import { anyTypeName } from './json-write.js'
import { type Duration, durationToNs, formatTimeRfc3339Nano, type Timestamp } from './time.js'

/**
 * The JSON that SIGN_MODE_LEGACY_AMINO_JSON signs, derived from the amino options of the descriptors as cosmossdk.io/x/tx's
 * aminojson package does: fields sorted by name, empty ones left out unless `dont_omitempty`, 64-bit integers as strings,
 * enums as numbers.
 */
export interface AminoJson {
  /** `{"type": ..., "value": ...}` of a packed message. Throws `notAmino` or `unknownType`. */
  stringifyAny(any: { readonly typeUrl: string; readonly value: Bytes }): string
  /** The value alone. */
  stringify(typeName: string, value: object): string
}

type Write = (value: unknown) => string

/** Ways in which amino JSON is written where nobody signs it. */
export interface AminoForm {
  /** Fields by name; otherwise in the order of the .proto file. */
  readonly sorted: boolean
  /** Enums by name; `own`: those alone that JSON has other names for than protobuf; otherwise by number. */
  readonly enumNames: boolean | 'own'
  /** Messages to contracts as they were sent; otherwise sorted too. */
  readonly keepsJson?: boolean
  /** Writers of messages that have another form, by full name. */
  readonly writers: Readonly<Record<string, (value: unknown) => string>>
}

const signedForm: AminoForm = { sorted: true, enumNames: false, writers: {} }

interface Context {
  readonly form: AminoForm
  readonly descriptors: Descriptors
  readonly codecOf: CodecLookup
  readonly writerOf: (typeName: string) => Write
}

/** Writers per message are built at their first use. */
export function createAminoJson(
  descriptors: Descriptors,
  codecOf: CodecLookup,
  form: AminoForm = signedForm,
): AminoJson {
  const writers = new Map<string, Write>(Object.entries(form.writers))
  const context: Context = { form, descriptors, codecOf, writerOf }
  function writerOf(typeName: string): Write {
    const known = writers.get(typeName)
    if (known !== undefined) return known
    // Messages may contain themselves, so the name leads to a writer before its fields are looked at.
    let write: Write = () => ''
    writers.set(typeName, (value) => write(value))
    write = createWriter(typeName, context)
    writers.set(typeName, write)
    return write
  }
  return {
    stringify: (typeName, value) => writerOf(typeName)(value),
    stringifyAny: (any) => writerOf('google.protobuf.Any')(any),
  }
}

function createWriter(typeName: string, context: Context): Write {
  if (typeName === 'google.protobuf.Timestamp') return (value) => `"${formatTimeRfc3339Nano(value as Timestamp)}"`
  if (typeName === 'google.protobuf.Duration') return (value) => `"${durationToNs(value as Duration)}"`
  if (typeName === 'google.protobuf.Any')
    return (value) => writeAny(value as { typeUrl: string; value: Bytes }, context)
  const message = context.descriptors.requireMessage(typeName)
  switch (message.aminoEncoding) {
    case 'key_field':
      return (value) => writeBytes((value as ProtoObject).key as Bytes)
    case 'threshold_string':
      return (value) => writeMultisigKey(value as { threshold: number; publicKeys: unknown[] }, context)
    case 'module_account':
      return (value) => writeModuleAccount(value as ModuleAccount)
    default:
      return messageWriter(message, context)
  }
}

function writeAny({ typeUrl, value }: { readonly typeUrl: string; readonly value: Bytes }, context: Context): string {
  const typeName = anyTypeName(typeUrl)
  const codec = context.codecOf(typeName)
  if (codec === undefined) throw errors.unknownType(`type URL ${excerpt(typeUrl)} is not known to this chain`)
  const name = context.descriptors.requireMessage(typeName).aminoName ?? typeUrl
  return `{"type":"${name}","value":${context.writerOf(typeName)(codec.decode(value))}}`
}

function writeBytes(bytes: Bytes | undefined): string {
  return bytes === undefined || bytes.length === 0 ? 'null' : `"${encodeBase64(bytes)}"`
}

function writeMultisigKey(
  { threshold, publicKeys }: { threshold: number; publicKeys: unknown[] },
  context: Context,
): string {
  return `{"pubkeys":[${publicKeys.map(context.writerOf('google.protobuf.Any')).join(',')}],"threshold":"${threshold}"}`
}

interface ModuleAccount {
  readonly baseAccount?: { readonly address: string; readonly accountNumber: bigint; readonly sequence: bigint }
  readonly name: string
  readonly permissions: readonly string[]
}

function writeModuleAccount({ baseAccount, name, permissions }: ModuleAccount): string {
  const list = permissions.length === 0 ? 'null' : `[${permissions.map(quoteJson).join(',')}]`
  return (
    `{"account_number":${baseAccount?.accountNumber ?? 0n},"address":${quoteJson(baseAccount?.address ?? '')},` +
    `"name":${quoteJson(name)},"permissions":${list},"public_key":"","sequence":${baseAccount?.sequence ?? 0n}}`
  )
}

/** `allow_list` -> `AllowList`, the Go name of a oneof. */
export function goName(name: string): string {
  return name
    .split(/[_\-. ]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

function messageWriter(message: MessageDescriptor, context: Context): Write {
  const parts = message.fields.map((field) => {
    if ((field.oneof !== undefined || field.optional) && field.amino.oneofName === '') {
      throw errors.notAmino(`field ${field.name} of ${message.name} is in a oneof without amino name`)
    }
    if (mapEntryOf(field, context.descriptors) !== undefined)
      throw errors.notAmino(`field ${field.name} of ${message.name} is a map`)
    const name = field.amino.fieldName || field.name
    return {
      field,
      name,
      order: field.oneof === undefined ? name : goName(field.oneof),
      write: fieldWriter(field, context),
    }
  })
  if (context.form.sorted) parts.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
  return (value) => {
    const values = value as ProtoObject
    const written: string[] = []
    const emptyOneofs = new Set<string>()
    for (const { field, name, order, write } of parts) {
      const it = values[field.property]
      if (field.oneof !== undefined) {
        if (it !== undefined)
          written.push(`"${order}":{"type":"${field.amino.oneofName}","value":{"${name}":${write(it)}}}`)
        else if (!emptyOneofs.has(order) && isOneofEmpty(message, field.oneof, values)) {
          emptyOneofs.add(order)
          written.push(`"${order}":null`)
        }
      } else if (isSet(field, it)) written.push(`"${name}":${write(it)}`)
      else if (field.amino.dontOmitEmpty) written.push(`"${name}":${writeUnset(field, message, write)}`)
    }
    return `{${written.join(',')}}`
  }
}

function isOneofEmpty(message: MessageDescriptor, oneof: string, values: ProtoObject): boolean {
  return message.fields.every((field) => field.oneof !== oneof || values[field.property] === undefined)
}

/** Whether the field would be on the wire. */
function isSet(field: FieldDescriptor, value: unknown): boolean {
  if (value === undefined) return false
  if (field.repeated || field.kind === 'bytes' || field.kind === 'string')
    return (value as { length: number }).length > 0
  return field.kind === 'message' || (value !== 0 && value !== 0n && value !== false)
}

function writeUnset(field: FieldDescriptor, message: MessageDescriptor, write: Write): string {
  if (field.repeated) return field.amino.encoding === 'legacy_coins' ? '[]' : 'null'
  switch (field.kind) {
    case 'message':
      throw errors.notAmino(`field ${field.name} of ${message.name} is missing`)
    case 'string':
      return write('')
    case 'bytes':
      return write(new Uint8Array(0))
    case 'bool':
      return 'false'
    default:
      return write(0)
  }
}

function fieldWriter(field: FieldDescriptor, context: Context): Write {
  const write = elementWriter(field, context)
  return field.repeated ? (value) => `[${(value as readonly unknown[]).map(write).join(',')}]` : write
}

function elementWriter(field: FieldDescriptor, context: Context): Write {
  switch (field.kind) {
    case 'message':
      return (value) => context.writerOf(field.typeName)(value)
    case 'string':
      return stringWriter(field)
    case 'bytes':
      if (field.amino.encoding === 'inline_json')
        return (value) => (context.form.keepsJson ? keptJson : sortedJson)(bytesToUtf8(value as Bytes))
      if (textForm(field) === 'text') return (value) => writeBytes(value as Bytes)
      return (value) => stringWriter(field)(bytesToUtf8(value as Bytes))
    case 'enum':
      return enumWriter(field, context)
    case 'bool':
    case 'int32':
    case 'uint32':
    case 'sint32':
    case 'fixed32':
    case 'sfixed32':
      return String
    case 'double':
    case 'float':
    case 'group':
      throw errors.notAmino(`field ${field.name} is a ${field.kind}`)
    default:
      return (value) => `"${String(value)}"`
  }
}

function enumWriter({ typeName }: FieldDescriptor, { descriptors, form }: Context): Write {
  const item = descriptors.enum(typeName)
  if (item === undefined || form.enumNames === false) return String
  const values = form.enumNames === 'own' ? enumNames(item) : item.values
  if (form.enumNames === 'own' && values === item.values) return String
  const names = new Map(values.map(({ name, number }) => [number as unknown, name]))
  return (value) => {
    const name = names.get(value)
    return name === undefined ? String(value) : `"${name}"`
  }
}

function stringWriter(field: FieldDescriptor): Write {
  if (field.scalar === 'cosmos.Dec' && textForm(field) === 'dec') {
    return (value) => (value === '' ? '"0"' : `"${LegacyDec.fromProto(value as string)}"`)
  }
  if (field.scalar === 'cosmos.Int') return (value) => (value === '' ? '"0"' : quoteJson(value as string))
  return (value) => quoteJson(value as string)
}

/**
 * A JSON text with members sorted by the bytes of their names, without spaces, numbers as Go prints a float64: that is what a
 * contract message looks like inside amino JSON. Throws `badJson`.
 */
export function sortedJson(text: string): string {
  return writeSorted(parseJson(text))
}

/** JSON text as it is. Throws `badJson` when it is none. */
function keptJson(text: string): string {
  parseJson(text)
  return text
}

function writeSorted(node: JsonNode): string {
  if (typeof node === 'string') return quoteJson(wellFormed(node))
  if (node instanceof JsonNumber) return writeNumber(node.text)
  if (node instanceof JsonArray) return `[${node.items.map(writeSorted).join(',')}]`
  if (!(node instanceof JsonObject)) return String(node)
  const members = [...node.members].map(([name, child]) => ({ name, bytes: utf8ToBytes(name), child }))
  members.sort((a, b) => compareBytes(a.bytes, b.bytes))
  return `{${members.map(({ name, child }) => `${quoteJson(wellFormed(name))}:${writeSorted(child)}`).join(',')}}`
}

/** Half of a surrogate pair becomes U+FFFD, as in Go. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? bytesToUtf8(utf8ToBytes(text)) : text
}

function writeNumber(digits: string): string {
  const value = Number(digits)
  if (!Number.isFinite(value)) throw errors.badJson(`number ${excerpt(digits)} is too large`)
  return Object.is(value, -0) ? '-0' : String(value)
}
