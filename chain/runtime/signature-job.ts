import { type Bytes, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { SignatureJob } from '@coin/engine/application'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sha256 } from '@coin/wire/sha256'
import { aminoSignBytes, directSignBytes } from '@coin/wire/sign-doc'
import { isMultiKey, type MultiKey, multiKeyOf, multiSignedDefect } from './multisig.js'
import { secp256k1KeyOf } from './secp256k1-key.js'
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

/** What was answered last for a signature: preparing, checking and executing a transaction ask the same. */
export interface JobMemo {
  asked?: SignedFor
  answer?: readonly SignatureJob[] | string
}

/**
 * What has to be verified for one signer, one job or one for each member that signed; or why it cannot be good, in the SDK's
 * words where it has some.
 */
export function toSignatureJobs(tx: Tx, signature: TxSignature, signer: SignedFor): readonly SignatureJob[] | string {
  const { jobs } = signature
  if (jobs.answer === undefined || jobs.asked === undefined || !isSameSigner(jobs.asked, signer)) {
    jobs.asked = signer
    jobs.answer = makeJobs(tx, signature, signer)
  }
  return jobs.answer
}

function isSameSigner(a: SignedFor, b: SignedFor): boolean {
  if (a.chainId !== b.chainId || a.accountNumber !== b.accountNumber) return false
  if (a.pubKey === undefined || b.pubKey === undefined) return a.pubKey === b.pubKey
  return a.pubKey.typeUrl === b.pubKey.typeUrl && equalBytes(a.pubKey.value, b.pubKey.value)
}

function makeJobs(tx: Tx, signature: TxSignature, signer: SignedFor): readonly SignatureJob[] | string {
  const { pubKey } = signer
  if (pubKey === undefined) return 'pubkey is not known'
  try {
    if (isMultiKey(pubKey)) return multiJobs(tx, signature, signer, multiKeyOf(pubKey))
    const { mode } = signature
    if (mode !== signModes.direct && mode !== signModes.aminoJson) return `unsupported sign mode ${signModeName(mode)}`
    const digest = digestOf(tx, mode, signature.sequence, signer)
    const job = jobOf(secp256k1KeyOf(pubKey), digest, signature.signature)
    return job === undefined ? unverifiable : [job]
  } catch (error) {
    if (error instanceof CodedError) return error.message
    throw error
  }
}

const unverifiable = 'unable to verify single signer signature'

function multiJobs(tx: Tx, { multi, sequence }: TxSignature, signer: SignedFor, key: MultiKey) {
  if (multi === undefined) return 'a multisignature key needs a multisignature'
  const defect = multiSignedDefect(key, multi)
  if (defect !== undefined) return defect
  // All members sign the same bytes, one form for each mode.
  const forms = new Map<number | undefined, Bytes | undefined>()
  const digest = (mode: number | undefined): Bytes | undefined => {
    if (!forms.has(mode)) forms.set(mode, digestOf(tx, mode, sequence, signer))
    return forms.get(mode)
  }
  const jobs = multi.signers.map((member, i) => {
    const { mode, signature } = multi.parts[i]!
    return jobOf(key.keys[member]!, digest(mode), signature)
  })
  const missing = jobs.indexOf(undefined)
  if (missing >= 0) return `unable to verify signature at index ${multi.signers[missing]}`
  return jobs.filter((job) => job !== undefined)
}

/** R and S, 32 bytes each; others are no signatures, and are kept nowhere. */
const signatureBytes = 64

function jobOf(pubKey: Bytes, digest: Bytes | undefined, signature: Bytes): SignatureJob | undefined {
  if (digest === undefined || signature.length !== signatureBytes) return undefined
  return { pubKey, digest, signature }
}

function digestOf(tx: Tx, mode: number | undefined, sequence: bigint, signer: SignedFor): Bytes | undefined {
  const signBytes = signBytesOf(tx, mode, sequence, signer)
  return signBytes === undefined ? undefined : sha256(signBytes)
}

function signBytesOf(
  { decoded }: Tx,
  mode: number | undefined,
  sequence: bigint,
  signer: SignedFor,
): Bytes | undefined {
  const { chainId, accountNumber } = signer
  if (mode === signModes.direct) {
    return directSignBytes(decoded.bodyBytes, decoded.authInfoBytes, { chainId, accountNumber })
  }
  // The JSON form would hide unknown fields from who signs.
  if (mode !== signModes.aminoJson || decoded.hasUnknownNonCritical) return undefined
  return aminoSignBytes(decoded.body, decoded.authInfo.fee, { chainId, accountNumber, sequence })
}
