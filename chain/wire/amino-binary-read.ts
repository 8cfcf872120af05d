import { type Bytes, bytesToHex, bytesToUtf8, emptyBytes } from '@coin/base/bytes'
import type { PackedMessage } from './amino-binary.js'
import {
  type AminoField,
  aminoFields,
  createAminoNames,
  createPrefixes,
  isVarint,
  prefixLength,
} from './amino-names.js'
import type { Descriptors, FieldDescriptor } from './descriptors.js'
import { errors } from './errors.js'
import type { CodecLookup, MessageCodec, ProtoObject } from './json-forms.js'
import { nsToDuration, type Timestamp } from './time.js'

/** Reads what `AminoBinaryWriter` writes. Input of any kind ends with an error of codespace `wire`, never worse. */
export interface AminoBinaryReader {
  /** Prefix and value of a registered message. */
  decodeAny(bytes: Bytes): PackedMessage
  /** The value alone, as the codec of the message would decode it. */
  decode(typeName: string, bytes: Bytes): object
}

type Read = (bytes: Bytes, depth: number) => unknown

/** Deepest nesting that is read; deeper input is refused instead of exhausting the stack. */
const depthMax = 100

export function createAminoBinaryReader(descriptors: Descriptors, codecOf: CodecLookup): AminoBinaryReader {
  const names = createAminoNames(descriptors)
  const context: Context = { descriptors, codecOf, prefixOf: createPrefixes(), readerOf }
  const readers = new Map<string, Read>()

  function decodeAny(bytes: Bytes, depth: number): PackedMessage {
    if (bytes.length < prefixLength) throw bad(`${bytesToHex(bytes)}, expected a prefix of ${prefixLength} bytes`)
    const typeName = names.typeOfPrefix(bytes.subarray(0, prefixLength))
    const message = readerOf(typeName)(bytes.subarray(prefixLength), depth + 1)
    return {
      typeUrl: `/${typeName}`,
      value: requireCodec(typeName, codecOf)
        .encode(message as never)
        .finish(),
    }
  }

  function readerOf(typeName: string): Read {
    let reader = readers.get(typeName)
    if (reader === undefined) {
      reader = (bytes, depth) => compiled(bytes, depth)
      readers.set(typeName, reader)
      const compiled: Read = typeName === 'google.protobuf.Any' ? decodeAny : createReader(typeName, context)
      readers.set(typeName, compiled)
    }
    return reader
  }

  return {
    decodeAny: (bytes) => decodeAny(bytes, 0),
    decode: (typeName, bytes) => readerOf(typeName)(bytes, 0) as object,
  }
}

interface Context {
  readonly descriptors: Descriptors
  readonly codecOf: CodecLookup
  readonly prefixOf: (name: string) => Bytes
  readonly readerOf: (typeName: string) => Read
}

const bad = (what: string): Error => errors.badValue(`amino: ${what}`)

function requireCodec(typeName: string, codecOf: CodecLookup): MessageCodec {
  const codec = codecOf(typeName)
  if (codec === undefined) throw errors.unknownType(`${typeName} has no codec`)
  return codec
}

function createReader(typeName: string, context: Context): Read {
  if (typeName === 'google.protobuf.Timestamp') return readTime
  const codec = requireCodec(typeName, context.codecOf)
  const empty = (): ProtoObject => codec.decode(emptyBytes) as ProtoObject
  const message = context.descriptors.requireMessage(typeName)
  if (message.aminoEncoding === 'key_field') {
    return (bytes) => {
      const cursor = { bytes, at: 0 }
      const key = readBytes(cursor)
      if (cursor.at !== bytes.length) throw bad(`bytes after the key of ${typeName}`)
      return { ...empty(), key: key.slice() }
    }
  }
  const parts = new Map(
    aminoFields(message, context.descriptors).map((part) => [part.number, partReader(part, context)]),
  )
  return (bytes, depth) => {
    if (depth > depthMax) throw bad(`more than ${depthMax} levels`)
    const target = empty()
    let last = 0
    for (const entry of entriesOf(bytes)) {
      const part = parts.get(entry.number)
      if (entry.number < last || (entry.number === last && !part?.isList))
        throw bad(`field ${entry.number} of ${typeName} after field ${last}`)
      last = entry.number
      part?.read(target, entry, depth)
    }
    return target
  }
}

interface Part {
  /** May come more than once in a row. */
  readonly isList: boolean
  read(target: ProtoObject, entry: Entry, depth: number): void
}

function partReader(part: AminoField, context: Context): Part {
  if (part.kind === 'field') return fieldReader(part.field, context)
  const members = part.members.map((field) => ({
    prefix: bytesToHex(context.prefixOf(field.amino.oneofName)),
    field: fieldReader(field, context),
  }))
  return {
    isList: false,
    read(target, entry, depth) {
      const bytes = bytesOf(entry, part.name)
      const prefix = bytesToHex(bytes.subarray(0, prefixLength))
      const member = members.find((it) => it.prefix === prefix)
      if (member === undefined) throw bad(`${part.name} has the unknown prefix ${prefix}`)
      for (const inner of entriesOf(bytes.subarray(prefixLength))) {
        if (inner.number === 1) member.field.read(target, inner, depth)
      }
    },
  }
}

function fieldReader(field: FieldDescriptor, context: Context): Part {
  const { property, name, repeated } = field
  if (isVarint(field)) {
    const fromVarint = varintReader(field)
    return {
      isList: false,
      read(target, entry) {
        if (!repeated) target[property] = fromVarint(integerOf(entry, name))
        else target[property] = packedOf(bytesOf(entry, name)).map(fromVarint)
      },
    }
  }
  const read: Read =
    field.kind === 'message'
      ? (bytes, depth) => context.readerOf(field.typeName)(bytes, depth + 1)
      : field.kind === 'string'
        ? (bytes) => bytesToUtf8(bytes)
        : (bytes) => bytes.slice()
  return {
    isList: repeated,
    read(target, entry, depth) {
      const value = read(bytesOf(entry, name), depth)
      if (repeated) (target[property] as unknown[]).push(value)
      else target[property] = value
    },
  }
}

function varintReader(field: FieldDescriptor): (value: bigint) => unknown {
  const within = (value: bigint, min: bigint, max: bigint): number => {
    if (value < min || value > max) throw bad(`${field.name} is ${value}, expected ${min} to ${max}`)
    return Number(value)
  }
  const signed = (value: bigint): bigint => BigInt.asIntN(64, value)
  switch (field.kind) {
    case 'message':
      return (value) => nsToDuration(signed(value))
    case 'bool':
      return (value) => within(value, 0n, 1n) === 1
    case 'enum':
    case 'int32':
    case 'sint32':
    case 'sfixed32':
      return (value) => within(signed(value), -(1n << 31n), (1n << 31n) - 1n)
    case 'uint32':
    case 'fixed32':
      return (value) => within(value, 0n, (1n << 32n) - 1n)
    case 'uint64':
    case 'fixed64':
      return (value) => value
    default:
      return signed
  }
}

const readTime: Read = (bytes): Timestamp => {
  let [seconds, nanos] = [0n, 0n]
  for (const entry of entriesOf(bytes)) {
    if (entry.number === 1) seconds = BigInt.asIntN(64, integerOf(entry, 'seconds'))
    if (entry.number === 2) nanos = integerOf(entry, 'nanos')
  }
  if (nanos > 999_999_999n) throw bad(`${nanos} nanoseconds, expected less than 1000000000`)
  if (seconds < -62_135_596_800n || seconds >= 253_402_300_800n) throw bad(`${seconds} is a second of no year to 9999`)
  return { seconds, nanos: Number(nanos) }
}

/** A field as it stands in the bytes. */
interface Entry {
  readonly number: number
  readonly value: bigint | Bytes
}

interface Cursor {
  readonly bytes: Bytes
  at: number
}

function* entriesOf(bytes: Bytes): Generator<Entry> {
  const cursor: Cursor = { bytes, at: 0 }
  while (cursor.at < bytes.length) {
    const key = readUvarint(cursor)
    const number = Number(key >> 3n)
    if (number < 1 || number >= 2 ** 29) throw bad(`field number ${key >> 3n}`)
    switch (key & 7n) {
      case 0n:
        yield { number, value: readUvarint(cursor) }
        break
      case 1n:
        yield { number, value: take(cursor, 8) }
        break
      case 2n:
        yield { number, value: readBytes(cursor) }
        break
      case 5n:
        yield { number, value: take(cursor, 4) }
        break
      default:
        throw bad(`type ${key & 7n} of field ${number}`)
    }
  }
}

function readUvarint(cursor: Cursor): bigint {
  let value = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at++]
    if (byte === undefined) throw bad('ends within a number')
    value |= BigInt(byte & 127) << shift
    if (byte < 128) {
      if (value >> 64n !== 0n) break
      return value
    }
  }
  throw bad('a number has more than 64 bits')
}

function readBytes(cursor: Cursor): Bytes {
  const length = readUvarint(cursor)
  if (length > BigInt(cursor.bytes.length - cursor.at))
    throw bad(`${length} bytes announced, ${cursor.bytes.length - cursor.at} left`)
  return take(cursor, Number(length))
}

function take(cursor: Cursor, length: number): Bytes {
  const end = cursor.at + length
  if (end > cursor.bytes.length) throw bad(`${length} bytes expected, ${cursor.bytes.length - cursor.at} left`)
  const bytes = cursor.bytes.subarray(cursor.at, end)
  cursor.at = end
  return bytes
}

function integerOf({ value }: Entry, name: string): bigint {
  if (typeof value !== 'bigint') throw bad(`${name} is bytes, expected a number`)
  return value
}

function bytesOf({ value }: Entry, name: string): Bytes {
  if (typeof value === 'bigint') throw bad(`${name} is a number, expected bytes`)
  return value
}

function packedOf(bytes: Bytes): bigint[] {
  const cursor: Cursor = { bytes, at: 0 }
  const values: bigint[] = []
  while (cursor.at < bytes.length) values.push(readUvarint(cursor))
  return values
}
