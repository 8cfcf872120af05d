import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex, equalBytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { Application, CommitVote, FinalizeBlockResult, TimeNs } from '../application.js'
import { encodeBlock } from '../comet/block-codec.js'
import { type Evidence, misbehaviorOf } from '../comet/evidence.js'
import { evidenceListHash } from '../comet/evidence-codec.js'
import { commitHash, consensusParamsHash, dataHash, headerHash, txHash, validatorsHash } from '../comet/hashes.js'
import { dataBytesMax, txDataBytes } from '../comet/limits.js'
import { partSetHeader } from '../comet/part-set.js'
import {
  type Block,
  type BlockId,
  type BlockMeta,
  blockIdFlags,
  blockProtocol,
  type Commit,
  emptyCommit,
  type ValidatorSet,
  zeroTime,
} from '../comet/types.js'
import { advanceProposer, totalPower } from '../comet/validator-set.js'
import { engineErrors } from '../errors.js'
import { type ChainState, nextHeight } from './chain-state.js'
import type { EvidencePool } from './evidence-pool.js'
import type { ValidatorSigner } from './signer.js'

const nsPerMs = 1_000_000n

/** A block with everything that is derived from it, computed once. */
export interface Proposal {
  readonly block: Block
  readonly meta: BlockMeta
  readonly txHashes: readonly Bytes[]
}

/**
 * Time of the next block: genesis time for the first, after that the median of the last commit's votes weighted by power
 * (BFT time, spec/consensus/bft-time.md).
 */
export function nextBlockTime(state: ChainState, lastCommit: Commit): TimeNs {
  if (!state.lastValidators) return state.lastBlockTime
  const votes = lastCommit.signatures
    .map((sig, i) => ({ sig, power: state.lastValidators!.validators[i]!.power }))
    .filter(({ sig }) => sig.flag !== blockIdFlags.absent)
    .sort((a, b) => (a.sig.timestamp < b.sig.timestamp ? -1 : 1))
  let left = votes.reduce((sum, { power }) => sum + power, 0n) / 2n
  for (const { sig, power } of votes) {
    if (left <= power) return sig.timestamp
    left -= power
  }
  throw engineErrors.badBlock(`the commit of height ${lastCommit.height} has no votes`)
}

export function makeBlock(
  state: ChainState,
  lastCommit: Commit,
  txs: readonly Bytes[],
  evidence: readonly Evidence[],
  proposerAddress: Bytes,
): Proposal {
  const txHashes = txs.map(txHash)
  const block: Block = {
    header: {
      version: { block: blockProtocol, app: state.appVersion },
      chainId: state.chainId,
      height: nextHeight(state),
      time: nextBlockTime(state, lastCommit),
      lastBlockId: state.lastBlockId,
      lastCommitHash: commitHash(lastCommit),
      dataHash: dataHash(txHashes),
      validatorsHash: validatorsHash(state.validators.validators),
      nextValidatorsHash: validatorsHash(state.nextValidators.validators),
      consensusHash: consensusParamsHash(state.consensusParams),
      appHash: state.appHash,
      lastResultsHash: state.lastResultsHash,
      evidenceHash: evidenceListHash(evidence),
      proposerAddress,
    },
    txs,
    evidence,
    lastCommit,
  }
  const encoded = encodeBlock(block)
  const blockId = { hash: headerHash(block.header), parts: partSetHeader(encoded) }
  return { block, meta: { blockId, blockSize: encoded.length, header: block.header, txCount: txs.length }, txHashes }
}

/** Lets the application choose and order what goes into the block, then judge it. */
export function propose(
  state: ChainState,
  lastCommit: Commit,
  proposerAddress: Bytes,
  dependencies: {
    readonly app: Application
    readonly log: Logger
    readonly reap: (limits: { readonly bytesMax: number; readonly gasMax: bigint }) => readonly Bytes[]
    readonly evidence: Pick<EvidencePool, 'pick'>
  },
): Proposal {
  const { app, log, reap } = dependencies
  const { maxBytes, maxGas } = state.consensusParams.block
  const { list: evidence, bytes } = dependencies.evidence.pick(state.consensusParams.evidence.maxBytes)
  const maxTxBytes = dataBytesMax(maxBytes, state.validators.validators.length, bytes)
  const height = nextHeight(state)
  const time = nextBlockTime(state, lastCommit)
  const reaped = reap({ bytesMax: maxTxBytes, gasMax: maxGas })
  const txs = app.prepareProposal({ txs: reaped, maxTxBytes, height, time })
  const size = txs.reduce((sum, tx) => sum + txDataBytes(tx.length), 0)
  assert(size <= maxTxBytes, `the application prepared ${size} bytes of transactions, at most ${maxTxBytes} fit`)
  if (app.processProposal({ txs, height, time })) return makeBlock(state, lastCommit, txs, evidence, proposerAddress)
  log.error({ height, txs: txs.length }, 'the application refused its own proposal; proposing an empty block')
  assert(app.processProposal({ txs: [], height, time }), `the application refused an empty block at height ${height}`)
  return makeBlock(state, lastCommit, [], evidence, proposerAddress)
}

/** First round from `from` on in which `address` proposes. The rounds before count as missed by the others. */
export function proposingRound(set: ValidatorSet, address: Bytes, from: number): number {
  let current = set
  const roundsMax = from + 1000 * set.validators.length
  for (let round = 0; round <= roundsMax; round++) {
    if (round >= from && equalBytes(current.proposer, address)) return round
    current = advanceProposer(current)
  }
  throw engineErrors.notValidator(
    `validator ${bytesToHex(address)} is not chosen to propose within ${roundsMax} rounds`,
  )
}

/** This engine makes blocks alone: that needs more than two thirds of the voting power. */
export function requireOwnMajority(set: ValidatorSet, address: Bytes, height: number): void {
  const own = set.validators.find((validator) => equalBytes(validator.address, address))
  const total = totalPower(set.validators)
  const power = own?.power ?? 0n
  if (power * 3n > total * 2n) return
  const names = (it: Bytes) => bytesToHex(it).toUpperCase()
  if (own === undefined)
    throw engineErrors.notValidator(
      `the validator key ${names(address)} of this node is none of the ${set.validators.length} at height ${height}, of which ` +
        `${names(set.validators[0]!.address)} is the first; it needs the key that the chain was made with`,
    )
  throw engineErrors.notValidator(
    `validator ${names(address)} has power ${power} of ${total} at height ${height}, needed are more ` +
      'than two thirds; a chain of several machines runs on CometBFT',
  )
}

/** Signs the block; the time of the vote becomes the time of the next block, so it is always later than this one's. */
export function commitBlock(
  proposal: Proposal,
  round: number,
  set: ValidatorSet,
  signer: ValidatorSigner,
  now: TimeNs,
): Commit {
  const { height, time, chainId } = proposal.block.header
  const { blockId } = proposal.meta
  const earliest = time + nsPerMs
  const vote = { chainId, height, round, blockId, timestamp: now > earliest ? now : earliest }
  const { signature, timestamp } = signer.signPrecommit(vote)
  const signatures = set.validators.map((validator) =>
    equalBytes(validator.address, signer.address)
      ? { flag: blockIdFlags.commit, validatorAddress: signer.address, timestamp, signature }
      : {
          flag: blockIdFlags.absent,
          validatorAddress: new Uint8Array(0),
          timestamp: zeroTime,
          signature: new Uint8Array(0),
        },
  )
  return { height, round, blockId, signatures }
}

/** Runs a block in the application. Its effects become durable with the application's `commit`. */
export function finalizeBlock(
  app: Application,
  block: Block,
  blockId: BlockId,
  lastValidators: ValidatorSet | undefined,
): FinalizeBlockResult {
  const { header, lastCommit, txs, evidence } = block
  return app.finalizeBlock({
    height: header.height,
    time: header.time,
    hash: blockId.hash,
    proposerAddress: header.proposerAddress,
    nextValidatorsHash: header.nextValidatorsHash,
    txs,
    lastCommit: { round: lastCommit.round, votes: commitVotes(lastCommit, lastValidators) },
    misbehavior: evidence.flatMap(misbehaviorOf),
  })
}

function commitVotes(commit: Commit, validators: ValidatorSet | undefined): readonly CommitVote[] {
  if (commit === emptyCommit || commit.signatures.length === 0) return []
  assert(
    validators?.validators.length === commit.signatures.length,
    `commit of height ${commit.height} has ${commit.signatures.length} votes for ${validators?.validators.length} validators`,
  )
  return validators.validators.map(({ address, power }, i): CommitVote => {
    const { flag } = commit.signatures[i]!
    return {
      address,
      power,
      flag: flag === blockIdFlags.commit ? 'commit' : flag === blockIdFlags.nil ? 'nil' : 'absent',
    }
  })
}
