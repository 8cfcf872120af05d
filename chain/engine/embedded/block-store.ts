import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex, bytesToUtf8, concatBytes, emptyBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { firstEntry, type KvDatabase, type KvOperation } from '@coin/store/kv-database'
import type { ConsensusParams, FinalizeBlockResult, TxResult } from '../application.js'
import {
  decodeBlockMeta,
  decodeCommit,
  decodeValidatorSet,
  encodeBlockMeta,
  encodeCommit,
  encodeValidatorSet,
} from '../comet/codec.js'
import { type Evidence, evidenceHeight } from '../comet/evidence.js'
import {
  decodeEvidence,
  decodeEvidenceList,
  encodeEvidence,
  encodeEvidenceList,
  evidenceHash,
} from '../comet/evidence-codec.js'
import {
  decodeParams,
  decodeResults,
  decodeTxResult,
  encodeParams,
  encodeResults,
  encodeTxResult,
} from '../comet/result-codec.js'
import { type Block, type BlockMeta, type Commit, emptyCommit, type ValidatorSet } from '../comet/types.js'
import { engineErrors } from '../errors.js'
import type { ChainState } from './chain-state.js'
import { heightKey, packRows, readEntry, readRows } from './packed-rows.js'

/** First byte of every key. A number is never used again for something else. */
const prefixes = {
  meta: 1, // height -> BlockMeta
  commit: 2, // height -> Commit of that block
  txs: 3, // height, index -> transactions, packed
  heightByHash: 4, // block hash -> height, 8 bytes
  results: 5, // height -> ResponseFinalizeBlock without tx results
  txResults: 6, // height, index -> ExecTxResult, packed
  validators: 7, // height -> ValidatorSet that signs it
  params: 8, // height -> ConsensusParams in force in it
  state: 9, // -> ChainState
  base: 10, // -> lowest height that is kept, 8 bytes
  evidence: 11, // height -> EvidenceList of that block; no row for a block without
  pendingEvidence: 12, // height and hash of the evidence -> Evidence
  committedEvidence: 13, // height and hash of the evidence -> nothing
} as const

const stateKey = Uint8Array.of(prefixes.state)
const baseKey = Uint8Array.of(prefixes.base)

/** What RPC, REST and the tx index read. Heights without data answer `undefined`. */
export interface BlockReads {
  /** Last block that is stored; 0 before the first. */
  height(): number
  /** Lowest block that pruning has left; 0 before the first. */
  base(): number
  meta(height: number): BlockMeta | undefined
  heightOf(blockHash: Bytes): number | undefined
  block(height: number): Block | undefined
  /** The signatures that committed this block. */
  commit(height: number): Commit | undefined
  tx(height: number, index: number): Bytes | undefined
  txs(height: number): readonly Bytes[]
  results(height: number): FinalizeBlockResult | undefined
  txResult(height: number, index: number): TxResult | undefined
  /** Events of the block itself, without those of its transactions. */
  blockEvents(height: number): FinalizeBlockResult['events'] | undefined
  /** Also answers for the two heights to come. */
  validators(height: number): ValidatorSet | undefined
  /** Also answers for the height to come. */
  consensusParams(height: number): ConsensusParams | undefined
}

export interface BlockStore extends BlockReads {
  /** Durable when it returns: from here on the block is part of the chain. */
  saveBlock(block: Block, meta: BlockMeta, commit: Commit): void
  /** Results of a block and the state after it, durable when it returns. `undefined` at genesis. */
  saveState(state: ChainState, results: FinalizeBlockResult | undefined): void
  loadState(): ChainState | undefined
  /** Forgets blocks below `height`; returns how many. At most `limit` at a time, so that a block is never held up long. */
  prune(height: number, limit: number): number
  /** Forgets the last block, with its results and what it said of later heights. The state must not be at it. */
  removeLast(): void
  /** Evidence that waits for a block, oldest misbehavior first. */
  pendingEvidence(): readonly Evidence[]
  /** Durable when it returns. `saveBlock` takes it away again when it stores a block with it. */
  savePendingEvidence(evidence: Evidence): void
  dropPendingEvidence(list: readonly Evidence[]): void
  /** A stored block has it. */
  isCommitted(evidence: Evidence): boolean
}

/** The ends of what is stored, kept in memory because every request asks for them. */
export interface BlockBounds {
  height: number
  base: number
}

/** `write` is put around what goes to the disk, to take its time. */
export function createBlockStore(db: KvDatabase, write: (run: () => void) => void = (run) => run()): BlockStore {
  const bounds = loadBounds(db)
  const reads = createBlockReads(db, bounds)
  return {
    ...reads,
    saveBlock(block, meta, commit) {
      const { height } = block.header
      const operations: KvOperation[] = [
        [heightKey(prefixes.meta, height), encodeBlockMeta(meta)],
        [heightKey(prefixes.commit, height), encodeCommit(commit)],
        [hashKey(meta.blockId.hash), heightKey(0, height).subarray(1)],
        ...packRows(prefixes.txs, height, block.txs),
        ...evidenceRows(block),
      ]
      if (bounds.base === 0) operations.push([baseKey, heightKey(0, height).subarray(1)])
      write(() => db.batch(operations, { sync: true }))
      bounds.height = height
      if (bounds.base === 0) bounds.base = height
    },
    saveState(state, results) {
      const operations: KvOperation[] = [[stateKey, encodeState(state)]]
      const next = state.lastHeight === 0 ? state.initialHeight : state.lastHeight + 1
      if (state.lastHeight === 0)
        operations.push([heightKey(prefixes.validators, next), encodeValidatorSet(state.validators)])
      operations.push([heightKey(prefixes.validators, next + 1), encodeValidatorSet(state.nextValidators)])
      operations.push([heightKey(prefixes.params, next), encodeParams(state.consensusParams)])
      if (results) {
        operations.push([heightKey(prefixes.results, state.lastHeight), encodeResults(results)])
        operations.push(...packRows(prefixes.txResults, state.lastHeight, results.txResults.map(encodeTxResult)))
      }
      write(() => db.batch(operations, { sync: true }))
    },
    loadState() {
      const bytes = db.get(stateKey)
      return bytes && decodeState(bytes, reads)
    },
    prune(height, limit) {
      const pruned = prune(db, reads, height, limit)
      bounds.base += pruned
      return pruned
    },
    removeLast() {
      removeLast(db, reads, bounds.height)
      bounds.height--
    },
    pendingEvidence: () =>
      [...db.iterate(Uint8Array.of(prefixes.pendingEvidence), Uint8Array.of(prefixes.pendingEvidence + 1))].map(
        ([, value]) => decodeEvidence(value),
      ),
    savePendingEvidence(evidence) {
      db.batch([[evidenceKey(prefixes.pendingEvidence, evidence), encodeEvidence(evidence)]], { sync: true })
    },
    dropPendingEvidence(list) {
      const operations = list.map((it): KvOperation => [evidenceKey(prefixes.pendingEvidence, it), undefined])
      db.batch(operations, { sync: true })
    },
    isCommitted: (evidence) => db.has(evidenceKey(prefixes.committedEvidence, evidence)),
  }
}

/** Of one block: what it carries, and that this does not wait any more. */
function evidenceRows({ header, evidence }: Block): readonly KvOperation[] {
  if (evidence.length === 0) return []
  return [
    [heightKey(prefixes.evidence, header.height), encodeEvidenceList(evidence)],
    ...evidence.flatMap((it): KvOperation[] => [
      [evidenceKey(prefixes.pendingEvidence, it), undefined],
      [evidenceKey(prefixes.committedEvidence, it), emptyBytes],
    ]),
  ]
}

function evidenceKey(prefix: number, evidence: Evidence): Bytes {
  return concatBytes(heightKey(prefix, evidenceHeight(evidence)), evidenceHash(evidence))
}

function loadBounds(db: KvDatabase): BlockBounds {
  const top = firstEntry(db.iterate(heightKey(prefixes.meta, 0), Uint8Array.of(prefixes.meta + 1), true))
  const base = db.get(baseKey)
  return { height: top ? readHeight(top[0], 1) : 0, base: base ? readHeight(base, 0) : 0 }
}

/**
 * Blocks as another thread than the engine's reads them, over its own handle of the database. Whoever opens it moves `bounds`
 * when it is told of blocks.
 */
export function createBlockReads(db: KvDatabase, bounds: Readonly<BlockBounds>): BlockReads {
  const meta = (height: number) => {
    const bytes = db.get(heightKey(prefixes.meta, height))
    return bytes && decodeBlockMeta(bytes)
  }
  const commit = (height: number) => {
    const bytes = db.get(heightKey(prefixes.commit, height))
    return bytes && decodeCommit(bytes)
  }
  const txs = (height: number) => readRows(db, prefixes.txs, height)
  return {
    height: () => bounds.height,
    base: () => bounds.base,
    meta,
    heightOf(blockHash) {
      const bytes = blockHash.length === 32 ? db.get(hashKey(blockHash)) : undefined
      return bytes && readHeight(bytes, 0)
    },
    block(height) {
      const found = meta(height)
      if (!found) return undefined
      const isFirst = found.header.lastBlockId.hash.length === 0
      const lastCommit = isFirst ? emptyCommit : commit(height - 1)
      if (!lastCommit) throw engineErrors.corruptStore(`the commit of block ${height - 1} is missing`)
      const evidence = db.get(heightKey(prefixes.evidence, height))
      return {
        header: found.header,
        txs: txs(height),
        evidence: evidence ? decodeEvidenceList(evidence) : [],
        lastCommit,
      }
    },
    commit,
    tx: (height, index) => readEntry(db, prefixes.txs, height, index),
    txs,
    results(height) {
      const bytes = db.get(heightKey(prefixes.results, height))
      if (!bytes) return undefined
      return decodeResults(bytes, readRows(db, prefixes.txResults, height).map(decodeTxResult))
    },
    txResult(height, index) {
      const bytes = readEntry(db, prefixes.txResults, height, index)
      return bytes && decodeTxResult(bytes)
    },
    blockEvents(height) {
      const bytes = db.get(heightKey(prefixes.results, height))
      return bytes && decodeResults(bytes, []).events
    },
    validators(height) {
      const bytes = db.get(heightKey(prefixes.validators, height))
      return bytes && decodeValidatorSet(bytes)
    },
    consensusParams(height) {
      const bytes = db.get(heightKey(prefixes.params, height))
      return bytes && decodeParams(bytes)
    },
  }
}

/** Keeps the commit and the validators of the block just below: the lowest block kept is verified with them. */
function prune(db: KvDatabase, reads: BlockReads, height: number, limit: number): number {
  const base = reads.base()
  const newBase = Math.min(height, reads.height(), base + limit)
  if (base === 0 || newBase <= base) return 0
  const operations: KvOperation[] = [[baseKey, heightKey(0, newBase).subarray(1)]]
  for (let at = base; at < newBase; at++) {
    const hash = reads.meta(at)?.blockId.hash
    if (hash) operations.push([hashKey(hash), undefined])
    for (const prefix of [prefixes.meta, prefixes.results, prefixes.params, prefixes.evidence])
      operations.push([heightKey(prefix, at), undefined])
    for (const prefix of [prefixes.commit, prefixes.validators])
      if (at > 0) operations.push([heightKey(prefix, at - 1), undefined])
    for (const prefix of [prefixes.txs, prefixes.txResults])
      for (const [key] of db.iterate(heightKey(prefix, at), heightKey(prefix, at + 1)))
        operations.push([key, undefined])
  }
  // Misbehavior of a height that is gone cannot be proved any more: nobody has to know that it was.
  for (const [key] of db.iterate(
    heightKey(prefixes.committedEvidence, 0),
    heightKey(prefixes.committedEvidence, newBase),
  ))
    operations.push([key, undefined])
  db.batch(operations, { sync: true })
  return newBase - base
}

function removeLast(db: KvDatabase, reads: BlockReads, height: number): void {
  assert(height > reads.base(), `block ${height} is the last that is left`)
  const hash = reads.meta(height)?.blockId.hash
  const operations: KvOperation[] = [
    ...[prefixes.meta, prefixes.commit, prefixes.results].map((prefix) => heightKey(prefix, height)),
    heightKey(prefixes.validators, height + 2),
    heightKey(prefixes.params, height + 1),
    ...(hash === undefined ? [] : [hashKey(hash)]),
  ].map((key): KvOperation => [key, undefined])
  for (const prefix of [prefixes.txs, prefixes.txResults])
    for (const [key] of db.iterate(heightKey(prefix, height), heightKey(prefix, height + 1)))
      operations.push([key, undefined])
  db.batch(operations, { sync: true })
}

function hashKey(hash: Bytes): Bytes {
  return concatBytes(Uint8Array.of(prefixes.heightByHash), hash)
}

function readHeight(bytes: Bytes, offset: number): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getBigUint64(offset))
}

/** Scalars as JSON; validator sets and parameters have rows of their own. */
function encodeState(state: ChainState): Bytes {
  return utf8ToBytes(
    JSON.stringify({
      chainId: state.chainId,
      initialHeight: state.initialHeight,
      lastHeight: state.lastHeight,
      lastBlockHash: bytesToHex(state.lastBlockId.hash),
      lastPartsTotal: state.lastBlockId.parts.total,
      lastPartsHash: bytesToHex(state.lastBlockId.parts.hash),
      lastBlockTime: String(state.lastBlockTime),
      appVersion: String(state.appVersion),
      lastResultsHash: bytesToHex(state.lastResultsHash),
      appHash: bytesToHex(state.appHash),
    }),
  )
}

function decodeState(bytes: Bytes, reads: BlockReads): ChainState {
  const fields = JSON.parse(bytesToUtf8(bytes)) as Record<string, string> & { [K in NumberField]: number }
  const next = fields.lastHeight === 0 ? fields.initialHeight : fields.lastHeight + 1
  const validators = reads.validators(next)
  const nextValidators = reads.validators(next + 1)
  const consensusParams = reads.consensusParams(next)
  if (!validators || !nextValidators || !consensusParams)
    throw engineErrors.corruptStore(`validators or parameters of height ${next} are missing`)
  return {
    chainId: fields.chainId!,
    initialHeight: fields.initialHeight,
    lastHeight: fields.lastHeight,
    lastBlockId: {
      hash: hexToBytes(fields.lastBlockHash!),
      parts: { total: fields.lastPartsTotal, hash: hexToBytes(fields.lastPartsHash!) },
    },
    lastBlockTime: BigInt(fields.lastBlockTime!),
    lastValidators: fields.lastHeight === 0 ? undefined : reads.validators(fields.lastHeight),
    validators,
    nextValidators,
    consensusParams,
    appVersion: BigInt(fields.appVersion!),
    lastResultsHash: hexToBytes(fields.lastResultsHash!),
    appHash: hexToBytes(fields.appHash!),
  }
}

type NumberField = 'initialHeight' | 'lastHeight' | 'lastPartsTotal'
