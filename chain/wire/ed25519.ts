import type { Bytes } from '@coin/base/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import * as native from '#native/ed25519'
import { errors } from './errors.js'

/** The 32-byte seed of a private key given as the seed, or as Go writes it: 64 bytes, seed then public key. */
function seedOf(privateKey: Bytes): Bytes {
  if (privateKey.length === 32) return privateKey
  if (privateKey.length === 64) return privateKey.subarray(0, 32)
  throw errors.badKey(`ed25519 private key has ${privateKey.length} bytes, expected 32 or 64`)
}

/** 32 bytes. Throws `badKey`. */
export function ed25519PublicKey(privateKey: Bytes): Bytes {
  return native.publicKey(seedOf(privateKey))
}

/** 64 bytes. Throws `badKey`. */
export function signEd25519(privateKey: Bytes, message: Bytes): Bytes {
  return native.sign(seedOf(privateKey), message)
}

/**
 * CometBFT's rule (ZIP-215). Never throws. The native library is stricter, so its yes is final and only its no is asked
 * again of an implementation of the exact rule.
 */
export function verifyEd25519(publicKey: Bytes, message: Bytes, signature: Bytes): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  try {
    if (native.verifyStrict(publicKey, message, signature)) return true
  } catch {
    // the key is no point in canonical form: only ZIP-215 can tell
  }
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: true })
  } catch {
    return false
  }
}
