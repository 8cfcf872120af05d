import { assert } from '@coin/base/assert'
import { equalBytes } from '@coin/base/bytes'
import { verifyEd25519 } from '@coin/wire/ed25519'
import { encodeBlock } from '../comet/block-codec.js'
import { evidenceListHash } from '../comet/evidence-codec.js'
import {
  commitHash,
  consensusParamsHash,
  dataHash,
  headerHash,
  resultsHash,
  txHash,
  validatorsHash,
} from '../comet/hashes.js'
import { partSetHeader } from '../comet/part-set.js'
import { precommitSignBytes } from '../comet/sign-bytes.js'
import { blockIdFlags } from '../comet/types.js'
import type { BlockReads } from '../embedded/block-store.js'

/** Checks every block as a full node that trusts nobody would, from the lowest stored to the highest. Returns how many. */
export function verifyChain(blocks: BlockReads, chainId: string): number {
  let verified = 0
  for (let height = blocks.base(); height <= blocks.height() && height > 0; height++) {
    verifyBlock(blocks, height, chainId)
    verified++
  }
  return verified
}

function verifyBlock(blocks: BlockReads, height: number, chainId: string): void {
  const same = (a: Uint8Array | undefined, b: Uint8Array, what: string) =>
    assert(a !== undefined && equalBytes(a, b), `${what} of height ${height} does not fit`)
  const block = blocks.block(height)
  const meta = blocks.meta(height)
  const commit = blocks.commit(height)
  const set = blocks.validators(height)
  assert(block && meta && commit && set, `height ${height} is not whole`)
  const { header } = block
  same(headerHash(header), meta.blockId.hash, 'block hash')
  same(partSetHeader(encodeBlock(block)).hash, meta.blockId.parts.hash, 'part set hash')
  same(commitHash(block.lastCommit), header.lastCommitHash, 'last commit hash')
  same(dataHash(block.txs.map(txHash)), header.dataHash, 'data hash')
  same(evidenceListHash(block.evidence), header.evidenceHash, 'evidence hash')
  same(validatorsHash(set.validators), header.validatorsHash, 'validators hash')
  same(validatorsHash(blocks.validators(height + 1)!.validators), header.nextValidatorsHash, 'next validators hash')
  same(consensusParamsHash(blocks.consensusParams(height)!), header.consensusHash, 'params hash')
  const previous = height > blocks.base() ? blocks.meta(height - 1) : undefined
  if (previous) {
    const before = blocks.results(height - 1)!
    same(previous.blockId.hash, header.lastBlockId.hash, 'last block id')
    same(before.appHash, header.appHash, 'app hash')
    same(resultsHash(before.txResults), header.lastResultsHash, 'results hash')
    assert(header.time > previous.header.time, `time of height ${height} does not grow`)
  }
  const signed = commit.signatures.filter((sig, i) => {
    if (sig.flag !== blockIdFlags.commit) return false
    const { round, blockId } = commit
    const bytes = precommitSignBytes({ chainId, height, round, blockId, timestamp: sig.timestamp })
    return verifyEd25519(set.validators[i]!.pubKey, bytes, sig.signature)
  })
  same(commit.blockId.hash, meta.blockId.hash, 'commit')
  assert(signed.length > 0, `height ${height} is not signed`)
}
