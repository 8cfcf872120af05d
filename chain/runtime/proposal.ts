import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { TxDecoder } from './tx.js'

/** Field tag and length in front of each transaction in the block's data. */
function framedLength(tx: Bytes): number {
  let lengthBytes = 1
  for (let left = tx.length; left >= 0x80; left >>>= 7) lengthBytes++
  return 1 + lengthBytes + tx.length
}

/**
 * The transactions of a proposal: in the mempool's order, up to the first for which bytes or the block's gas do not last; what
 * comes behind may be the same account's next one. Those that fit into no block and those that cannot be decoded are left out.
 */
export function selectTxs(
  decode: TxDecoder,
  txs: readonly Bytes[],
  maxTxBytes: number,
  maxGas: bigint,
): readonly Bytes[] {
  const chosen: Bytes[] = []
  let bytes = 0
  let gas = 0n
  for (const tx of txs) {
    const length = framedLength(tx)
    const limit = gasLimitOf(decode, tx)
    if (limit === undefined || length > maxTxBytes || (maxGas > 0n && limit > maxGas)) continue
    bytes += length
    gas += limit
    if (bytes > maxTxBytes || (maxGas > 0n && gas > maxGas)) break
    chosen.push(tx)
  }
  return chosen
}

function gasLimitOf(decode: TxDecoder, tx: Bytes): bigint | undefined {
  try {
    return BigInt(decode(tx).gasLimit)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}
