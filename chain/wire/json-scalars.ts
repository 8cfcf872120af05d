import { assert } from '@coin/base/assert'
import { hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { decodeBase64 } from './base64.js'
import { LegacyDec } from './dec.js'
import type { Descriptors, FieldDescriptor, FieldKind } from './descriptors.js'
import { errors, excerpt } from './errors.js'
import { parseInt256 } from './int.js'
import { bytesForm, enumNames, textForm } from './json-forms.js'
import { describeNode, type JsonReader, rawText } from './json-read.js'
import { type JsonNode, JsonNumber } from './json-text.js'

/** Reader of one value of a field that is no message. Null is handled by the caller. */
export function scalarReader(field: FieldDescriptor, descriptors: Descriptors): JsonReader {
  switch (field.kind) {
    case 'string':
      return textReader(field)
    case 'bytes':
      return bytesReader(field)
    case 'bool':
      return readBool
    case 'enum':
      return enumReader(field.typeName, descriptors)
    case 'double':
    case 'float':
      return readFloat
    default:
      return integerReader(field.kind)
  }
}

function text(node: JsonNode, expected: string): string {
  if (typeof node !== 'string') throw errors.badValue(`${describeNode(node)}, expected ${expected}`)
  return node
}

const parseDecProto = (value: string): string => LegacyDec.parse(value).toProto()
const parseIntProto = (value: string): string => (value === '' ? badInt() : parseInt256(value).toString())

function badInt(): never {
  throw errors.badInteger('"", expected decimal digits')
}

function textReader(field: FieldDescriptor): JsonReader {
  const form = textForm(field)
  if (form === 'int') return (node) => parseIntProto(text(node, 'an integer as a string'))
  if (form === 'dec') return (node) => parseDecProto(text(node, 'a decimal as a string'))
  return (node) => text(node, 'a string')
}

function bytesReader(field: FieldDescriptor): JsonReader {
  switch (bytesForm(field)) {
    case 'json':
      return rawText
    case 'hex':
      return (node) => hexToBytes(text(node, 'hexadecimal'))
    case 'int':
      return (node) => utf8ToBytes(parseIntProto(text(node, 'an integer as a string')))
    case 'dec':
      return (node) => utf8ToBytes(parseDecProto(text(node, 'a decimal as a string')))
    default:
      return (node) => decodeBase64(text(node, 'base64'))
  }
}

function readBool(node: JsonNode): boolean {
  if (typeof node !== 'boolean') throw errors.badValue(`${describeNode(node)}, expected true or false`)
  return node
}

function readFloat(node: JsonNode): number {
  if (node === 'NaN') return Number.NaN
  if (node === 'Infinity') return Number.POSITIVE_INFINITY
  if (node === '-Infinity') return Number.NEGATIVE_INFINITY
  const digits = node instanceof JsonNumber ? node.text : text(node, 'a number')
  const value = Number(digits)
  if (digits.trim() === '' || !Number.isFinite(value)) throw errors.badValue(`${excerpt(digits)}, expected a number`)
  return value
}

const ranges: Readonly<Partial<Record<FieldKind, readonly [bits: number, signed: boolean]>>> = {
  int32: [32, true],
  sint32: [32, true],
  sfixed32: [32, true],
  uint32: [32, false],
  fixed32: [32, false],
  int64: [64, true],
  sint64: [64, true],
  sfixed64: [64, true],
  uint64: [64, false],
  fixed64: [64, false],
}

/** Decimal digits within the field's range: `number` for 32 bits, `bigint` for 64. Throws `badInteger` or `outOfRange`. */
export function parseFieldInteger(kind: FieldKind, digits: string): number | bigint {
  const range = ranges[kind]
  assert(range !== undefined, `${kind} is no integer`)
  const [bits, signed] = range
  if (digits.length > 30 || !/^-?(?:0|[1-9][0-9]*)$/.test(digits)) {
    throw errors.badInteger(`${excerpt(digits)}, expected ${signed ? 'an' : 'a non-negative'} integer of ${bits} bits`)
  }
  const value = BigInt(digits)
  const fits = signed ? BigInt.asIntN(bits, value) === value : BigInt.asUintN(bits, value) === value
  if (!fits)
    throw errors.outOfRange(`${digits}, expected ${signed ? 'a signed' : 'an unsigned'} integer of ${bits} bits`)
  return bits === 32 ? Number(value) : value
}

function integerReader(kind: FieldKind): JsonReader {
  return (node) => parseFieldInteger(kind, node instanceof JsonNumber ? node.text : text(node, 'an integer'))
}

/** Number of an enum value from its name, under the .proto name or the one that JSON uses. Throws `badValue`. */
export function enumParser(typeName: string, descriptors: Descriptors): (name: string) => number {
  const item = descriptors.enum(typeName)
  assert(item !== undefined, `enum ${typeName} is missing`)
  const numbers = new Map([...item.values, ...enumNames(item)].map(({ name, number }) => [name, number]))
  return (name) => {
    const number = numbers.get(name)
    if (number === undefined)
      throw errors.badValue(`${excerpt(name)} is no ${typeName}, expected one of ${[...numbers.keys()].join(', ')}`)
    return number
  }
}

function enumReader(typeName: string, descriptors: Descriptors): JsonReader {
  const parse = enumParser(typeName, descriptors)
  return (node) => {
    if (node instanceof JsonNumber) return parseFieldInteger('int32', node.text)
    return parse(text(node, `a name of ${typeName}`))
  }
}
