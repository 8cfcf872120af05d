import { type Bytes, bytesToBase64 } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import { txHash } from '@coin/wire/tx'
import { findTx, requireTx } from './find-tx.js'
import type { RpcClient } from './rpc.js'
import { watchTx } from './tx-watch.js'

/** `sync` waits for the check, `async` for nothing, `block` until the transaction is in a block. */
export type BroadcastMode = 'sync' | 'async' | 'block'

/** A transaction that a node has taken is in a block long before, unless the chain stands still. */
const blockTimeoutMs = 60_000

/** Sends a transaction; the answer's `code` is other than 0 when it was refused, or failed in its block. */
export async function broadcastTx(
  rpc: RpcClient,
  bytes: Bytes,
  mode: BroadcastMode,
  say: (text: string) => void,
): Promise<TxResponse> {
  if (mode !== 'block') return submit(rpc, bytes, mode)
  const hash = txHash(bytes)
  const watch = await watchTx(rpc, hash, blockTimeoutMs)
  try {
    const response = await submit(rpc, bytes, 'sync')
    if (response.code === knownAlready) {
      // Sent before: what is asked for is its block, which may be there already.
      const found = await findTx(rpc, hash)
      if (found !== undefined) return found
    } else if (response.code !== 0) return response
    say(`waiting for transaction ${hash} to be in a block`)
    await watch.included
    return await requireTx(rpc, hash)
  } finally {
    watch.close()
  }
}

/** The node has the transaction, in its mempool or in a block. */
const knownAlready = 19

/** What the mempool refuses, under the SDK's codes. */
const refusals = [
  [/tx already exists in cache/i, knownAlready],
  [/mempool is full.*/i, 20],
  [/tx too large.*/i, 21],
] as const

async function submit(rpc: RpcClient, bytes: Bytes, mode: 'sync' | 'async'): Promise<TxResponse> {
  try {
    const { code, codespace, log, hash, data } = await rpc.call(`broadcast_tx_${mode}`, { tx: bytesToBase64(bytes) })
    return TxResponse.fromPartial({
      txhash: String(hash),
      code: Number(code ?? 0),
      codespace: String(codespace ?? ''),
      rawLog: String(log ?? ''),
      data: String(data ?? ''),
    })
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    const told = error.message.replace(/: query failed$/, '')
    for (const [words, code] of refusals) {
      const [rawLog] = words.exec(told) ?? []
      if (rawLog !== undefined) return TxResponse.fromPartial({ txhash: txHash(bytes), code, codespace: 'sdk', rawLog })
    }
    throw error
  }
}
