import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { bytesToUtf8 } from '@coin/base/bytes'

/**
 * A protobuf message taken apart without its schema: field number -> values in order. For trusted bytes only, that is our own
 * descriptor set, whose options are extensions that generated codecs do not know.
 */
export class RawMessage {
  private readonly values = new Map<number, (bigint | Bytes)[]>()

  constructor(bytes: Bytes) {
    let at = 0
    const varint = (): bigint => {
      let value = 0n
      for (let shift = 0n; ; shift += 7n) {
        assert(at < bytes.length && shift < 70n, 'descriptor set is cut short')
        const byte = bytes[at++]!
        value |= BigInt(byte & 0x7f) << shift
        if (byte < 0x80) return value
      }
    }
    while (at < bytes.length) {
      const tag = Number(varint())
      const list = this.values.get(tag >>> 3) ?? []
      this.values.set(tag >>> 3, list)
      if ((tag & 7) === 0) list.push(varint())
      else {
        const length = (tag & 7) === 2 ? Number(varint()) : (tag & 7) === 1 ? 8 : 4
        assert(at + length <= bytes.length, 'descriptor set is cut short')
        list.push(bytes.subarray(at, at + length))
        at += length
      }
    }
  }

  has(field: number): boolean {
    return this.values.has(field)
  }

  /** 0 when absent; the last of several. */
  number(field: number): number {
    const value = this.values.get(field)?.at(-1)
    return typeof value === 'bigint' ? Number(BigInt.asIntN(64, value)) : 0
  }

  bool(field: number, missing = false): boolean {
    return this.has(field) ? this.number(field) !== 0 : missing
  }

  bytesList(field: number): readonly Bytes[] {
    return (this.values.get(field) ?? []).filter((value) => value instanceof Uint8Array)
  }

  /** Empty when absent. */
  text(field: number): string {
    const value = this.bytesList(field).at(-1)
    return value === undefined ? '' : bytesToUtf8(value)
  }

  texts(field: number): readonly string[] {
    return this.bytesList(field).map(bytesToUtf8)
  }

  messages(field: number): readonly RawMessage[] {
    return this.bytesList(field).map((bytes) => new RawMessage(bytes))
  }

  /** The message in `field`, or an empty one. */
  message(field: number): RawMessage {
    return new RawMessage(this.bytesList(field).at(-1) ?? new Uint8Array(0))
  }
}
