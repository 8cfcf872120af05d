import { type Bytes, hexToBytes } from '@coin/base/bytes'
import { secp256k1Address } from '@coin/wire/addresses'
import { PubKey } from '@coin/wire/gen/cosmos/crypto/secp256k1/keys'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { mapKey } from './map-key.js'
import { isMultiKey, multiKeyAddress, multiKeyLength, multiKeyOf } from './multisig.js'
import { RecentMap } from './recent-map.js'
import { isSecp256k1, secp256k1KeyOf, secp256k1Type } from './secp256k1-key.js'

/** Addresses of secp256k1 keys by the key's message: hashing takes 5 us, and senders repeat. */
const known = new RecentMap<Bytes>(20_000)

/** The account that the key belongs to, 20 bytes. Throws `invalidPubKey` for kinds that cannot sign transactions here. */
export function publicKeyAddress(pubKey: Any): Bytes {
  if (isMultiKey(pubKey)) return multiKeyAddress(multiKeyOf(pubKey))
  if (!isSecp256k1(pubKey)) return secp256k1Address(secp256k1KeyOf(pubKey))
  const key = mapKey(pubKey.value)
  let address = known.get(key)
  if (address === undefined) {
    address = secp256k1Address(secp256k1KeyOf(pubKey))
    known.set(key, address)
  }
  return address
}

/** How many signatures the key may stand for. */
export function countKeys(pubKey: Any): number {
  return isMultiKey(pubKey) ? multiKeyOf(pubKey).keys.length : 1
}

/** A secp256k1 key in amino: prefix, length and the key. */
const secp256k1AminoLength = 4 + 1 + 33

/**
 * Bytes that a simulation reckons for a signature that is not there yet: key and 64-byte signature as the SDK's amino encoding
 * has them, and 6 for their place in the transaction.
 */
export function simulatedLength(pubKey: Any): number {
  const length = isMultiKey(pubKey) ? multiKeyLength(multiKeyOf(pubKey)) : secp256k1AminoLength
  const lengthBytes = length < 0x80 ? 1 : 2
  return 1 + lengthBytes + length + 2 + 64 + 6
}

/** Stands in for an account's unknown key in simulations; a valid point with the size that counts for gas. */
export const simulatedKey: Any = {
  typeUrl: secp256k1Type,
  value: PubKey.encode({
    key: hexToBytes('035ad6810a47f073553ff30d2fcc7e0d3b1c0b74b61a1aaa2582344037151e143a'),
  }).finish(),
}
