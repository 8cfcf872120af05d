import type { Bytes } from '@coin/base/bytes'
import { protobufErrors as errors } from './errors.js'
import { readUtf8 } from './utf8.js'

/** Unknown fields of a message: tag (number * 8 + wire type) -> raw values as they stood on the wire. */
export type UnknownFields = { [tag: number]: Uint8Array[] }

/** Messages inside messages; the same limit as the Go implementation's default. */
const depthMax = 100

const varint = 0
const fixed64 = 1
const lengthDelimited = 2
const fixed32 = 5

/**
 * Reads protobuf's wire format and trusts nothing: every read stays inside the current message, varints and lengths that do
 * not fit are refused, and so are groups, field number 0, unknown wire types, invalid UTF-8 and deep nesting.
 * Generated code drives it; `bytes()` returns copies, so a decoded message never aliases its input.
 */
export class BinaryReader {
  pos = 0
  /** Where the current message ends. */
  len: number
  private readonly buf: Bytes
  private depth = 0
  private low = 0
  private high = 0

  constructor(buf: Bytes) {
    this.buf = buf
    this.len = buf.length
  }

  /** Starts a message of `length` bytes (all that is left when undefined) and returns its end. */
  enter(length?: number): number {
    if (++this.depth > depthMax) throw errors.tooDeep(`more than ${depthMax} levels`)
    if (length !== undefined) {
      const end = this.pos + length
      if (end > this.len) throw errors.badLength(`${length} bytes at ${this.pos}, ${this.len - this.pos} left`)
      this.len = end
    }
    return this.len
  }

  /** Ends the message; `outer` is the value of `len` before `enter`. */
  leave(outer: number): void {
    this.depth--
    this.len = outer
  }

  /** The end of a packed list. Check with `expectAt` after its last element. */
  packedEnd(): number {
    return this.length() + this.pos
  }

  expectAt(end: number): void {
    if (this.pos !== end) throw errors.badLength(`a packed list ends at ${end}, its last element at ${this.pos}`)
  }

  /** Field number * 8 + wire type, checked. */
  tag(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : 0
    if (first >= 8 && first < 0x80) {
      this.pos++
      return first
    }
    const start = this.pos
    this.varint64()
    if (this.high !== 0 || this.pos - start > 5) throw errors.badTag(`at ${start}: more than 32 bits`)
    if (this.low >>> 3 === 0) throw errors.badTag(`at ${start}: field number 0`)
    return this.low >>> 0
  }

  /** The length of what follows; it lies within the current message. */
  length(): number {
    const start = this.pos
    const length = this.uint32Checked()
    if (length > this.len - this.pos) throw errors.badLength(`${length} bytes at ${start}, ${this.len - this.pos} left`)
    return length
  }

  /** Keeps the value behind `tag` as it is. Groups are refused: nothing that we speak has them. */
  keepUnknown(tag: number, known: UnknownFields | undefined): UnknownFields {
    const value = this.raw(tag & 7)
    const fields = known ?? {}
    const list = fields[tag]
    if (list === undefined) fields[tag] = [value]
    else list.push(value)
    return fields
  }

  /** Steps over one value and returns its bytes, with the length prefix if it has one. */
  raw(wireType: number): Uint8Array {
    const start = this.pos
    this.stepOver(wireType)
    return this.buf.slice(start, this.pos)
  }

  /** Steps over one value. */
  stepOver(wireType: number): void {
    const start = this.pos
    if (wireType === varint) this.varint64()
    else if (wireType === fixed64) this.advance(8)
    else if (wireType === lengthDelimited) this.advance(this.length())
    else if (wireType === fixed32) this.advance(4)
    else throw errors.badTag(`at ${start}: wire type ${wireType}`)
  }

  wrongWireType(tag: number): Error {
    return errors.wrongWireType(`field ${tag >>> 3} before byte ${this.pos}: wire type ${tag & 7}`)
  }

  /** Bits above 32 are dropped, as the protobuf specification says. */
  uint32(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : 0x80
    if (first < 0x80) {
      this.pos++
      return first
    }
    this.varint64()
    return this.low >>> 0
  }

  int32(): number {
    return this.uint32() | 0
  }

  sint32(): number {
    const zigzag = this.uint32()
    return (zigzag >>> 1) ^ -(zigzag & 1)
  }

  bool(): boolean {
    this.varint64()
    return this.low !== 0 || this.high !== 0
  }

  uint64(): bigint {
    this.varint64()
    return this.unsigned()
  }

  int64(): bigint {
    this.varint64()
    return this.high < 0 ? BigInt.asIntN(64, this.unsigned()) : this.unsigned()
  }

  sint64(): bigint {
    this.varint64()
    const zigzag = this.unsigned()
    return (zigzag >> 1n) ^ -(zigzag & 1n)
  }

  fixed32(): number {
    return this.view().getUint32(this.advance(4), true)
  }

  sfixed32(): number {
    return this.view().getInt32(this.advance(4), true)
  }

  fixed64(): bigint {
    return this.view().getBigUint64(this.advance(8), true)
  }

  sfixed64(): bigint {
    return this.view().getBigInt64(this.advance(8), true)
  }

  float(): number {
    return this.view().getFloat32(this.advance(4), true)
  }

  double(): number {
    return this.view().getFloat64(this.advance(8), true)
  }

  /** A copy. */
  bytes(): Uint8Array {
    const length = this.length()
    const start = this.pos
    this.pos = start + length
    return this.buf.slice(start, this.pos)
  }

  string(): string {
    const length = this.length()
    const start = this.pos
    this.pos = start + length
    return readUtf8(this.buf, start, this.pos)
  }

  /** Made on demand: few messages have fixed-width fields. */
  private view(): DataView {
    return new DataView(this.buf.buffer, this.buf.byteOffset, this.buf.byteLength)
  }

  /** Moves on by `count` bytes; returns where they start. */
  private advance(count: number): number {
    const start = this.pos
    if (count > this.len - start) throw errors.truncated(`at ${start}: needs ${count} bytes`)
    this.pos = start + count
    return start
  }

  private uint32Checked(): number {
    const first = this.pos < this.len ? this.buf[this.pos]! : 0x80
    if (first < 0x80) {
      this.pos++
      return first
    }
    const start = this.pos
    this.varint64()
    if (this.high !== 0) throw errors.badLength(`at ${start}: more than 32 bits`)
    return this.low >>> 0
  }

  private unsigned(): bigint {
    if (this.high === 0) return BigInt(this.low >>> 0)
    const high = this.high >>> 0
    if (high < 0x200000) return BigInt(high * 0x100000000 + (this.low >>> 0))
    return (BigInt(high) << 32n) | BigInt(this.low >>> 0)
  }

  /** Reads up to ten bytes into `low` and `high`; the tenth may only hold the last bit. */
  private varint64(): void {
    const { buf, len } = this
    let pos = this.pos
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (pos >= len) throw errors.truncated(`at ${pos}: a varint`)
      const byte = buf[pos++]!
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else if (shift < 63) high |= bits << (shift - 32)
      else if (byte > 1) break
      else high |= byte << 31
      if (byte < 0x80) {
        this.pos = pos
        this.low = low
        this.high = high
        return
      }
    }
    throw errors.badVarint(`at ${this.pos}: more than 64 bits`)
  }
}
