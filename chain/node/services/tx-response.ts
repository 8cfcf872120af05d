import { type Bytes, bytesToHex } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import type { Tx } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { typeUrlOf } from '@coin/wire/registry'
import { formatTimestamp, nsToTimestamp } from '@coin/wire/time'
import { decodeTx } from '@coin/wire/tx'
import type { BlockReader, Broadcast, IndexedTx } from '../ports.js'

/** What became of a transaction that is in a block. */
export async function toTxResponse(
  blocks: Pick<BlockReader, 'meta'>,
  { bytes, hash, height, result }: Omit<IndexedTx, 'index'>,
): Promise<TxResponse> {
  const header = (await blocks.meta(height))?.header
  return {
    height: BigInt(height),
    txhash: upperHex(hash),
    codespace: result.codespace,
    code: result.code,
    data: upperHex(result.data),
    rawLog: result.log,
    // Parsed logs are a thing of the past: since SDK 0.50 a successful transaction has an empty log.
    logs: [],
    info: result.info,
    gasWanted: BigInt(result.gasWanted),
    gasUsed: BigInt(result.gasUsed),
    // The fields of a TxRaw on the wire are those of a Tx.
    tx: knownTx(bytes) === undefined ? undefined : { typeUrl: typeUrlOf('cosmos.tx.v1beta1.Tx'), value: bytes },
    timestamp: header === undefined ? '' : formatTimestamp({ ...nsToTimestamp(header.time), nanos: 0 }),
    events: result.events.map(({ type, attributes }) => ({ type, attributes: attributes.map((it) => ({ ...it })) })),
  }
}

/** What CheckTx said. */
export function checkedResponse({ hash, checked }: Broadcast): TxResponse {
  const { code, codespace, log, data } = checked
  return TxResponse.fromPartial({ txhash: upperHex(hash), code, codespace, data: upperHex(data), rawLog: log })
}

/** Decoded strictly, or an error that the caller sees. */
export function checkedTx(bytes: Bytes): Tx {
  const { body, authInfo, signatures } = decodeTx(bytes)
  return { body, authInfo, signatures: [...signatures] }
}

/** `undefined` for bytes that got into a block and are no transaction. */
export function knownTx(bytes: Bytes): Tx | undefined {
  try {
    return checkedTx(bytes)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** As transaction hashes are written. */
export const upperHex = (bytes: Bytes): string => bytesToHex(bytes).toUpperCase()
