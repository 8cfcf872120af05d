import type { Bytes } from '@coin/base/bytes'
import type { Descriptors, MessageDescriptor } from '../descriptors.js'
import { protobufErrors as errors } from './errors.js'
import { BinaryReader } from './reader.js'

/** Tells whether `bytes` had unknown fields that may be ignored; throws `unknownField` at one that may not. */
export type UnknownFieldCheck = (
  typeName: string,
  bytes: Bytes,
  options?: {
    /** Lets field numbers with bit 1024 set pass, as in a TxBody (ADR-020). */
    readonly allowNonCritical: boolean
  },
) => boolean

/** Field number -> the message inside, `undefined` for everything else. */
type Shape = { readonly name: string; readonly fields: Map<number, string | undefined> }

const nonCriticalBit = 1024
const lengthDelimited = 2
const anyName = 'google.protobuf.Any'
const anyTypeUrlTag = (1 << 3) | lengthDelimited
const anyValueTag = (2 << 3) | lengthDelimited

/**
 * The check that a node makes before it trusts a signature: a field that this node does not know could change what the
 * signer meant, so it is an error wherever it stands, also inside `Any` values, whose types must be known too.
 * Repeated calls are cheap: field tables are built once per message type.
 *
 * @example
 * const check = createUnknownFieldCheck(descriptors())
 * check('cosmos.tx.v1beta1.TxBody', bodyBytes, { allowNonCritical: true }) // false: nothing unknown
 */
export function createUnknownFieldCheck(descriptors: Descriptors): UnknownFieldCheck {
  const shapes = new Map<string, Shape>()
  const shapeOf = (name: string): Shape => {
    const known = shapes.get(name)
    if (known !== undefined) return known
    const message = descriptors.message(name)
    if (message === undefined) throw errors.unknownType(`"${name.slice(0, 120)}"`)
    const shape = toShape(message)
    shapes.set(name, shape)
    return shape
  }
  return (typeName, bytes, options) => {
    const walk: Walk = {
      shapeOf,
      reader: new BinaryReader(bytes),
      allowNonCritical: options?.allowNonCritical === true,
    }
    return walkMessage(walk, shapeOf(typeName), undefined)
  }
}

function toShape(message: MessageDescriptor): Shape {
  return {
    name: message.name,
    fields: new Map(
      message.fields.map((field) => [field.number, field.kind === 'message' ? field.typeName : undefined]),
    ),
  }
}

interface Walk {
  readonly shapeOf: (name: string) => Shape
  readonly reader: BinaryReader
  readonly allowNonCritical: boolean
}

function walkMessage(walk: Walk, shape: Shape, length: number | undefined): boolean {
  const { reader } = walk
  const outer = reader.len
  const end = reader.enter(length)
  let ignored = false
  while (reader.pos < end) {
    const tag = reader.tag()
    const number = tag >>> 3
    const inner = shape.fields.get(number)
    if (inner === undefined) {
      if (!shape.fields.has(number)) {
        refuseUnknown(walk, shape, tag)
        ignored = true
      }
      reader.stepOver(tag & 7)
      continue
    }
    if ((tag & 7) !== lengthDelimited) throw reader.wrongWireType(tag)
    const inside =
      inner === anyName ? walkAny(walk, reader.length()) : walkMessage(walk, walk.shapeOf(inner), reader.length())
    ignored = ignored || inside
  }
  reader.leave(outer)
  return ignored
}

/** First the two fields of the `Any`, then the message in it. */
function walkAny(walk: Walk, length: number): boolean {
  const { reader } = walk
  const outer = reader.len
  const end = reader.enter(length)
  let typeUrl = ''
  let value = { start: reader.pos, length: 0 }
  let ignored = false
  while (reader.pos < end) {
    const tag = reader.tag()
    if (tag === anyTypeUrlTag) typeUrl = reader.string()
    else if (tag === anyValueTag) {
      const size = reader.length()
      value = { start: reader.pos, length: size }
      reader.pos += size
    } else {
      if (tag >>> 3 <= 2) throw reader.wrongWireType(tag)
      refuseUnknown(walk, { name: anyName, fields: new Map() }, tag)
      ignored = true
      reader.stepOver(tag & 7)
    }
  }
  if (!typeUrl.startsWith('/')) throw errors.unknownType(`type URL "${typeUrl.slice(0, 120)}"`)
  reader.pos = value.start
  const inside = walkMessage(walk, walk.shapeOf(typeUrl.slice(1)), value.length)
  reader.pos = end
  reader.leave(outer)
  return ignored || inside
}

function refuseUnknown(walk: Walk, shape: Shape, tag: number): void {
  const number = tag >>> 3
  if (walk.allowNonCritical && (number & nonCriticalBit) !== 0) return
  throw errors.unknownField(`${shape.name}: field ${number}, wire type ${tag & 7}`)
}

/**
 * ADR-027 for the outermost layer of a transaction, whose bytes nobody signs: fields in ascending order, lengths and tags as
 * short as they can be, so that there is one encoding and one hash. Throws `notCanonical`.
 */
export function checkTxRawCanonical(bytes: Bytes): void {
  const reader = new BinaryReader(bytes)
  let previous = 0
  while (reader.pos < reader.len) {
    const start = reader.pos
    const tag = reader.tag()
    if ((tag & 7) !== lengthDelimited) throw reader.wrongWireType(tag)
    if (tag < previous) throw errors.notCanonical(`field ${tag >>> 3} after field ${previous >>> 3} of the transaction`)
    if (reader.pos - start !== varintSize(tag))
      throw errors.notCanonical(`the tag at ${start} of the transaction is too long`)
    previous = tag
    const lengthAt = reader.pos
    const length = reader.length()
    if (reader.pos - lengthAt !== varintSize(length)) {
      throw errors.notCanonical(`the length at ${lengthAt} of the transaction is written in too many bytes`)
    }
    reader.pos += length
  }
}

function varintSize(value: number): number {
  let size = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) size++
  return size
}
