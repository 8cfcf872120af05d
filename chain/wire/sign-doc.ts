import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import { type AminoJson, createAminoJson } from './amino-json.js'
import { errors } from './errors.js'
import { type Fee, SignDoc, SignDocDirectAux, type TxBody } from './gen/cosmos/tx/v1beta1/tx.js'
import type { Any } from './gen/google/protobuf/any.js'
import { codecs } from './gen/registry.js'
import type { MessageCodec } from './json-forms.js'
import { quoteJson } from './json-text.js'
import { descriptors, isTypeName } from './registry.js'
import { formatTimeRfc3339Nano } from './time.js'

/** Whose signature, on which chain. */
export interface SignerData {
  readonly chainId: string
  readonly accountNumber: bigint
  /** Not part of direct sign bytes: they have it inside `authInfoBytes`. */
  readonly sequence: bigint
}

/** What SIGN_MODE_DIRECT signs (sha256 of it, with secp256k1): the `SignDoc` over the exact bytes of the transaction. */
export function directSignBytes(
  bodyBytes: Bytes,
  authInfoBytes: Bytes,
  { chainId, accountNumber }: Pick<SignerData, 'chainId' | 'accountNumber'>,
): Bytes {
  return SignDoc.encode({ bodyBytes, authInfoBytes, chainId, accountNumber }).finish()
}

/**
 * What SIGN_MODE_DIRECT_AUX signs: the body without the fee, so that who pays can settle it later. `publicKey` is the account's own,
 * as the chain has it. Who pays may not sign so; the caller has seen to that.
 */
export function directAuxSignBytes(bodyBytes: Bytes, publicKey: Any, signer: SignerData): Bytes {
  const { chainId, accountNumber, sequence } = signer
  return SignDocDirectAux.encode({ bodyBytes, publicKey, chainId, accountNumber, sequence, tip: undefined }).finish()
}

let ofChain: AminoJson | undefined

/** Amino JSON of everything in `proto/`; built at the first call. */
export function chainAminoJson(): AminoJson {
  ofChain ??= createAminoJson(descriptors(), (name) => (isTypeName(name) ? (codecs[name] as MessageCodec) : undefined))
  return ofChain
}

interface BodyTexts {
  readonly body: TxBody
  readonly memo: string
  readonly messages: string
}

let lastTexts: BodyTexts | undefined

/** The large parts, remembered for the last body: every signer of a transaction signs them again. */
function bodyTexts(body: TxBody, amino: AminoJson): BodyTexts {
  if (lastTexts?.body !== body) {
    const messages = body.messages.length === 0 ? 'null' : `[${body.messages.map(amino.stringifyAny).join(',')}]`
    lastTexts = { body, memo: quoteJson(body.memo), messages }
  }
  return lastTexts
}

/**
 * What SIGN_MODE_LEGACY_AMINO_JSON signs: the `StdSignDoc` as sorted JSON. Throws `notAmino` for a body with extension options
 * or a message that has no amino form. The caller has refused unknown non-critical fields, which this JSON would hide.
 */
export function aminoSignBytes(body: TxBody, fee: Fee | undefined, signer: SignerData): Bytes {
  if (body.extensionOptions.length > 0 || body.nonCriticalExtensionOptions.length > 0) {
    throw errors.notAmino('transaction with extension options')
  }
  if (fee === undefined) throw errors.notAmino('transaction without fee')
  const amino = chainAminoJson()
  const coins = fee.amount.map((coin) => amino.stringify('cosmos.base.v1beta1.Coin', coin)).join(',')
  const feeJson =
    `{"amount":[${coins}],"gas":"${fee.gasLimit}"` +
    (fee.granter === '' ? '' : `,"granter":${quoteJson(fee.granter)}`) +
    `${fee.payer === '' ? '' : `,"payer":${quoteJson(fee.payer)}`}}`
  const { memo, messages } = bodyTexts(body, amino)
  const timeoutTime = body.timeoutTimestamp
  return utf8ToBytes(
    `{"account_number":"${signer.accountNumber}","chain_id":${quoteJson(signer.chainId)},"fee":${feeJson},` +
      `"memo":${memo},"msgs":${messages},"sequence":"${signer.sequence}"` +
      (body.timeoutHeight === 0n ? '' : `,"timeout_height":"${body.timeoutHeight}"`) +
      (timeoutTime === undefined ? '' : `,"timeout_timestamp":"${formatTimeRfc3339Nano(timeoutTime)}"`) +
      `${body.unordered ? ',"unordered":true' : ''}}`,
  )
}
