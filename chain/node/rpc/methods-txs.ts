import { type Bytes, emptyBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { TxResult } from '@coin/engine/application'
import { merkleProofs } from '@coin/store/simple-merkle'
import { sha256 } from '@coin/wire/sha256'
import { queryLengthMax } from '../index/query-syntax.js'
import type { IndexedTx, MempoolView } from '../ports.js'
import { createInclusions, type Inclusions } from '../services/inclusions.js'
import { base64, hex, type Json, txProofJson, txResultJson } from './comet-json.js'
import { failure, method, orderOf, perPageOf, type RpcMethod, type RpcPorts, skipOf } from './method.js'

/** Transactions: into the mempool, out of the index. `commitTimeoutMs` bounds how long `broadcast_tx_commit` waits. */
export function txMethods(ports: RpcPorts, commitTimeoutMs: number): readonly (readonly [string, RpcMethod])[] {
  const { consensus } = ports
  const inclusions = createInclusions(ports)
  return [
    method('broadcast_tx_async', { tx: 'bytes' }, 'never', async ({ tx = emptyBytes }) => {
      const hash = await consensus.async(tx)
      return broadcastJson(hash, { code: 0, data: emptyBytes, log: '', codespace: '' })
    }),
    method('broadcast_tx_sync', { tx: 'bytes' }, 'never', async ({ tx = emptyBytes }) => {
      const { hash, checked } = await consensus.sync(tx)
      return broadcastJson(hash, checked)
    }),
    method('broadcast_tx_commit', { tx: 'bytes' }, 'never', ({ tx = emptyBytes }, gone) =>
      broadcastCommit(ports, inclusions, tx, commitTimeoutMs, gone),
    ),
    method('check_tx', { tx: 'bytes' }, 'never', async ({ tx = emptyBytes }) =>
      txResultJson(await consensus.checkTx(tx)),
    ),
    method('unconfirmed_txs', { limit: 'int' }, 'never', async ({ limit }) => {
      const view = await consensus.mempool(perPageOf(limit))
      return { ...countsJson(view), txs: view.txs.map(base64) }
    }),
    method('num_unconfirmed_txs', {}, 'never', async () => {
      const { count, bytes } = await consensus.mempool(0)
      return { n_txs: String(count), total: String(count), total_bytes: String(bytes), txs: null }
    }),
    ...indexMethods(ports),
  ]
}

function countsJson({ txs, count, bytes }: MempoolView): { readonly [key: string]: Json } {
  return { n_txs: String(txs.length), total: String(count), total_bytes: String(bytes) }
}

function broadcastJson(
  hash: Bytes,
  { code, data, log, codespace }: Pick<TxResult, 'code' | 'data' | 'log' | 'codespace'>,
): Json {
  return { code, data: hex(data), log, codespace, hash: hex(hash) }
}

/**
 * Waits for the block that has the transaction. A time-out says so and names the hash: the transaction may still come. When the
 * client leaves, nothing is waited for any more.
 */
async function broadcastCommit(
  { consensus }: RpcPorts,
  inclusions: Inclusions,
  tx: Bytes,
  timeoutMs: number,
  gone: AbortSignal,
): Promise<Json> {
  // Before it is handed over: a block may come while CheckTx still runs.
  const waiter = inclusions.wait(sha256(tx), timeoutMs)
  const { left, stopListening } = leaving(gone)
  try {
    const { hash, check } = await submit(consensus, tx)
    const answer = (result: TxResult, height: number): Json => ({
      check_tx: txResultJson(check),
      tx_result: txResultJson(result),
      hash: hex(hash),
      height: String(height),
    })
    if (check.code !== 0) return answer(noResult, 0)
    waiter.accepted()
    const { result, height } = await Promise.race([waiter.included, left])
    return answer(result, height)
  } finally {
    stopListening()
    waiter.end()
  }
}

/** `left` rejects when the client leaves. */
function leaving(gone: AbortSignal): { readonly left: Promise<never>; stopListening(): void } {
  let stopListening: () => void = () => undefined
  const left = new Promise<never>((_, reject) => {
    const leave = () => reject(failure('the client has left'))
    if (gone.aborted) leave()
    gone.addEventListener('abort', leave, { once: true })
    stopListening = () => gone.removeEventListener('abort', leave)
  })
  left.catch(() => undefined) // it may leave while CheckTx runs
  return { left, stopListening }
}

async function submit(consensus: RpcPorts['consensus'], tx: Bytes): Promise<{ hash: Bytes; check: TxResult }> {
  try {
    const { hash, checked } = await consensus.sync(tx)
    return { hash, check: checked }
  } catch (error) {
    throw error instanceof CodedError ? error.wrap('error on broadcastTxCommit') : error
  }
}

const noResult: TxResult = {
  code: 0,
  codespace: '',
  data: emptyBytes,
  log: '',
  info: '',
  gasWanted: 0,
  gasUsed: 0,
  events: [],
}

function indexMethods({ blocks, index }: RpcPorts): readonly (readonly [string, RpcMethod])[] {
  const resultJson = (tx: IndexedTx, proofOf?: ProofOf): Json => ({
    hash: hex(tx.hash),
    height: String(tx.height),
    index: tx.index,
    tx_result: txResultJson(tx.result),
    tx: base64(tx.bytes),
    ...(proofOf && { proof: proofOf(tx) }),
  })
  const requireIndex = () => {
    if (!index) throw failure('transaction indexing is disabled')
    return index
  }
  return [
    method('tx', { hash: 'bytes', prove: 'bool' }, 'always', async ({ hash = emptyBytes, prove = false }) => {
      const txIndex = requireIndex()
      if (hash.length === 0) throw failure('transaction hash cannot be empty')
      const found = await txIndex.get(hash)
      if (!found) throw failure(`tx (${hex(hash)}) not found`)
      return resultJson(found, prove ? proofsOf(blocks) : undefined)
    }),
    method(
      'tx_search',
      { query: 'string', prove: 'bool', page: 'int', per_page: 'int', order_by: 'string' },
      'never',
      async ({ query = '', prove = false, page, per_page, order_by }) => {
        const txIndex = requireIndex()
        if (query.length > queryLengthMax) throw failure('maximum query length exceeded')
        const perPage = perPageOf(per_page)
        const order = orderOf(order_by, 'asc')
        const skip = page === undefined ? 0 : Math.max(0, page - 1) * perPage
        const { txs, total = 0 } = await txIndex.search({ query, order, limit: perPage, skip, countTotal: true })
        skipOf(page, perPage, total)
        const proofOf = prove ? proofsOf(blocks) : undefined
        return { txs: txs.map((tx) => resultJson(tx, proofOf)), total_count: String(total) }
      },
    ),
  ]
}

/** That a transaction is in the data hash of its block. */
type ProofOf = (tx: IndexedTx) => Json

/** The proofs of a block are made together, so those of one block after the other cost little. */
function proofsOf(blocks: RpcPorts['blocks']): ProofOf {
  let made: { readonly height: number; readonly txs: readonly Bytes[]; readonly merkle: MerkleProofs } | undefined
  return ({ height, index }) => {
    if (made?.height !== height) {
      const txs = blocks.txs(height)
      made = { height, txs, merkle: merkleProofs(txs.map((tx) => sha256(tx))) }
    }
    return txProofJson(made.merkle.root, made.txs[index]!, made.merkle.proofs[index]!)
  }
}

type MerkleProofs = ReturnType<typeof merkleProofs>
