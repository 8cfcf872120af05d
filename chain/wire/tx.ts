import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { AuthInfo, TxBody, TxRaw } from './gen/cosmos/tx/v1beta1/tx.js'
import { createPackedCheck, type PackedCheck } from './packed.js'
import { checkTxRawCanonical, createUnknownFieldCheck, type UnknownFieldCheck } from './protobuf/strict.js'
import { decodeAny, descriptors, type TypeName } from './registry.js'
import { sha256Hex } from './sha256.js'

/** One message of a transaction. `message` has the type of `typeName`'s codec. */
export interface TxMessage {
  readonly typeUrl: string
  readonly typeName: TypeName
  readonly message: unknown
}

/** A transaction in every form that checking and running it needs. */
export interface DecodedTx {
  readonly bytes: Bytes
  /** The signed bytes themselves: never encode the decoded values again to get them. */
  readonly bodyBytes: Bytes
  readonly authInfoBytes: Bytes
  readonly signatures: readonly Bytes[]
  readonly body: TxBody
  readonly authInfo: AuthInfo
  readonly messages: readonly TxMessage[]
  /** There are unknown fields in the body that may be ignored, except by SIGN_MODE_LEGACY_AMINO_JSON, which hides them. */
  readonly hasUnknownNonCritical: boolean
}

/** The name of a transaction everywhere: 64 upper-case hexadecimal digits. */
export function txHash(bytes: Bytes): string {
  return sha256Hex(bytes).toUpperCase()
}

let check: UnknownFieldCheck | undefined

let packedCheck: PackedCheck | undefined

/** See `PackedCheck`. Messages that do not come in a transaction have to pass it too. */
export function checkPacked(typeName: string, message: unknown): void {
  packedCheck ??= createPackedCheck(descriptors())
  packedCheck(typeName, message)
}

/**
 * Decodes a `TxRaw` as the SDK's decoder does: one canonical encoding of the outer layer (ADR-027), no unknown fields but
 * non-critical ones in the body (ADR-020), and every message of a known type. Throws a `CodedError` that says what and where.
 */
export function decodeTx(bytes: Bytes): DecodedTx {
  check ??= createUnknownFieldCheck(descriptors())
  const rejectUnknown = check
  return inside('transaction', () => {
    checkTxRawCanonical(bytes)
    rejectUnknown('cosmos.tx.v1beta1.TxRaw', bytes)
    const { bodyBytes, authInfoBytes, signatures } = TxRaw.decode(bytes)
    const [body, hasUnknownNonCritical] = inside('body', () => {
      const unknown = rejectUnknown('cosmos.tx.v1beta1.TxBody', bodyBytes, { allowNonCritical: true })
      return [TxBody.decode(bodyBytes), unknown] as const
    })
    const authInfo = inside('auth info', () => {
      rejectUnknown('cosmos.tx.v1beta1.AuthInfo', authInfoBytes)
      return AuthInfo.decode(authInfoBytes)
    })
    const messages = body.messages.map((any, i) =>
      inside(`message ${i}`, () => {
        const { typeName, message } = decodeAny(any)
        checkPacked(typeName, message)
        return { typeUrl: any.typeUrl, typeName, message }
      }),
    )
    return { bytes, bodyBytes, authInfoBytes, signatures, body, authInfo, messages, hasUnknownNonCritical }
  })
}

/** Names the part of the transaction in an error. */
function inside<T>(part: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap(part) : error
  }
}
