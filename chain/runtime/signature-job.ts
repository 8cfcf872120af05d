import { type Bytes, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { SignatureJob } from '@coin/engine/application'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sha256 } from '@coin/wire/sha256'
import { aminoSignBytes, directAuxSignBytes, directSignBytes } from '@coin/wire/sign-doc'
import { sdkErrors } from './errors.js'
import { isMultiKey, type MultiKey, multiKeyOf, multiSignedDefect } from './multisig.js'
import { secp256k1KeyOf } from './secp256k1-key.js'
import type { Tx, TxSignature } from './tx.js'

/** How what is signed is written. Others are refused. */
export const signModes = {
  direct: SignMode.SIGN_MODE_DIRECT,
  /** The body only: for signers who do not pay the fee. */
  directAux: SignMode.SIGN_MODE_DIRECT_AUX,
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
  /** Bech32 of who signs, in lower case. */
  readonly address: string
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
    if (!isKnownMode(mode)) return `unsupported sign mode ${signModeName(mode)}`
    const digest = digestOf(tx, mode, signature.sequence, signer)
    const job = jobOf(secp256k1KeyOf(pubKey), digest, signature.signature)
    return job === undefined ? unverifiable : [job]
  } catch (error) {
    if (error instanceof CodedError) return error.message
    throw error
  }
}

function isKnownMode(mode: number | undefined): boolean {
  return mode === signModes.direct || mode === signModes.directAux || mode === signModes.aminoJson
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

function signBytesOf(tx: Tx, mode: number | undefined, sequence: bigint, signer: SignedFor): Bytes | undefined {
  const { decoded } = tx
  const { chainId, accountNumber, pubKey } = signer
  if (mode === signModes.directAux && pubKey !== undefined) {
    checkAuxSigner(tx, signer)
    return directAuxSignBytes(decoded.bodyBytes, pubKey, { chainId, accountNumber, sequence })
  }
  if (mode === signModes.direct) {
    return directSignBytes(decoded.bodyBytes, decoded.authInfoBytes, { chainId, accountNumber })
  }
  // The JSON form would hide unknown fields from who signs.
  if (mode !== signModes.aminoJson || decoded.hasUnknownNonCritical) return undefined
  return aminoSignBytes(decoded.body, decoded.authInfo.fee, { chainId, accountNumber, sequence })
}

/** Who pays must see the fee. The text is compared as it is given, as in the SDK. */
function checkAuxSigner({ decoded, signerTexts }: Tx, { address }: SignedFor): void {
  const payer = decoded.authInfo.fee?.payer || signerTexts[0]
  if (payer !== address) return
  throw sdkErrors.unauthorized(`fee payer ${address} cannot sign with ${signModeName(signModes.directAux)}`)
}
