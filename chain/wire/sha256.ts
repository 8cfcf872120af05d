import type { Bytes } from '@coin/base/bytes'
import * as native from '#native/hash'

/** 32 bytes. Native on Node (about half a microsecond for 300 bytes), pure JavaScript elsewhere. */
export function sha256(bytes: Bytes): Bytes {
  return native.sha256(bytes)
}

/** 64 lower-case hexadecimal digits. */
export function sha256Hex(bytes: Bytes): string {
  return native.sha256Hex(bytes)
}

/** 64 bytes. */
export function sha512(bytes: Bytes): Bytes {
  return native.sha512(bytes)
}

/** 20 bytes. */
export function ripemd160(bytes: Bytes): Bytes {
  return native.ripemd160(bytes)
}

/** 20 bytes: ripemd160 of sha256, the address of a compressed secp256k1 public key. */
export function hash160(bytes: Bytes): Bytes {
  return native.ripemd160(native.sha256(bytes))
}

/** 32 bytes. */
export function hmacSha256(key: Bytes, bytes: Bytes): Bytes {
  return native.hmacSha256(key, bytes)
}
