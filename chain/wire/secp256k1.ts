import type { Bytes } from '@coin/base/bytes'
import { loadSecp256k1 } from '#native/secp256k1'
import { errors } from './errors.js'
import type { Secp256k1 } from './native/secp256k1.js'

let loaded: Secp256k1 | undefined

function backend(): Secp256k1 {
  loaded ??= loadSecp256k1()
  return loaded
}

/**
 * Which implementation verifies, and why it is not the native one. Whoever starts a node logs `reason` as a warning: pure
 * JavaScript verifies about 30 times slower.
 */
export function secp256k1Backend(): { readonly name: Secp256k1['name']; readonly reason?: string } {
  const { name, reason } = backend()
  return reason === undefined ? { name } : { name, reason }
}

/**
 * Whether `signature` (64 bytes, r and s, s in the lower half) of `digest` (32 bytes) was made with the compressed
 * `publicKey` (33 bytes). Never throws: anything malformed is false, and so is a high s, as in the Go SDK.
 */
export function verifySecp256k1(publicKey: Bytes, digest: Bytes, signature: Bytes): boolean {
  if (publicKey.length !== 33 || digest.length !== 32 || signature.length !== 64) return false
  if (publicKey[0] !== 2 && publicKey[0] !== 3) return false
  try {
    return backend().verify(signature, digest, publicKey)
  } catch {
    return false
  }
}

/** 64 bytes, r and s, deterministic (RFC 6979), low s. Throws `badKey`. */
export function signSecp256k1(privateKey: Bytes, digest: Bytes): Bytes {
  if (privateKey.length !== 32) throw errors.badKey(`private key has ${privateKey.length} bytes, expected 32`)
  if (digest.length !== 32) throw errors.badValue(`digest has ${digest.length} bytes, expected 32`)
  try {
    return backend().sign(digest, privateKey)
  } catch {
    throw errors.badKey('private key is zero or not below the order of secp256k1')
  }
}

/** Compressed, 33 bytes. Throws `badKey`. */
export function secp256k1PublicKey(privateKey: Bytes): Bytes {
  if (privateKey.length !== 32) throw errors.badKey(`private key has ${privateKey.length} bytes, expected 32`)
  try {
    return backend().publicKey(privateKey)
  } catch {
    throw errors.badKey('private key is zero or not below the order of secp256k1')
  }
}
