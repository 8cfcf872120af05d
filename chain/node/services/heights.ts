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

/**
 * The height that a caller wants to read, from the text of `x-cosmos-block-height`; `undefined` is the last state, as is 0 in the
 * SDK. Throws `invalidArgument` for what is no height and for one that is not there yet.
 */
export function readHeightText(text: string | undefined, latest: number): number | undefined {
  const given = text?.trim() ?? ''
  if (given === '') return undefined
  if (!/^\+?[0-9]{1,40}$/.test(given))
    throw invalidArgument(`x-cosmos-block-height "${given.slice(0, 40)}" is no height, expected 1 to ${latest}`)
  const height = BigInt(given.replace('+', ''))
  if (height > BigInt(latest)) throw invalidArgument(`height ${height} is ahead of the chain (latest ${latest})`)
  return height === 0n ? undefined : Number(height)
}
