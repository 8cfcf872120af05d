import { type Bytes, concatBytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { type AminoField, aminoFields, createAminoNames, createPrefixes, isVarint } from './amino-names.js'
import type { Descriptors, FieldDescriptor } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import { bytesForm, type CodecLookup, type ProtoObject, textForm } from './json-forms.js'
import { anyTypeName } from './json-write.js'
import { type Duration, durationToNs, type Timestamp } from './time.js'

/** A packed message. */
export interface PackedMessage {
  readonly typeUrl: string
  readonly value: Bytes
}

/** Writes the binary form of go-amino v0.16, which the SDK had before protobuf and still gives out for old clients. */
export interface AminoBinaryWriter {
  /** Prefix and value of a registered message. Throws `notAmino` or `unknownType`. */
  encodeAny(any: PackedMessage): Bytes
  /** The value alone, of a message as its codec decodes it. */
  encode(typeName: string, message: object): Bytes
}

/** Value -> its bytes, without number and length. */
type Write = (value: unknown) => Bytes

interface Context {
  readonly descriptors: Descriptors
  readonly writerOf: (typeName: string) => Write
  readonly prefixOf: (name: string) => Bytes
}

const varintType = 0
const bytesType = 2

/** Writers per message are built at their first use. */
export function createAminoBinaryWriter(descriptors: Descriptors, codecOf: CodecLookup): AminoBinaryWriter {
  const names = createAminoNames(descriptors)
  const prefixOf = createPrefixes()
  const writers = new Map<string, Write>()

  function encodeAny({ typeUrl, value }: PackedMessage): Bytes {
    const typeName = anyTypeName(typeUrl)
    const codec = codecOf(typeName)
    if (codec === undefined) throw errors.unknownType(`type URL ${excerpt(typeUrl)} is not known to this chain`)
    return concatBytes(prefixOf(names.nameOf(typeName)), writerOf(typeName)(codec.decode(value)))
  }

  function writerOf(typeName: string): Write {
    let writer = writers.get(typeName)
    if (writer === undefined) {
      // Messages may contain themselves, so the name leads to a writer before its fields are looked at.
      writer = (value) => compiled(value)
      writers.set(typeName, writer)
      const compiled =
        typeName === 'google.protobuf.Any'
          ? (value: unknown) => encodeAny(value as PackedMessage)
          : createWriter(typeName, context)
      writers.set(typeName, compiled)
    }
    return writer
  }

  const context: Context = { descriptors, writerOf, prefixOf }
  return { encodeAny, encode: (typeName, message) => writerOf(typeName)(message) }
}

function createWriter(typeName: string, context: Context): Write {
  if (typeName === 'google.protobuf.Timestamp') return (value) => timeBytes(value as Timestamp)
  const message = context.descriptors.requireMessage(typeName)
  if (message.aminoEncoding === 'key_field') {
    return (value) => {
      const key = ((value as ProtoObject).key ?? emptyBytes) as Bytes
      return concatBytes(uvarint(BigInt(key.length)), key)
    }
  }
  if (message.aminoEncoding === 'module_account') throw errors.notAmino(`${typeName} has no binary form`)
  const parts = aminoFields(message, context.descriptors).map((field) => partWriter(field, context))
  return (value) => concatBytes(...parts.map((write) => write(value as ProtoObject)))
}

type PartWriter = (message: ProtoObject) => Bytes

function partWriter(part: AminoField, context: Context): PartWriter {
  if (part.kind === 'field') {
    const write = fieldWriter(part.number, part.field, context)
    return (message) => write(message[part.field.property])
  }
  // In Go a registered struct of one field.
  const members = part.members.map((field) => ({
    property: field.property,
    prefix: context.prefixOf(field.amino.oneofName),
    write: fieldWriter(1, field, context),
  }))
  return (message) => {
    const member = members.find(({ property }) => message[property] !== undefined)
    if (member === undefined) return emptyBytes
    return lengthDelimited(part.number, concatBytes(member.prefix, member.write(message[member.property])))
  }
}

/** Number, type and value; nothing for a value that Go counts as empty. */
function fieldWriter(number: number, field: FieldDescriptor, context: Context): Write {
  if (isVarint(field)) {
    const toInteger = varintOf(field)
    if (field.repeated) {
      return (value) => {
        const items = (value as readonly unknown[]).map((item) => uvarint(toInteger(item)))
        return items.length === 0 ? emptyBytes : lengthDelimited(number, concatBytes(...items))
      }
    }
    return (value) => {
      const integer = value === undefined ? 0n : toInteger(value)
      return integer === 0n ? emptyBytes : concatBytes(uvarint(BigInt((number << 3) | varintType)), uvarint(integer))
    }
  }
  const write = field.kind === 'message' ? context.writerOf(field.typeName) : scalarWriter(field)
  if (field.repeated) {
    return (value) => concatBytes(...(value as readonly unknown[]).map((item) => lengthDelimited(number, write(item))))
  }
  // A pointer to an empty struct is written, an empty struct is not.
  const isPointer = field.kind === 'message' && (field.nullable || field.typeName === 'google.protobuf.Any')
  return (value) => {
    if (value === undefined || (value === '' && field.nullable)) return emptyBytes
    const bytes = write(value)
    return bytes.length === 0 && !isPointer ? emptyBytes : lengthDelimited(number, bytes)
  }
}

function scalarWriter(field: FieldDescriptor): Write {
  if (field.kind === 'bytes') {
    const isNumber = bytesForm(field) === 'int' || bytesForm(field) === 'dec'
    return (value) => (isNumber && (value as Bytes).length === 0 ? utf8ToBytes('0') : (value as Bytes))
  }
  const isNumber = textForm(field) !== 'text'
  return (value) => utf8ToBytes(isNumber && value === '' ? '0' : (value as string))
}

/** Signed integers are written as 64 bits without sign, as protobuf does. */
function varintOf(field: FieldDescriptor): (value: unknown) => bigint {
  switch (field.kind) {
    case 'message':
      return (value) => BigInt.asUintN(64, durationToNs(value as Duration))
    case 'bool':
      return (value) => (value === true ? 1n : 0n)
    case 'double':
    case 'float':
    case 'group':
      throw errors.notAmino(`field ${field.name} is a ${field.kind}`)
    default:
      return (value) => BigInt.asUintN(64, BigInt(value as number | bigint))
  }
}

function timeBytes({ seconds, nanos }: Timestamp): Bytes {
  return concatBytes(
    seconds === 0n ? emptyBytes : concatBytes(Uint8Array.of(0x08), uvarint(BigInt.asUintN(64, seconds))),
    nanos === 0 ? emptyBytes : concatBytes(Uint8Array.of(0x10), uvarint(BigInt(nanos))),
  )
}

function lengthDelimited(number: number, bytes: Bytes): Bytes {
  return concatBytes(uvarint(BigInt((number << 3) | bytesType)), uvarint(BigInt(bytes.length)), bytes)
}

function uvarint(value: bigint): Bytes {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}
