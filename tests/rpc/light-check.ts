import { createHash } from 'node:crypto'
import type { comet38 } from '@cosmjs/tendermint-rpc'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { Consensus } from 'cosmjs-types/tendermint/version/types'

/** Block hash and sign bytes as a light client computes them from what CosmJS read: with its codecs and Node's sha256 alone. */

type Time = comet38.Header['time']

function timestampOf(time: Time): Timestamp {
  const ms = time.getTime()
  const seconds = Math.floor(ms / 1000)
  return { seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1_000_000 + (time.nanoseconds ?? 0) }
}

const blockIdOf = ({ hash, parts }: comet38.BlockId) => ({
  hash,
  partSetHeader: { total: parts.total, hash: parts.hash },
})

const sha256 = (...parts: readonly Uint8Array[]): Uint8Array => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

/** RFC 6962: the left side takes the largest power of two below the count. */
function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return sha256(Uint8Array.of(0), leaves[0]!)
  let middle = 1
  while (middle * 2 < leaves.length) middle *= 2
  return sha256(Uint8Array.of(1), merkleRoot(leaves.slice(0, middle)), merkleRoot(leaves.slice(middle)))
}

/** Field 1 of a wrapper message; hashes, addresses and chain ids are shorter than 128 bytes. */
const wrap = (value: Uint8Array) => (value.length === 0 ? value : Uint8Array.of(0x0a, value.length, ...value))

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

export function lightHash(header: comet38.Header): Uint8Array {
  const lastBlockId = header.lastBlockId ?? { hash: new Uint8Array(0), parts: { total: 0, hash: new Uint8Array(0) } }
  const version = { block: BigInt(header.version.block), app: BigInt(header.version.app) }
  return merkleRoot([
    Consensus.encode(version).finish(),
    wrap(new TextEncoder().encode(header.chainId)),
    Uint8Array.of(0x08, ...varint(header.height)),
    Timestamp.encode(timestampOf(header.time)).finish(),
    BlockID.encode(blockIdOf(lastBlockId)).finish(),
    wrap(header.lastCommitHash),
    wrap(header.dataHash),
    wrap(header.validatorsHash),
    wrap(header.nextValidatorsHash),
    wrap(header.consensusHash),
    wrap(header.appHash),
    wrap(header.lastResultsHash),
    wrap(header.evidenceHash),
    wrap(header.proposerAddress),
  ])
}

function fixed64(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true)
  return bytes
}

/** What the vote in a commit was signed over: a length and a CanonicalVote, field by field. */
export function lightSignBytes(chainId: string, { height, round, blockId }: comet38.Commit, time: Time): Uint8Array {
  const id = BlockID.encode(blockIdOf(blockId)).finish()
  const timestamp = Timestamp.encode(timestampOf(time)).finish()
  const precommit = 2
  const vote = [
    ...[0x08, precommit],
    ...[0x11, ...fixed64(height)],
    ...(round === 0 ? [] : [0x19, ...fixed64(round)]),
    ...[0x22, id.length, ...id],
    ...[0x2a, timestamp.length, ...timestamp],
    ...[0x32, chainId.length, ...new TextEncoder().encode(chainId)],
  ]
  return Uint8Array.of(...varint(vote.length), ...vote)
}
