import type { Bytes } from '@coin/base/bytes'
import { merkleRoot } from '@coin/store/simple-merkle'
import type { PartSetHeader } from './types.js'

/** types/params.go, BlockPartSizeBytes. */
export const partBytes = 65_536

/** How CometBFT would cut an encoded block for gossip; part of the block's identity. */
export function partSetHeader(encodedBlock: Bytes): PartSetHeader {
  const parts: Bytes[] = []
  for (let at = 0; at < encodedBlock.length; at += partBytes) parts.push(encodedBlock.subarray(at, at + partBytes))
  return { total: parts.length, hash: merkleRoot(parts) }
}
