import type { Bytes } from '@coin/base/bytes'
import { PubKey } from '@coin/wire/gen/cosmos/crypto/secp256k1/keys'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sdkErrors } from './errors.js'

export const secp256k1Type = '/cosmos.crypto.secp256k1.PubKey'
const secp256k1Bytes = 33

export function isSecp256k1({ typeUrl }: Any): boolean {
  return typeUrl === secp256k1Type
}

/** The compressed key, 33 bytes. Throws `invalidPubKey` for other kinds. */
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
