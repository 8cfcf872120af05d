import { assert } from '@coin/base/assert'
import { protobufErrors as errors } from './errors.js'
import type { UnknownFields } from './reader.js'
import { writeUtf8 } from './utf8.js'

const firstSize = 512

/** Buffers of finished writers, so that encoding a small message allocates only its result. */
const spare: Uint8Array<ArrayBuffer>[] = []
const spareMax = 8
const spareSizeMax = 1 << 16

/**
 * Writes protobuf's wire format. Numbers that do not fit their type are refused instead of cut.
 * `finish()` returns a copy and makes the writer empty again.
 */
export class BinaryWriter {
  private buf: Uint8Array<ArrayBuffer> = spare.pop() ?? new Uint8Array(firstSize)
  private pos = 0
  private readonly forks: number[] = []

  finish(): Uint8Array<ArrayBuffer> {
    assert(this.forks.length === 0, 'a fork was not joined')
    const result = this.buf.slice(0, this.pos)
    if (this.buf.length <= spareSizeMax && spare.length < spareMax) {
      spare.push(this.buf)
      this.buf = new Uint8Array(0)
    }
    this.pos = 0
    return result
  }

  /** Starts a length-delimited value; `join` puts its length in front. One byte is set aside, as most are short. */
  fork(): this {
    this.reserve(1)
    this.forks.push(this.pos)
    this.pos++
    return this
  }

  join(): this {
    const at = this.forks.pop()
    assert(at !== undefined, 'join without fork')
    const length = this.pos - at - 1
    if (length < 0x80) {
      this.buf[at] = length
      return this
    }
    const size = varintSize(length)
    this.reserve(size)
    this.buf.copyWithin(at + size, at + 1, this.pos)
    this.pos = at
    this.varint32(length)
    this.pos += length
    return this
  }

  raw(chunk: Uint8Array): this {
    this.reserve(chunk.length)
    this.buf.set(chunk, this.pos)
    this.pos += chunk.length
    return this
  }

  /** Unknown fields as `BinaryReader.keepUnknown` kept them. */
  unknown(fields: UnknownFields): this {
    for (const [tag, values] of Object.entries(fields)) for (const value of values) this.uint32(Number(tag)).raw(value)
    return this
  }

  uint32(value: number): this {
    if (value >>> 0 !== value) throw errors.outOfRange(`${value} as uint32`)
    this.reserve(5)
    this.varint32(value)
    return this
  }

  /** Negative numbers take ten bytes, as the specification says. */
  int32(value: number): this {
    if ((value | 0) !== value) throw errors.outOfRange(`${value} as int32`)
    this.reserve(10)
    if (value >= 0) this.varint32(value)
    else this.varint64(value >>> 0, 0xffffffff)
    return this
  }

  sint32(value: number): this {
    if ((value | 0) !== value) throw errors.outOfRange(`${value} as sint32`)
    this.reserve(5)
    this.varint32(((value << 1) ^ (value >> 31)) >>> 0)
    return this
  }

  bool(value: boolean): this {
    this.reserve(1)
    this.buf[this.pos++] = value ? 1 : 0
    return this
  }

  uint64(value: bigint): this {
    if (BigInt.asUintN(64, value) !== value) throw errors.outOfRange(`${value} as uint64`)
    return this.bits64(value)
  }

  int64(value: bigint): this {
    if (BigInt.asIntN(64, value) !== value) throw errors.outOfRange(`${value} as int64`)
    return this.bits64(value)
  }

  sint64(value: bigint): this {
    if (BigInt.asIntN(64, value) !== value) throw errors.outOfRange(`${value} as sint64`)
    return this.bits64(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)))
  }

  fixed32(value: number): this {
    if (value >>> 0 !== value) throw errors.outOfRange(`${value} as fixed32`)
    return this.view(4, (view, at) => view.setUint32(at, value, true))
  }

  sfixed32(value: number): this {
    if ((value | 0) !== value) throw errors.outOfRange(`${value} as sfixed32`)
    return this.view(4, (view, at) => view.setInt32(at, value, true))
  }

  fixed64(value: bigint): this {
    if (BigInt.asUintN(64, value) !== value) throw errors.outOfRange(`${value} as fixed64`)
    return this.view(8, (view, at) => view.setBigUint64(at, value, true))
  }

  sfixed64(value: bigint): this {
    if (BigInt.asIntN(64, value) !== value) throw errors.outOfRange(`${value} as sfixed64`)
    return this.view(8, (view, at) => view.setBigInt64(at, value, true))
  }

  float(value: number): this {
    if (Number.isFinite(value) && !Number.isFinite(Math.fround(value))) throw errors.outOfRange(`${value} as float`)
    return this.view(4, (view, at) => view.setFloat32(at, value, true))
  }

  double(value: number): this {
    return this.view(8, (view, at) => view.setFloat64(at, value, true))
  }

  bytes(value: Uint8Array): this {
    return this.uint32(value.length).raw(value)
  }

  /** UTF-8; a lone surrogate becomes U+FFFD. */
  string(value: string): this {
    const most = value.length * 3
    const guess = varintSize(value.length)
    this.reserve(most + 5)
    const start = this.pos
    const written = writeUtf8(value, this.buf, start + guess)
    const size = varintSize(written)
    if (size !== guess) this.buf.copyWithin(start + size, start + guess, start + guess + written)
    this.varint32(written)
    this.pos += written
    return this
  }

  private view(size: number, write: (view: DataView, at: number) => void): this {
    this.reserve(size)
    write(new DataView(this.buf.buffer, this.buf.byteOffset), this.pos)
    this.pos += size
    return this
  }

  private bits64(value: bigint): this {
    this.reserve(10)
    if (value >= 0n && value <= 0xffffffffn) this.varint32(Number(value))
    else this.varint64(Number(BigInt.asUintN(32, value)), Number(BigInt.asUintN(32, value >> 32n)))
    return this
  }

  /** `value` is a uint32; room is reserved. */
  private varint32(value: number): void {
    const { buf } = this
    let { pos } = this
    let rest = value
    while (rest > 0x7f) {
      buf[pos++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    buf[pos++] = rest
    this.pos = pos
  }

  private varint64(low: number, high: number): void {
    const { buf } = this
    let { pos } = this
    let lo = low >>> 0
    let hi = high >>> 0
    while (hi > 0 || lo > 0x7f) {
      buf[pos++] = (lo & 0x7f) | 0x80
      lo = ((lo >>> 7) | (hi << 25)) >>> 0
      hi >>>= 7
    }
    buf[pos++] = lo
    this.pos = pos
  }

  private reserve(count: number): void {
    const needed = this.pos + count
    if (needed <= this.buf.length) return
    const grown = new Uint8Array(Math.max(needed, this.buf.length * 2, firstSize))
    grown.set(this.buf.subarray(0, this.pos))
    this.buf = grown
  }
}

function varintSize(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  if (value < 0x200000) return 3
  return value < 0x10000000 ? 4 : 5
}
