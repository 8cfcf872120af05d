import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { encodeAny } from '@coin/wire/registry'
import { nodeErrors } from '../errors.js'
import type { KeyInfo } from './key-record.js'

/** The key that any `threshold` of these sign for, in this order. Throws `badFlag`. */
export function multisigKey(keys: readonly KeyInfo[], threshold: number): Any {
  if (threshold > keys.length)
    throw nodeErrors.badFlag(`--multisig-threshold is ${threshold}, but there are ${keys.length} keys`)
  const other = keys.find(({ publicKey }) => publicKey.length === 0)
  if (other !== undefined) throw nodeErrors.badFlag(`key "${other.name}" is not a secp256k1 key`)
  const publicKeys = keys.map(({ pubKey }) => pubKey)
  return encodeAny('cosmos.crypto.multisig.LegacyAminoPubKey', { threshold, publicKeys })
}
