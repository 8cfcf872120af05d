import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { isMultiKey } from '@coin/runtime/multisig'
import { publicKeyAddress } from '@coin/runtime/public-key'
import { secp256k1KeyOf } from '@coin/runtime/secp256k1-key'
import { ed25519Address } from '@coin/wire/addresses'
import { Record } from '@coin/wire/gen/cosmos/crypto/keyring/v1/record'
import { PrivKey } from '@coin/wire/gen/cosmos/crypto/secp256k1/keys'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { decodeAny, encodeAny } from '@coin/wire/registry'
import { nodeErrors } from '../errors.js'
import { type AccountKey, keyOf } from './mnemonic.js'

/** A key as anybody may see it. */
export interface KeyInfo {
  readonly name: string
  /** `local` can sign; `offline` is a public key only; `multi` takes several others to sign; `ledger` is on a device. */
  readonly type: 'local' | 'offline' | 'multi' | 'ledger'
  /** As transactions carry it. */
  readonly pubKey: Any
  /** 33 bytes, compressed secp256k1; empty for other kinds of keys. */
  readonly publicKey: Bytes
  /** 20 bytes. */
  readonly address: Bytes
}

const secp256k1Key = 'cosmos.crypto.secp256k1.PubKey'
const secp256k1PrivateKey = '/cosmos.crypto.secp256k1.PrivKey'
const ed25519Key = 'cosmos.crypto.ed25519.PubKey'

/** Throws what the key's decoding throws, `badFlag` for kinds that no account has. */
export function keyInfo(name: string, type: KeyInfo['type'], pubKey: Any): KeyInfo {
  if (pubKey.typeUrl === `/${ed25519Key}`) {
    const { key } = decodeAny(pubKey).message as { readonly key: Bytes }
    if (key.length !== 32) throw nodeErrors.badFlag(`ed25519 public key of ${key.length} bytes, expected 32`)
    return { name, type, pubKey, publicKey: emptyBytes, address: ed25519Address(key) }
  }
  const publicKey = isMultiKey(pubKey) ? emptyBytes : secp256k1KeyOf(pubKey)
  return { name, type, pubKey, publicKey, address: publicKeyAddress(pubKey) }
}

/** A secp256k1 key as transactions carry it. */
export function secp256k1Any(publicKey: Bytes): Any {
  return encodeAny(secp256k1Key, { key: publicKey })
}

export function localInfo(name: string, { publicKey }: Pick<AccountKey, 'publicKey'>): KeyInfo {
  return keyInfo(name, 'local', secp256k1Any(publicKey))
}

/** The `cosmos.crypto.keyring.v1.Record` of a key: what the Go keyring has in its items. */
export function encodeKeyRecord({ name, type, pubKey }: KeyInfo, privateKey?: Bytes): Bytes {
  const privKey = privateKey && { typeUrl: secp256k1PrivateKey, value: PrivKey.encode({ key: privateKey }).finish() }
  const kind = type === 'local' ? { local: { privKey } } : type === 'multi' ? { multi: {} } : { offline: {} }
  return Record.encode({ name, pubKey, ...kind }).finish()
}

export interface KeyRecord {
  readonly info: KeyInfo
  /** Absent unless the type is `local`. */
  readonly key: AccountKey | undefined
}

/** Throws `badFile`, naming what is wrong but never a secret. */
export function decodeKeyRecord(bytes: Bytes, item: string): KeyRecord {
  const bad = (what: string) => nodeErrors.badFile(`the keyring's item "${item}": ${what}`)
  let record: Record
  try {
    record = Record.decode(bytes)
  } catch {
    throw bad('not a key record; one of before SDK 0.46 is brought up to date by that chain\'s "keys migrate"')
  }
  const { name, pubKey, local, multi, ledger } = record
  if (pubKey === undefined) throw bad('no public key')
  const type = local ? 'local' : multi ? 'multi' : ledger ? 'ledger' : 'offline'
  const info = keyInfo(name, type, pubKey)
  if (type !== 'local') return { info, key: undefined }
  const { privKey } = local!
  if (privKey?.typeUrl !== secp256k1PrivateKey)
    throw bad(`its private key is of type ${privKey?.typeUrl}, expected ${secp256k1PrivateKey}`)
  const key = keyOf(PrivKey.decode(privKey.value).key)
  if (!Buffer.from(key.publicKey).equals(info.publicKey)) throw bad('its private key does not match its public key')
  return { info, key }
}
