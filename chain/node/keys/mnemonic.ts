import type { Bytes } from '@coin/base/bytes'
import { secp256k1PublicKey } from '@coin/wire/secp256k1'
import { Bip39, EnglishMnemonic, pathToString, Random, Slip10, Slip10Curve, stringToPath } from '@cosmjs/crypto'
import { nodeErrors } from '../errors.js'

/** An account key, secp256k1. */
export interface AccountKey {
  /** 32 bytes. */
  readonly privateKey: Bytes
  /** 33 bytes, compressed. */
  readonly publicKey: Bytes
}

/** BIP 44 path of the first account of a Cosmos chain. */
export const hdPathDefault = "m/44'/118'/0'/0/0"

/** The path of BIP 44; each at most 2^31 - 1. `hdPath({ coinType: 118, account: 0, index: 0 }) // "m/44'/118'/0'/0/0"` */
export function hdPath({ coinType, account, index }: { coinType: number; account: number; index: number }): string {
  return `m/44'/${coinType}'/${account}'/0/${index}`
}

/** Throws `badKey` of codespace `wire` for what is no secp256k1 key. */
export function keyOf(privateKey: Bytes): AccountKey {
  return { privateKey, publicKey: secp256k1PublicKey(privateKey) }
}

/** English words: 24 from 32 bytes of entropy, 12 from 16. */
export function newMnemonic(words: 12 | 24 = 24): string {
  return mnemonicOf(Random.getBytes(words === 24 ? 32 : 16))
}

/** BIP 39 words of 16, 20, 24, 28 or 32 bytes. */
export function mnemonicOf(entropy: Bytes): string {
  return Bip39.encode(entropy).toString()
}

export interface Derivation {
  readonly hdPath?: string
  /** Of BIP 39, often called the 25th word. */
  readonly passphrase?: string
}

/** The key of BIP 39 words at an HD path. Throws `badMnemonic`, which never repeats the words, and `badFlag` for the path. */
export async function keyFromMnemonic(
  mnemonic: string,
  { hdPath: path = hdPathDefault, passphrase = '' }: Derivation = {},
): Promise<AccountKey> {
  const seed = await Bip39.mnemonicToSeed(checkMnemonic(mnemonic), passphrase)
  return keyOf(Slip10.derivePath(Slip10Curve.Secp256k1, seed, parsePath(path)).privkey)
}

/** Words with a right checksum, spaces put in order. Throws `badMnemonic`. */
export function checkMnemonic(mnemonic: string): EnglishMnemonic {
  const words = mnemonic.trim().replaceAll(/\s+/g, ' ')
  try {
    return new EnglishMnemonic(words)
  } catch {
    const count = words === '' ? 0 : words.split(' ').length
    throw nodeErrors.badMnemonic(
      `${count} words, expected 12, 15, 18, 21 or 24 of the English BIP 39 list with a right checksum`,
    )
  }
}

/** The 64 bytes that BIP 39 makes of the words. Throws `badMnemonic`. */
export function seedOfMnemonic(mnemonic: string): Promise<Bytes> {
  return Bip39.mnemonicToSeed(checkMnemonic(mnemonic))
}

/** `m/44'/118'/0'/0/0`, also without `m/` as the reference takes it. */
function parsePath(text: string) {
  const whole = text.startsWith('m/') ? text : `m/${text}`
  try {
    const path = stringToPath(whole)
    if (pathToString(path) === whole) return path
  } catch {
    // told below
  }
  throw nodeErrors.badFlag(`HD path "${text}", expected one like ${hdPathDefault}`)
}
