import { ed25519 } from '@noble/curves/ed25519.js'

export function publicKey(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed)
}

export function sign(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return ed25519.sign(message, seed)
}

/** Strict (RFC 8032): true here is true under ZIP-215 as well. */
export function verifyStrict(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return ed25519.verify(signature, message, key, { zip215: false })
}
