import type { BlockReader } from '../ports.js'
import { invalidArgument } from './service-errors.js'

/** A height that has a block. Throws `invalidArgument` that says which heights there are. */
export function checkHeight(asked: bigint, blocks: Pick<BlockReader, 'height' | 'base'>): number {
  const latest = blocks.height()
  if (asked < 0n) throw invalidArgument(`invalid argument: height ${asked} is negative, expected 1 to ${latest}`)
  if (asked === 0n) throw invalidArgument(`invalid height 0, expected 1 to ${latest}`)
  if (asked > BigInt(latest)) throw invalidArgument(`block height ${asked} is ahead of the chain (latest ${latest})`)
  const height = Number(asked)
  const base = blocks.base()
  if (height < base) throw invalidArgument(`block ${height} has been pruned, blocks ${base} to ${latest} are available`)
  return height
}
