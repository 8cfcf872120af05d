import { type Bytes, concatBytes } from '@coin/base/bytes'
import { LegacyAminoPubKey } from '@coin/wire/gen/cosmos/crypto/multisig/keys'
import { type CompactBitArray, MultiSignature } from '@coin/wire/gen/cosmos/crypto/multisig/v1beta1/multisig'
import type { ModeInfo_Multi } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sha256 } from '@coin/wire/sha256'
import { sdkErrors } from './errors.js'
import { secp256k1KeyOf } from './secp256k1-key.js'

/** Any `threshold` of these keys sign together. */
export interface MultiKey {
  readonly threshold: number
  /** Compressed secp256k1, 33 bytes each. */
  readonly keys: readonly Bytes[]
}

const multiKeyType = '/cosmos.crypto.multisig.LegacyAminoPubKey'

/** Amino's registered prefixes (tendermint/PubKeyMultisigThreshold, tendermint/PubKeySecp256k1). */
const multiKeyPrefix = Uint8Array.of(0x22, 0xc1, 0xf7, 0xe2)
const secp256k1Prefix = Uint8Array.of(0xeb, 0x5a, 0xe9, 0x87, 33)

export function isMultiKey({ typeUrl }: Any): boolean {
  return typeUrl === multiKeyType
}

/** Throws `invalidPubKey` for a threshold that cannot be reached and for members that are not secp256k1. */
export function multiKeyOf(pubKey: Any): MultiKey {
  const { threshold, publicKeys } = LegacyAminoPubKey.decode(pubKey.value)
  if (threshold < 1 || threshold > publicKeys.length) {
    throw sdkErrors.invalidPubKey(`multisignature key asks for ${threshold} of ${publicKeys.length} keys`)
  }
  return { threshold, keys: publicKeys.map(secp256k1KeyOf) }
}

/** The key as amino encodes it; its address and its size are made of this. */
function aminoBytes({ threshold, keys }: MultiKey): Bytes {
  const members = keys.map((key) =>
    concatBytes(Uint8Array.of(0x12, secp256k1Prefix.length + key.length), secp256k1Prefix, key),
  )
  const count = threshold < 0x80 ? [threshold] : [(threshold & 0x7f) | 0x80, threshold >> 7]
  return concatBytes(multiKeyPrefix, Uint8Array.of(0x08, ...count), ...members)
}

/** 20 bytes. */
export function multiKeyAddress(key: MultiKey): Bytes {
  return sha256(aminoBytes(key)).slice(0, 20)
}

/** Length of the key in amino, for the gas of a simulation. */
export function multiKeyLength(key: MultiKey): number {
  return aminoBytes(key).length
}

/** Who of a multisignature's members signed, and how. */
export interface MultiSigned {
  /** Members that the bit array has room for; must be all of the key's. */
  readonly size: number
  /** Positions of the members that signed, ascending. */
  readonly signers: readonly number[]
  /** One for each that signed, in the same order; a mode is `undefined` for a nested multisignature. */
  readonly parts: readonly { readonly mode: number | undefined; readonly signature: Bytes }[]
}

/** Throws what decoding throws when `signature` is no `MultiSignature`, and `txDecode` for unknown fields in it. */
export function multiSignedOf({ bitarray, modeInfos }: ModeInfo_Multi, signature: Bytes): MultiSigned {
  const { signatures, _unknownFields } = MultiSignature.decode(signature)
  if (_unknownFields !== undefined && Object.keys(_unknownFields).length > 0) {
    throw sdkErrors.txDecode('rejecting unrecognized fields found in MultiSignature')
  }
  const size = bitarray === undefined ? 0 : sizeOf(bitarray)
  const signers = Array.from({ length: size }, (_, i) => i).filter((i) => isSet(bitarray!, i))
  const parts = signatures.map((bytes, i) => ({ mode: modeInfos[i]?.single?.mode, signature: bytes }))
  return { size, signers, parts }
}

/** No key has more members; a larger bit array is only there to make work. */
const membersMax = 1024

function sizeOf({ extraBitsStored, elems }: CompactBitArray): number {
  const size = extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored
  return elems.length === 0 || size < 0 || size > membersMax ? 0 : size
}

function isSet({ elems }: CompactBitArray, index: number): boolean {
  return ((elems[index >> 3] ?? 0) & (1 << (7 - (index % 8)))) !== 0
}

/** Why the signatures cannot be enough for the key, before any is verified; `undefined` when they may be. */
export function multiSignedDefect(
  { threshold, keys }: MultiKey,
  { size, signers, parts }: MultiSigned,
): string | undefined {
  if (size !== keys.length) return `bit array size is incorrect, expecting: ${keys.length}`
  if (parts.length < threshold || parts.length > size) return `signature size is incorrect ${parts.length}`
  if (signers.length < threshold) return `not enough signatures set, have ${signers.length}, expected ${threshold}`
  if (signers.length > parts.length) return `${signers.length} members signed, but there are ${parts.length} signatures`
  return undefined
}
