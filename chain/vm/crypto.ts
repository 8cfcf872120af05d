import { createPublicKey, verify as nativeVerify } from 'node:crypto'
import { type Bytes, concatBytes } from '@coin/base/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import secp256k1 from 'secp256k1'

/** Answers of the crypto host functions, as cosmwasm-crypto numbers them. */
export const cryptoCodes = {
  ok: 0,
  invalid: 1,
  hashFormat: 3,
  signatureFormat: 4,
  keyFormat: 5,
  recoveryParam: 6,
  batch: 7,
  point: 8,
  hashFunction: 9,
  generic: 10,
  pairingG1: 11,
  pairingG2: 12,
  pairingCount: 13,
  aggregateEmpty: 14,
  aggregateMultiple: 15,
} as const

/** The code for a malformed input, or `undefined`. Keys are 33 bytes (02, 03) or 65 bytes (04). */
function ecdsaFormat(hash: Bytes, signature: Bytes, key: Bytes | undefined): number | undefined {
  if (hash.length !== 32) return cryptoCodes.hashFormat
  if (signature.length !== 64) return cryptoCodes.signatureFormat
  if (key === undefined) return undefined
  const compressed = (key[0] === 2 || key[0] === 3) && key.length === 33
  return compressed || (key[0] === 4 && key.length === 65) ? undefined : cryptoCodes.keyFormat
}

const isZero = (bytes: Bytes): boolean => bytes.every((byte) => byte === 0)

/** A high s counts as its low counterpart, which libsecp256k1 insists on. `undefined` if r or s is out of range. */
function normalised(signature: Bytes): Bytes | undefined {
  if (isZero(signature.subarray(0, 32)) || isZero(signature.subarray(32))) return undefined
  try {
    return secp256k1.signatureNormalize(Uint8Array.from(signature))
  } catch {
    return undefined
  }
}

/** 0 valid, 1 not, otherwise why it could not be checked. High and low s are accepted. */
export function secp256k1Verify(hash: Bytes, signature: Bytes, key: Bytes): number {
  const problem = ecdsaFormat(hash, signature, key)
  if (problem !== undefined) return problem
  const low = normalised(signature)
  if (low === undefined || !secp256k1.publicKeyVerify(key)) return cryptoCodes.generic
  return secp256k1.ecdsaVerify(low, hash, key) ? cryptoCodes.ok : cryptoCodes.invalid
}

/** The 65-byte key that made the signature, or a code. Only parameters 0 and 1 are supported. */
export function secp256k1Recover(hash: Bytes, signature: Bytes, param: number): Bytes | number {
  const problem = ecdsaFormat(hash, signature, undefined)
  if (problem !== undefined) return problem
  if (param !== 0 && param !== 1) return cryptoCodes.recoveryParam
  if (normalised(signature) === undefined) return cryptoCodes.generic
  try {
    return secp256k1.ecdsaRecover(signature, param, hash, false)
  } catch {
    return cryptoCodes.generic
  }
}

/** As `secp256k1Verify`, on the curve P-256. Node's own crypto cannot take a digest, so this is the slow library. */
export function secp256r1Verify(hash: Bytes, signature: Bytes, key: Bytes): number {
  const problem = ecdsaFormat(hash, signature, key)
  if (problem !== undefined) return problem
  try {
    p256.Signature.fromBytes(signature, 'compact')
    p256.Point.fromBytes(key)
  } catch {
    return cryptoCodes.generic
  }
  return p256.verify(signature, hash, key, { prehash: false, lowS: false }) ? cryptoCodes.ok : cryptoCodes.invalid
}

/** As `secp256k1Recover`, on the curve P-256, with parameters 0 to 3. */
export function secp256r1Recover(hash: Bytes, signature: Bytes, param: number): Bytes | number {
  const problem = ecdsaFormat(hash, signature, undefined)
  if (problem !== undefined) return problem
  if (param > 3) return cryptoCodes.recoveryParam
  try {
    return p256.Signature.fromBytes(signature, 'compact').addRecoveryBit(param).recoverPublicKey(hash).toBytes(false)
  } catch {
    return cryptoCodes.generic
  }
}

/** What stands before the 32 bytes of a key in its DER form. */
const edKeyPrefix = Uint8Array.of(0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)

/**
 * By the rules of ZIP 215. What Node's own (20 times faster) check accepts, those rules accept too; what it rejects is
 * looked at again by the library that implements them.
 */
function ed25519Valid(message: Bytes, signature: Bytes, key: Bytes): boolean {
  try {
    const native = createPublicKey({ key: concatBytes(edKeyPrefix, key) as Buffer, format: 'der', type: 'spki' })
    if (nativeVerify(null, message, native, signature)) return true
  } catch {
    // The library below has the last word.
  }
  try {
    return ed25519.verify(signature, message, key, { zip215: true })
  } catch {
    return false
  }
}

function edFormat(signature: Bytes, key: Bytes): number | undefined {
  if (signature.length !== 64) return cryptoCodes.signatureFormat
  return key.length === 32 ? undefined : cryptoCodes.keyFormat
}

export function ed25519Verify(message: Bytes, signature: Bytes, key: Bytes): number {
  const problem = edFormat(signature, key)
  if (problem !== undefined) return problem
  return ed25519Valid(message, signature, key) ? cryptoCodes.ok : cryptoCodes.invalid
}

/**
 * All of n (message, signature, key), or one message under n keys, or n messages under one key. No signature at all is
 * valid. Checked one by one: the verdict of a batch is the same up to a probability of 2^-128.
 */
export function ed25519BatchVerify(
  messages: readonly Bytes[],
  signatures: readonly Bytes[],
  keys: readonly Bytes[],
): number {
  const count = signatures.length
  const oneMessage = messages.length === 1 && keys.length === count
  const oneKey = keys.length === 1 && messages.length === count
  if (!oneMessage && !oneKey && (messages.length !== count || keys.length !== count)) return cryptoCodes.batch
  const items = signatures.map((signature, i) => ({
    signature,
    message: messages[messages.length === count ? i : 0]!,
    key: keys[keys.length === count ? i : 0]!,
  }))
  for (const item of items) {
    const problem = edFormat(item.signature, item.key)
    if (problem !== undefined) return problem
  }
  const valid = items.every((item) => ed25519Valid(item.message, item.signature, item.key))
  return valid ? cryptoCodes.ok : cryptoCodes.invalid
}
