import { type Bytes, emptyBytes } from '@coin/base/bytes'
import type { SignatureDescriptor } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { SignMode } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { decodeAny, descriptors, isTypeName } from '@coin/wire/registry'
import { signSecp256k1 } from '@coin/wire/secp256k1'
import { sha256 } from '@coin/wire/sha256'
import { aminoSignBytes, directSignBytes, type SignerData } from '@coin/wire/sign-doc'
import { nodeErrors } from '../../errors.js'
import type { KeyInfo, Keyring } from '../../keys/keyring.js'
import { encodeParts, signaturesOf, withSignatures } from './tx-signatures.js'

export const signModes = ['direct', 'amino-json'] as const

/** `direct` signs the bytes, `amino-json` a JSON form that hardware wallets show and that members of a multisig key can share. */
export type SignModeName = (typeof signModes)[number]

const modeNumbers = {
  direct: SignMode.SIGN_MODE_DIRECT,
  'amino-json': SignMode.SIGN_MODE_LEGACY_AMINO_JSON,
} as const

/** What the key signs the hash of. Throws `notAmino` of codespace `wire` for messages without amino form. */
export function signBytes(tx: Tx, mode: SignMode, signer: SignerData): Bytes {
  if (mode === SignMode.SIGN_MODE_LEGACY_AMINO_JSON) {
    if (tx.body === undefined) throw nodeErrors.badFile('the transaction has no body')
    return aminoSignBytes(tx.body, tx.authInfo?.fee, signer)
  }
  if (mode !== SignMode.SIGN_MODE_DIRECT)
    throw nodeErrors.badFile(`sign mode ${mode}, expected SIGN_MODE_DIRECT or SIGN_MODE_LEGACY_AMINO_JSON`)
  const { bodyBytes, authInfoBytes } = encodeParts(tx)
  return directSignBytes(bodyBytes, authInfoBytes, signer)
}

export interface SigningOptions extends SignerData {
  readonly mode: SignModeName
  /** Replace the signatures that are there instead of adding one. */
  readonly overwrite: boolean
}

/** Adds the key's signature. Throws `keyNotLocal` for a key that cannot sign, and `txFailed` for a second direct signature. */
export async function signTx(tx: Tx, key: KeyInfo, keyring: Keyring, options: SigningOptions): Promise<Tx> {
  const mode = modeNumbers[options.mode]
  const present = options.overwrite ? [] : signaturesOf(tx)
  const draft = (signature: Bytes): SignatureDescriptor => ({
    publicKey: key.pubKey,
    data: { single: { mode, signature } },
    sequence: options.sequence,
  })
  // A direct signature covers the signer infos, so they are complete before it is made.
  const prepared = withSignatures(tx, [...present, draft(emptyBytes)])
  const isDirect = ({ data }: SignatureDescriptor) => data?.single?.mode === SignMode.SIGN_MODE_DIRECT
  if (mode === SignMode.SIGN_MODE_DIRECT && present.some(isDirect))
    throw nodeErrors.txFailed('there is a direct signature already; a second signer needs --sign-mode amino-json')
  const { privateKey } = await keyring.open(key.name)
  const signature = signSecp256k1(privateKey, sha256(signBytes(prepared, mode, options)))
  return withSignatures(tx, [...present, draft(signature)])
}

/** Addresses that must sign, in order: those that the messages name, then the fee payer. Throws `unknownType`. */
export function requiredSigners({ body, authInfo }: Tx): readonly string[] {
  const signers = new Set<string>()
  for (const any of body?.messages ?? []) {
    const { typeName, message } = decodeAny(any)
    for (const signer of messageSigners(typeName, message)) signers.add(signer)
  }
  const payer = authInfo?.fee?.payer ?? ''
  if (payer !== '') signers.add(payer)
  return [...signers]
}

/** Follows the option `cosmos.msg.v1.signer`, through messages that have signers of their own. */
function messageSigners(typeName: string, message: unknown): readonly string[] {
  const { fields, signers } = descriptors().requireMessage(typeName)
  return signers.flatMap((name) => {
    const field = fields.find((it) => it.name === name)
    const value = field && (message as Record<string, unknown>)[field.property]
    const values = Array.isArray(value) ? (value as readonly unknown[]) : [value]
    if (field?.kind === 'message' && isTypeName(field.typeName))
      return values.flatMap((item) => messageSigners(field.typeName, item))
    return values.map(String)
  })
}
