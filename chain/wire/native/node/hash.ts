import { createHash, createHmac, hash } from 'node:crypto'

const view = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)

/** A string of 32 characters costs half as much as a new Buffer; measured 0.45 against 1.1 us for 300 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const text = hash('sha256', bytes, 'binary')
  const digest = new Uint8Array(32)
  for (let i = 0; i < 32; i++) digest[i] = text.charCodeAt(i)
  return digest
}

export function sha256Hex(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

export function sha512(bytes: Uint8Array): Uint8Array {
  return view(hash('sha512', bytes, 'buffer'))
}

export function ripemd160(bytes: Uint8Array): Uint8Array {
  return view(createHash('ripemd160').update(bytes).digest())
}

export function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return view(createHmac('sha256', key).update(bytes).digest())
}
