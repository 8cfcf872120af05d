import { CodedError } from '@coin/base/errors'
import type { SignatureJob } from '@coin/engine/application'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sha256 } from '@coin/wire/sha256'
import { aminoSignBytes, directSignBytes } from '@coin/wire/sign-doc'
import { isSecp256k1, secp256k1KeyOf } from './public-key.js'
import type { Tx, TxSignature } from './tx.js'

/** How what is signed is written. Others are refused. */
export const signModes = {
  direct: SignMode.SIGN_MODE_DIRECT,
  aminoJson: SignMode.SIGN_MODE_LEGACY_AMINO_JSON,
} as const

/** `SIGN_MODE_TEXTUAL`, or the number of an unknown one. */
export function signModeName(mode: number | undefined): string {
  if (mode === undefined) return 'of a multisignature'
  const named = Object.entries(SignMode).find(([, value]) => value === mode)
  return named?.[0] ?? String(mode)
}

/** Whose signature on which chain. */
export interface SignedFor {
  readonly chainId: string
  readonly accountNumber: bigint
  readonly pubKey: Any | undefined
}

/** What has to be verified for one signer; `undefined` when it cannot be good: no key, another kind of key, no sign bytes. */
export function toSignatureJob(tx: Tx, signature: TxSignature, signer: SignedFor): SignatureJob | undefined {
  if (signer.pubKey === undefined || !isSecp256k1(signer.pubKey)) return undefined
  try {
    const pubKey = secp256k1KeyOf(signer.pubKey)
    const signBytes = signBytesOf(tx, signature, signer)
    if (signBytes === undefined) return undefined
    return { pubKey, digest: sha256(signBytes), signature: signature.signature }
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

function signBytesOf({ decoded }: Tx, { mode, sequence }: TxSignature, { chainId, accountNumber }: SignedFor) {
  if (mode === signModes.direct) {
    return directSignBytes(decoded.bodyBytes, decoded.authInfoBytes, { chainId, accountNumber })
  }
  // The JSON form would hide unknown fields from who signs.
  if (mode !== signModes.aminoJson || decoded.hasUnknownNonCritical) return undefined
  return aminoSignBytes(decoded.body, decoded.authInfo.fee, { chainId, accountNumber, sequence })
}
