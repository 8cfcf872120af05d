import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { MultiSignature } from '@coin/wire/gen/cosmos/crypto/multisig/v1beta1/multisig'
import type { SignatureDescriptor, SignatureDescriptor_Data } from '@coin/wire/gen/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, type ModeInfo, Tx, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { nodeErrors } from '../../errors.js'

// A signature stands in two places of a transaction, its mode in the signer infos and its bytes in the list of signatures. Files
// of signatures have both in one `SignatureDescriptor`; these functions go from one form to the other.

/** The transaction as it is signed over and sent. */
export function encodeTx(tx: Tx): Bytes {
  return TxRaw.encode({ ...encodeParts(tx), signatures: tx.signatures }).finish()
}

export function encodeParts({ body, authInfo }: Tx): { readonly bodyBytes: Bytes; readonly authInfoBytes: Bytes } {
  const none = Tx.fromPartial({ body: {}, authInfo: {} })
  return {
    bodyBytes: TxBody.encode(body ?? none.body!).finish(),
    authInfoBytes: AuthInfo.encode(authInfo ?? none.authInfo!).finish(),
  }
}

/** Throws `badFile` when there are not as many signatures as signers. */
export function signaturesOf({ authInfo, signatures }: Tx): readonly SignatureDescriptor[] {
  const infos = authInfo?.signerInfos ?? []
  if (infos.length !== signatures.length)
    throw nodeErrors.badFile(`the transaction has ${signatures.length} signatures of ${infos.length} signers`)
  return infos.map(({ publicKey, modeInfo, sequence }, i) => {
    if (modeInfo === undefined) throw nodeErrors.badFile(`signer ${i} of the transaction has no mode_info`)
    return { publicKey, sequence, data: dataOf(modeInfo, signatures[i]!) }
  })
}

/** The same transaction with these signatures instead of its own. */
export function withSignatures(tx: Tx, descriptors: readonly SignatureDescriptor[]): Tx {
  const parts = descriptors.map(({ data }) => partsOf(data))
  const signerInfos = descriptors.map(({ publicKey, sequence }, i) => ({
    publicKey,
    sequence,
    modeInfo: parts[i]!.modeInfo,
  }))
  return {
    ...tx,
    authInfo: { fee: undefined, tip: undefined, ...tx.authInfo, signerInfos },
    signatures: parts.map(({ signature }) => signature),
  }
}

function dataOf({ single, multi }: ModeInfo, signature: Bytes): SignatureDescriptor_Data {
  if (multi === undefined) return { single: { mode: single?.mode ?? 0, signature } }
  const { signatures } = MultiSignature.decode(signature)
  if (signatures.length !== multi.modeInfos.length)
    throw nodeErrors.badFile(`multisignature of ${signatures.length} signatures and ${multi.modeInfos.length} modes`)
  return {
    multi: { bitarray: multi.bitarray, signatures: multi.modeInfos.map((mode, i) => dataOf(mode, signatures[i]!)) },
  }
}

function partsOf(data: SignatureDescriptor_Data | undefined): { modeInfo: ModeInfo; signature: Bytes } {
  if (data?.multi === undefined) {
    const { mode = 0, signature = emptyBytes } = data?.single ?? {}
    return { modeInfo: { single: { mode } }, signature }
  }
  const { bitarray, signatures } = data.multi
  const parts = signatures.map(partsOf)
  return {
    modeInfo: { multi: { bitarray, modeInfos: parts.map(({ modeInfo }) => modeInfo) } },
    signature: MultiSignature.encode({ signatures: parts.map(({ signature }) => signature) }).finish(),
  }
}
