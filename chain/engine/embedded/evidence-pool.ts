import { type Bytes, bytesToHex, compareBytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import { checkEvidence } from '../comet/check-evidence.js'
import { type Evidence, evidenceHeight, type LightClientAttackEvidence } from '../comet/evidence.js'
import { encodeEvidence, evidenceHash } from '../comet/evidence-codec.js'
import { txDataBytes } from '../comet/limits.js'
import { formatTime } from '../comet/time.js'
import { type SignedHeader, verifyDuplicateVote, verifyLightClientAttack } from '../comet/verify-evidence.js'
import { engineErrors } from '../errors.js'
import type { BlockStore } from './block-store.js'
import type { ChainState } from './chain-state.js'

/** Evidence that may wait at one time, and its bytes. It costs two signatures to make, so this is for accidents. */
const waitingMax = 1000
const waitingBytesMax = 16 * 1024 * 1024

const bad = engineErrors.badEvidence

/** Evidence that waits for a block. What waits survives a restart. */
export interface EvidencePool {
  size(): number
  /**
   * Verifies evidence and keeps it for the next block; answers its hash, also when it waits already or is in a block. Throws
   * `badEvidence`, `evidenceFull`.
   */
  add(evidence: Evidence): Bytes
  /** What the next block takes, oldest misbehavior first, and its bytes in the block. */
  pick(bytesMax: bigint): { readonly list: readonly Evidence[]; readonly bytes: number }
  /** To be called after each block: what it has is kept no longer, nor what is too old now. */
  update(committed: readonly Evidence[]): void
}

export interface EvidencePoolDependencies {
  readonly store: BlockStore
  readonly log: Logger
  /** After the last block. */
  state(): ChainState
}

interface Waiting {
  readonly evidence: Evidence
  readonly hash: Bytes
  /** In a block: tag, length and encoded evidence. */
  readonly bytes: number
}

/** CometBFT's evidence pool (evidence/pool.go) for one node: nothing is gossiped. */
export function createEvidencePool({ store, log, state }: EvidencePoolDependencies): EvidencePool {
  const waiting = new Map<string, Waiting>(
    store.pendingEvidence().map((evidence) => [bytesToHex(evidenceHash(evidence)), measured(evidence)]),
  )
  let order = sorted(waiting)

  function update(committed: readonly Evidence[]): void {
    if (waiting.size === 0) return
    for (const evidence of committed) waiting.delete(bytesToHex(evidenceHash(evidence)))
    const expired = order.filter(({ evidence, hash }) => waiting.has(bytesToHex(hash)) && isExpired(state(), evidence))
    for (const { hash } of expired) waiting.delete(bytesToHex(hash))
    if (expired.length > 0) {
      log.info({ expired: expired.length }, 'evidence that waited is too old now')
      store.dropPendingEvidence(expired.map(({ evidence }) => evidence))
    }
    order = sorted(waiting)
  }

  update([])
  return {
    size: () => waiting.size,
    add(evidence) {
      checkEvidence(evidence)
      const entry = measured(evidence)
      const name = bytesToHex(entry.hash)
      if (waiting.has(name) || store.isCommitted(evidence)) return entry.hash
      verify(evidence, state(), store)
      checkRoom(entry, state(), waiting)
      store.savePendingEvidence(evidence)
      waiting.set(name, entry)
      order = sorted(waiting)
      log.warn(
        { kind: evidence.kind, height: evidenceHeight(evidence), hash: name },
        'evidence of misbehavior waits for a block',
      )
      return entry.hash
    },
    pick(bytesMax) {
      const list: Evidence[] = []
      let bytes = 0
      for (const entry of order) {
        if (BigInt(bytes + entry.bytes) > bytesMax) break
        bytes += entry.bytes
        list.push(entry.evidence)
      }
      return { list, bytes }
    },
    update,
  }
}

function measured(evidence: Evidence): Waiting {
  return { evidence, hash: evidenceHash(evidence), bytes: txDataBytes(encodeEvidence(evidence).length) }
}

function sorted(waiting: ReadonlyMap<string, Waiting>): readonly Waiting[] {
  return [...waiting.values()].sort(
    (a, b) => evidenceHeight(a.evidence) - evidenceHeight(b.evidence) || compareBytes(a.hash, b.hash),
  )
}

function checkRoom({ bytes }: Waiting, { consensusParams }: ChainState, waiting: ReadonlyMap<string, Waiting>): void {
  const { maxBytes } = consensusParams.evidence
  if (BigInt(bytes) > maxBytes)
    throw bad(`it takes ${bytes} bytes of a block, which has at most ${maxBytes} for evidence`)
  const total = [...waiting.values()].reduce((sum, entry) => sum + entry.bytes, bytes)
  if (waiting.size >= waitingMax || total > waitingBytesMax)
    throw engineErrors.evidenceFull(`${waiting.size} pieces wait, with this one ${total} bytes`)
}

/** Against the chain (evidence/verify.go). */
function verify(evidence: Evidence, state: ChainState, store: BlockStore): void {
  const height = evidenceHeight(evidence)
  const time = store.meta(height)?.header.time
  if (time === undefined) throw bad(`don't have header #${height}`)
  if (evidence.timestamp !== time)
    throw bad(
      'evidence has a different time to the block it is associated with ' +
        `(${formatTime(evidence.timestamp)} != ${formatTime(time)})`,
    )
  if (isExpired(state, evidence)) {
    const { maxAgeNumBlocks, maxAgeDurationNs } = state.consensusParams.evidence
    throw bad(
      `evidence from height ${height} (created at: ${formatTime(time)}) is too old; min height is ` +
        `${BigInt(state.lastHeight) - maxAgeNumBlocks} and evidence can not be older than ` +
        formatTime(state.lastBlockTime - maxAgeDurationNs),
    )
  }
  const validators = store.validators(height)?.validators
  if (!validators) throw bad(`don't have the validators of height ${height}`)
  if (evidence.kind === 'duplicate_vote') verifyDuplicateVote(evidence, state.chainId, validators)
  else verifyLightClientAttack(evidence, validators, trustedHeader(evidence, store))
}

/** Of the conflicting block's height; the last one when the attackers made up a block of the future. */
function trustedHeader({ conflictingBlock }: LightClientAttackEvidence, store: BlockStore): SignedHeader {
  const { height, time } = conflictingBlock.header
  const known = signedHeader(store, height)
  if (known) return known
  const last = signedHeader(store, store.height())
  if (!last) throw bad(`don't have header at height #${height}`)
  if (last.header.time < time)
    throw bad(
      `latest block time (${formatTime(last.header.time)}) is before conflicting block time (${formatTime(time)})`,
    )
  return last
}

function signedHeader(store: BlockStore, height: number): SignedHeader | undefined {
  const [meta, commit] = [store.meta(height), store.commit(height)]
  return meta && commit && { header: meta.header, commit }
}

/** Too old in blocks and in time: both have to have passed. */
function isExpired({ lastHeight, lastBlockTime, consensusParams }: ChainState, evidence: Evidence): boolean {
  const { maxAgeNumBlocks, maxAgeDurationNs } = consensusParams.evidence
  const blocks = BigInt(lastHeight - evidenceHeight(evidence))
  return blocks > maxAgeNumBlocks && lastBlockTime - evidence.timestamp > maxAgeDurationNs
}
