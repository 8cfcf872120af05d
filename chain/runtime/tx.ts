import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { AddressCodec } from '@coin/wire/addresses'
import { type Coins, coinsFromProto } from '@coin/wire/coins'
import type { Fee, SignerInfo, TxBody } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { sha256 } from '@coin/wire/sha256'
import { type DecodedTx, decodeTx } from '@coin/wire/tx'
import { sdkErrors, undefinedErrors } from './errors.js'
import { noGasLimit } from './gas.js'
import { mapKey } from './map-key.js'
import type { MsgRoute } from './module.js'
import type { MsgRouter } from './msg-router.js'
import { type MultiSigned, multiSignedOf } from './multisig.js'
import { RecentMap } from './recent-map.js'
import type { JobMemo } from './signature-job.js'

/** One message, with the module that runs it; none when the type is known but nobody here runs it. */
export interface TxMsg {
  readonly typeUrl: string
  readonly message: unknown
  readonly route: MsgRoute | undefined
  /** Bech32, at least one when there is a route. */
  readonly signers: readonly string[]
}

/** What one signer brings. */
export interface TxSignature {
  /** Left out when the account has it already. */
  readonly pubKey: Any | undefined
  /** Sign mode number; `undefined` for a multisignature. */
  readonly mode: number | undefined
  /** Set for a multisignature. */
  readonly multi: MultiSigned | undefined
  readonly sequence: bigint
  readonly signature: Bytes
  /** The signature in base64, as events have it. */
  readonly text: string
  readonly jobs: JobMemo
}

export interface CheckMemo {
  /** The messages have passed. */
  passed?: true
}

/** A decoded transaction, as the ante steps and the messages see it. Depends on nothing but its bytes and the chain's routes. */
export interface Tx {
  readonly bytes: Bytes
  /** sha256 of the bytes. */
  readonly hash: Bytes
  readonly decoded: DecodedTx
  readonly body: TxBody
  readonly msgs: readonly TxMsg[]
  /** Everybody who must sign: the messages' signers in order, then the fee payer if it is not among them. */
  readonly signers: readonly Bytes[]
  readonly signerTexts: readonly string[]
  /** One for each signer info, with an empty signature where there is none; the ante steps say whether they match. */
  readonly signatures: readonly TxSignature[]
  /** How many signatures the transaction really brings. */
  readonly signatureCount: number
  /** Why it cannot even enter the ante steps, although its bytes can be decoded. */
  readonly defect: CodedError | undefined
  /** What its messages' own checks said: nothing but the messages decides it. */
  readonly checked: CheckMemo
  /** SDK gas. */
  readonly gasLimit: number
  /** As given: not yet known to be valid coins. */
  readonly fee: Coins
  readonly feePayer: Bytes
  readonly feePayerText: string
  /** Empty when nobody else pays. */
  readonly feeGranter: string
}

/** Throws `txDecode` for bytes that are no transaction of this chain. */
export type TxDecoder = (bytes: Bytes) => Tx

/** Larger transactions (contract uploads) are decoded again instead of being kept. */
const rememberedBytesMax = 32_768

/** Bytes that count as one entry. Decoded, a transaction made for it takes forty times its bytes. */
const bytesPerEntry = 512

/**
 * Decodes strictly and remembers the last few thousand: the same transaction is checked, proposed and executed. Large ones count
 * for several, so that nobody fills the node's memory with what it remembers.
 */
export function createTxDecoder(router: MsgRouter, addresses: AddressCodec, entriesMax = 10_000): TxDecoder {
  const recent = new RecentMap<Tx>(entriesMax)
  // The engine hands on the same array, which nobody changes: then not even the hash is needed.
  const ofArray = new WeakMap<Bytes, Tx>()
  return (bytes) => {
    const same = ofArray.get(bytes)
    if (same !== undefined) return same
    const hash = sha256(bytes)
    const key = mapKey(hash)
    const known = recent.get(key)
    if (known !== undefined) return known
    const tx = buildTx(bytes, hash, router, addresses)
    if (bytes.length > rememberedBytesMax) return tx
    recent.set(key, tx, Math.ceil(bytes.length / bytesPerEntry))
    // Not the large ones: the mempool may hold thousands of arrays.
    if (bytes.length <= 8 * bytesPerEntry) ofArray.set(bytes, tx)
    return tx
  }
}

function buildTx(bytes: Bytes, hash: Bytes, router: MsgRouter, addresses: AddressCodec): Tx {
  const decoded = asDecodeError(() => decodeTx(bytes))
  const { body, authInfo, signatures } = decoded
  const fee = authInfo.fee ?? noFee
  const msgs = decoded.messages.map(({ typeUrl, message }): TxMsg => {
    const route = router.has(typeUrl) ? router.route(typeUrl) : undefined
    return { typeUrl, message, route, signers: route?.signers(message) ?? [] }
  })
  const signers = asDecodeError(() => signersOf(msgs, fee.payer, addresses))
  const isPaidByFirst = fee.payer === ''
  const feePayer = isPaidByFirst ? signers.bytes[0] : asDecodeError(() => addresses.decode(fee.payer))
  const feePayerText = isPaidByFirst ? signers.texts[0] : fee.payer.toLowerCase()
  return {
    bytes,
    hash,
    decoded,
    body,
    msgs,
    signers: signers.bytes,
    signerTexts: signers.texts,
    signatures: asDecodeError(() =>
      authInfo.signerInfos.map((info, index) => toSignature(info, signatures[index] ?? emptyBytes)),
    ),
    signatureCount: signatures.length,
    defect: defectOf(decoded),
    checked: {},
    gasLimit: Number(fee.gasLimit > gasLimitMax ? gasLimitMax : fee.gasLimit),
    fee: asDecodeError(() => coinsFromProto(fee.amount)),
    feePayer: feePayer ?? emptyBytes,
    feePayerText: feePayerText ?? '',
    feeGranter: fee.granter,
  }
}

const noFee: Fee = { amount: [], gasLimit: 0n, payer: '', granter: '' }

/** Gas is counted in safe integers. The SDK's limit is 2^63 - 1, which no block has. */
const gasLimitMax = BigInt(noGasLimit - 1)

function defectOf({ messages, authInfo: { fee } }: DecodedTx): CodedError | undefined {
  if (messages.length === 0) return sdkErrors.invalidRequest('must contain at least one message')
  // The SDK runs into a nil pointer here, so its clients and its results hash have the code of a panic.
  if (fee === undefined) return undefinedErrors.panic('missing fee')
  if (fee.gasLimit <= gasLimitMax) return undefined
  return sdkErrors.invalidRequest(`invalid gas supplied; ${fee.gasLimit} > ${gasLimitMax}`)
}

function signersOf(msgs: readonly TxMsg[], payer: string, addresses: AddressCodec) {
  // A set: a transaction has room for some 20,000 signers.
  const texts = new Set<string>()
  const bytes: Bytes[] = []
  const push = (given: string): void => {
    const address = addresses.decode(given)
    // What can be decoded is written in one way only, but for its case.
    const text = given.toLowerCase()
    if (texts.has(text)) return
    texts.add(text)
    bytes.push(address)
  }
  for (const { typeUrl, route, signers } of msgs) {
    if (route !== undefined && signers.length === 0) throw sdkErrors.txDecode(`${typeUrl} names no signer`)
    for (const signer of signers) push(signer)
  }
  if (payer !== '') push(payer)
  return { texts: [...texts], bytes }
}

function toSignature({ publicKey, modeInfo, sequence }: SignerInfo, signature: Bytes): TxSignature {
  const multi = modeInfo?.multi === undefined ? undefined : multiSignedOf(modeInfo.multi, signature)
  return {
    pubKey: publicKey,
    mode: modeInfo?.single?.mode,
    multi,
    sequence,
    signature,
    text: base64(signature),
    jobs: {},
  }
}

/** Quicker than the portable form of @coin/base: every transaction's events have it. A copy, as `buffer` of a short array is slow. */
function base64(bytes: Bytes): string {
  return Buffer.from(bytes).toString('base64')
}

/** Whatever is wrong with the bytes is one kind of error, as in the SDK. */
function asDecodeError<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof CodedError) || error.codespace === 'sdk') throw error
    throw sdkErrors.txDecode(error.message)
  }
}
