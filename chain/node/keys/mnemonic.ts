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

export function keyOf(privateKey: Bytes): AccountKey {
  return { privateKey, publicKey: secp256k1PublicKey(privateKey) }
}

/** 24 English words. */
export function newMnemonic(): string {
  return Bip39.encode(Random.getBytes(32)).toString()
}

/** The key of BIP 39 words at an HD path. Throws `badMnemonic`, which never repeats the words. */
export async function keyFromMnemonic(mnemonic: string, hdPath: string = hdPathDefault): Promise<AccountKey> {
  const words = mnemonic.trim().replaceAll(/\s+/g, ' ')
  let checked: EnglishMnemonic
  try {
    checked = new EnglishMnemonic(words)
  } catch {
    const count = words === '' ? 0 : words.split(' ').length
    throw nodeErrors.badMnemonic(
      `${count} words, expected 12, 15, 18, 21 or 24 of the English BIP 39 list with a right checksum`,
    )
  }
  const seed = await Bip39.mnemonicToSeed(checked)
  return keyOf(Slip10.derivePath(Slip10Curve.Secp256k1, seed, parsePath(hdPath)).privkey)
}

function parsePath(hdPath: string) {
  try {
    const path = stringToPath(hdPath)
    if (pathToString(path) === hdPath) return path
  } catch {
    // told below
  }
  throw nodeErrors.badFlag(`HD path "${hdPath}", expected one like ${hdPathDefault}`)
}
