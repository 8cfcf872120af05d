import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Secp256k1 } from './secp256k1.js'

const digestGiven = { prehash: false } as const

export function nobleSecp256k1(reason: string): Secp256k1 {
  return {
    name: 'noble',
    reason,
    verify: (signature, digest, publicKey) =>
      secp256k1.verify(signature, digest, publicKey, { ...digestGiven, lowS: true }),
    sign: (digest, privateKey) => secp256k1.sign(digest, privateKey, digestGiven),
    publicKey: (privateKey) => secp256k1.getPublicKey(privateKey, true),
  }
}
