import { bytesToHex } from '@coin/base/bytes'
import { hmac } from '@noble/hashes/hmac.js'
import { ripemd160 as ripemd160Noble } from '@noble/hashes/legacy.js'
import { sha256 as sha256Noble, sha512 as sha512Noble } from '@noble/hashes/sha2.js'

export function sha256(bytes: Uint8Array): Uint8Array {
  return sha256Noble(bytes)
}

export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256Noble(bytes))
}

export function sha512(bytes: Uint8Array): Uint8Array {
  return sha512Noble(bytes)
}

export function ripemd160(bytes: Uint8Array): Uint8Array {
  return ripemd160Noble(bytes)
}

export function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return hmac(sha256Noble, key, bytes)
}
