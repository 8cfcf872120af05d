import type { Bytes } from '@coin/base/bytes'

declare global {
  // Node has it and its types leave it out; it works on any byte array, where `toString` first needs a Buffer.
  interface Buffer {
    latin1Slice(start: number, end: number): string
  }
}

const { latin1Slice } = Buffer.prototype

/** Bytes as a key for a `Map`: one character per byte, in a tenth of a microsecond. */
export function mapKey(bytes: Bytes): string {
  return latin1Slice.call(bytes, 0, bytes.length)
}
