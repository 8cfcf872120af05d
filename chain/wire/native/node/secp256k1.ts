import { createRequire } from 'node:module'
import { nobleSecp256k1 } from '../noble-secp256k1.js'
import type { Secp256k1 } from '../secp256k1.js'

interface Addon {
  ecdsaVerify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
  ecdsaSign(message: Uint8Array, privateKey: Uint8Array): { readonly signature: Uint8Array }
  publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array
}

/**
 * libsecp256k1, or noble with the reason why. The package's own entry falls back to `elliptic` without a word, which is 30
 * times slower and has had signature bugs, so its native bindings are asked for directly.
 */
export function loadSecp256k1(): Secp256k1 {
  let addon: Addon
  try {
    addon = createRequire(import.meta.url)('secp256k1/bindings.js') as Addon
  } catch (error) {
    return nobleSecp256k1(`libsecp256k1 could not be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
  return {
    name: 'libsecp256k1',
    verify: (signature, digest, publicKey) => addon.ecdsaVerify(signature, digest, publicKey),
    sign: (digest, privateKey) => addon.ecdsaSign(digest, privateKey).signature,
    publicKey: (privateKey) => addon.publicKeyCreate(privateKey, true),
  }
}
