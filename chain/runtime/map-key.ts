import type { Bytes } from '@coin/base/bytes'

/** Bytes as a key for a `Map`: one character per byte. For hot paths; about ten times faster than hexadecimal. */
export function mapKey(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}
