export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

/** The caller has checked the alphabet and the length. */
export function decodeBase64(text: string): Uint8Array {
  const buffer = Buffer.from(text, 'base64')
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
}
