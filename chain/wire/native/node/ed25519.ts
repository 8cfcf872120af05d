import { createPrivateKey, createPublicKey, type KeyObject, sign as signNode, verify as verifyNode } from 'node:crypto'

const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function privateKeyObject(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: 'der', type: 'pkcs8' })
}

export function publicKey(seed: Uint8Array): Uint8Array {
  const der = createPublicKey(privateKeyObject(seed)).export({ format: 'der', type: 'spki' })
  return new Uint8Array(der.subarray(publicPrefix.length))
}

export function sign(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return new Uint8Array(signNode(null, message, privateKeyObject(seed)))
}

/** Strict (RFC 8032, cofactorless): true here is true under ZIP-215 as well, false may be undecided. */
export function verifyStrict(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const object = createPublicKey({ key: Buffer.concat([publicPrefix, key]), format: 'der', type: 'spki' })
  return verifyNode(null, message, object, signature)
}
