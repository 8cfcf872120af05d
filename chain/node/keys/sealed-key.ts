import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { type Bytes, base64ToBytes, bytesToBase64, utf8ToBytes } from '@coin/base/bytes'
import { nodeErrors } from '../errors.js'

/**
 * A private key under a passphrase: scrypt makes a key of its own from the passphrase and a fresh salt, AES-256-GCM seals with it
 * and also vouches for `context`, the name and public key in the clear beside it. Everything is base64.
 */
export interface SealedKey {
  readonly kdf: 'scrypt'
  /** Cost: 2^17 with r = 8 takes 128 MiB and about half a second. */
  readonly n: number
  readonly r: number
  readonly p: number
  readonly salt: string
  readonly cipher: 'aes-256-gcm'
  readonly nonce: string
  readonly ciphertext: string
  readonly tag: string
}

const cost = { n: 2 ** 17, r: 8, p: 1 } as const

/** A file that asks for more is not ours. */
const costMax = 2 ** 20

function deriveKey(passphrase: string, salt: Bytes, { n, r, p }: Pick<SealedKey, 'n' | 'r' | 'p'>): Buffer {
  return scryptSync(passphrase.normalize('NFKC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r })
}

export function sealKey(
  secret: Bytes,
  passphrase: string,
  context: string,
  { n, r, p } = cost as Pick<SealedKey, 'n' | 'r' | 'p'>,
): SealedKey {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(passphrase, salt, { n, r, p }), nonce)
  cipher.setAAD(utf8ToBytes(context))
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
  return {
    kdf: 'scrypt',
    n,
    r,
    p,
    salt: bytesToBase64(salt),
    cipher: 'aes-256-gcm',
    nonce: bytesToBase64(nonce),
    ciphertext: bytesToBase64(ciphertext),
    tag: bytesToBase64(cipher.getAuthTag()),
  }
}

/** Throws `badPassphrase` when the passphrase is wrong or anything was changed. */
export function openKey(sealed: SealedKey, passphrase: string, context: string): Bytes {
  const { n, r, p } = sealed
  const sane = [n, r, p].every((value) => Number.isSafeInteger(value) && value > 0) && n * r * p <= costMax * 8
  if (!sane || sealed.kdf !== 'scrypt' || sealed.cipher !== 'aes-256-gcm') throw nodeErrors.badFile('not a sealed key')
  const tag = base64ToBytes(sealed.tag)
  if (tag.length !== 16) throw nodeErrors.badFile('not a sealed key: the tag is cut')
  try {
    const key = deriveKey(passphrase, base64ToBytes(sealed.salt), sealed)
    const decipher = createDecipheriv('aes-256-gcm', key, base64ToBytes(sealed.nonce))
    decipher.setAAD(utf8ToBytes(context))
    decipher.setAuthTag(tag)
    return new Uint8Array(Buffer.concat([decipher.update(base64ToBytes(sealed.ciphertext)), decipher.final()]))
  } catch {
    throw nodeErrors.badPassphrase('the key cannot be opened with it')
  }
}
