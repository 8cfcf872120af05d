import { type Bytes, hexToBytes } from '@coin/base/bytes'
import { secp256k1Address } from '@coin/wire/addresses'
import { PubKey } from '@coin/wire/gen/cosmos/crypto/secp256k1/keys'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sdkErrors } from './errors.js'

const secp256k1Type = '/cosmos.crypto.secp256k1.PubKey'
const secp256k1Bytes = 33

export function isSecp256k1({ typeUrl }: Any): boolean {
  return typeUrl === secp256k1Type
}

/** The compressed key, 33 bytes. Throws `invalidPubKey` for other kinds: they cannot sign transactions here. */
export function secp256k1KeyOf(pubKey: Any): Bytes {
  if (pubKey.typeUrl !== secp256k1Type) {
    throw sdkErrors.invalidPubKey(`unrecognized public key type: ${pubKey.typeUrl}, expected ${secp256k1Type}`)
  }
  const { key } = PubKey.decode(pubKey.value)
  if (key.length !== secp256k1Bytes) {
    throw sdkErrors.invalidPubKey(`secp256k1 public key of ${key.length} bytes, expected ${secp256k1Bytes}`)
  }
  return key
}

/** The account that the key belongs to, 20 bytes. */
export function publicKeyAddress(pubKey: Any): Bytes {
  return secp256k1Address(secp256k1KeyOf(pubKey))
}

/** Stands in for an account's unknown key in simulations; a valid point with the size that counts for gas. */
export const simulatedKey: Any = {
  typeUrl: secp256k1Type,
  value: PubKey.encode({
    key: hexToBytes('035ad6810a47f073553ff30d2fcc7e0d3b1c0b74b61a1aaa2582344037151e143a'),
  }).finish(),
}
