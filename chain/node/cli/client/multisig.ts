import { type Bytes, equalBytes } from '@coin/base/bytes'
import { type MultiKey, multiKeyOf } from '@coin/runtime/multisig'
import { publicKeyAddress } from '@coin/runtime/public-key'
import { secp256k1KeyOf } from '@coin/runtime/secp256k1-key'
import type { SignatureDescriptor } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import type { SignerData } from '@coin/wire/sign-doc'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo } from '../../keys/keyring.js'
import { signBytes } from './sign-tx.js'

/** The members of a key of type `multi`. Throws `badFlag` for any other. */
export function membersOf({ name, type, pubKey }: KeyInfo): MultiKey {
  if (type !== 'multi') throw nodeErrors.badFlag(`key "${name}" is of type ${type}, expected one made with --multisig`)
  return multiKeyOf(pubKey)
}

/**
 * One signature of a multisig key out of those of its members. Throws `txFailed` for a signer that is no member and for fewer
 * than the threshold, and for what `verify` refuses.
 */
export function combineSignatures(
  key: KeyInfo,
  parts: readonly SignatureDescriptor[],
  sequence: bigint,
  verify: ((part: SignatureDescriptor) => void) | undefined,
): SignatureDescriptor {
  const { threshold, keys } = membersOf(key)
  const byMember = new Map<number, SignatureDescriptor>()
  for (const part of parts) {
    const member = keys.findIndex((bytes) => equalBytes(bytes, memberKey(part)))
    if (member < 0) throw nodeErrors.txFailed(`a signature is of no member of key "${key.name}"`)
    verify?.(part)
    byMember.set(member, part)
  }
  if (byMember.size < threshold)
    throw nodeErrors.txFailed(`${byMember.size} signatures for key "${key.name}", which needs ${threshold}`)
  const members = [...byMember.keys()].sort((a, b) => a - b)
  const elems = new Uint8Array(Math.ceil(keys.length / 8))
  for (const member of members) elems[member >> 3]! |= 1 << (7 - (member & 7))
  const signatures = members.map((member) => byMember.get(member)!.data!)
  return {
    publicKey: key.pubKey,
    data: { multi: { bitarray: { extraBitsStored: keys.length % 8, elems }, signatures } },
    sequence,
  }
}

function memberKey({ publicKey, data }: SignatureDescriptor): Bytes {
  if (publicKey === undefined || data?.single === undefined)
    throw nodeErrors.badFile('a signature has no public key, or is itself a multisignature')
  return secp256k1KeyOf(publicKey)
}

/** Whether a signature, single or of several members, is right for this transaction and signer. */
export function isValidSignature(tx: Tx, { publicKey, data }: SignatureDescriptor, signer: SignerData): boolean {
  if (publicKey === undefined || data === undefined) return false
  if (data.multi === undefined) return isValidPart(tx, publicKey, data, signer)
  const { threshold, keys } = multiKeyOf(publicKey)
  const { bitarray, signatures } = data.multi
  const elems = bitarray?.elems ?? new Uint8Array(0)
  const members = keys.filter((_, i) => ((elems[i >> 3] ?? 0) & (1 << (7 - (i & 7)))) !== 0)
  if (members.length !== signatures.length || members.length < threshold) return false
  return members.every((key, i) => isValidSecp256k1(tx, key, signatures[i]!, signer))
}

function isValidPart(tx: Tx, publicKey: Any, data: NonNullable<SignatureDescriptor['data']>, signer: SignerData) {
  return isValidSecp256k1(tx, secp256k1KeyOf(publicKey), data, signer)
}

function isValidSecp256k1(
  tx: Tx,
  key: Bytes,
  { single }: NonNullable<SignatureDescriptor['data']>,
  signer: SignerData,
): boolean {
  return single !== undefined && verifySecp256k1(key, sha256(signBytes(tx, single.mode, signer)), single.signature)
}

/** The account that a signature's key belongs to, 20 bytes; `undefined` when it has no key. */
export function signatureAddress({ publicKey }: SignatureDescriptor): Bytes | undefined {
  return publicKey && publicKeyAddress(publicKey)
}
