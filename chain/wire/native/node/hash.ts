import { createHash, createHmac, hash } from 'node:crypto'

const view = (buffer: Buffer): Uint8Array => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)

export function sha256(bytes: Uint8Array): Uint8Array {
  return view(hash('sha256', bytes, 'buffer'))
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
