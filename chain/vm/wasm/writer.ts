import type { Bytes } from '@coin/base/bytes'

/** A growing byte buffer with the encodings of the WebAssembly binary format. */
export class Writer {
  bytes: Uint8Array<ArrayBuffer>
  at = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(Math.max(capacity, 64))
  }

  /** Makes sure that `count` more bytes fit. */
  reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.at + count))
    larger.set(this.bytes.subarray(0, this.at))
    this.bytes = larger
  }

  byte(value: number): void {
    if (this.at === this.bytes.length) this.reserve(1)
    this.bytes[this.at++] = value
  }

  /** Copies `source[start, end)`. */
  copy(source: Bytes, start: number, end: number): void {
    const count = end - start
    this.reserve(count)
    // A short copy byte by byte is faster than making a view of the source.
    if (count <= 16) for (let i = 0; i < count; i++) this.bytes[this.at + i] = source[start + i]!
    else this.bytes.set(source.subarray(start, end), this.at)
    this.at += count
  }

  /** Unsigned LEB128 of a number below 2^32. */
  u32(value: number): void {
    this.reserve(5)
    let left = value
    while (left >= 0x80) {
      this.bytes[this.at++] = (left & 0x7f) | 0x80
      left = Math.floor(left / 128)
    }
    this.bytes[this.at++] = left
  }

  /** Signed LEB128 of a safe integer. */
  signed(value: number): void {
    this.reserve(10)
    let left = value
    for (;;) {
      const low = ((left % 128) + 128) % 128
      left = (left - low) / 128
      if ((left === 0 && low < 64) || (left === -1 && low >= 64)) {
        this.bytes[this.at++] = low
        return
      }
      this.bytes[this.at++] = low | 0x80
    }
  }

  /** Five bytes for a number that is not known yet: fill in with `patch`. Returns where. */
  hole(): number {
    this.reserve(5)
    this.at += 5
    return this.at - 5
  }

  /** Writes `value` (below 2^31) into a hole, padded to five bytes; fits unsigned and signed readers. */
  patch(at: number, value: number): void {
    for (let i = 0; i < 4; i++) this.bytes[at + i] = ((value >>> (7 * i)) & 0x7f) | 0x80
    this.bytes[at + 4] = (value >>> 28) & 0x7f
  }

  name(ascii: string): void {
    this.u32(ascii.length)
    for (let i = 0; i < ascii.length; i++) this.byte(ascii.charCodeAt(i))
  }

  /** A section or body: its size, then what `content` writes. */
  sized(content: () => void): void {
    const size = this.hole()
    const start = this.at
    content()
    this.patch(size, this.at - start)
  }

  result(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.at)
  }
}
