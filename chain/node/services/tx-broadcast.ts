import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { mempoolErrors } from '@coin/engine/errors'
import { sdkErrors } from '@coin/runtime/errors'
import { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import {
  BroadcastMode,
  type BroadcastTxRequest,
  type BroadcastTxResponse,
} from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { encodeAny } from '@coin/wire/registry'
import { sha256 } from '@coin/wire/sha256'
import type { IndexedTx } from '../ports.js'
import type { Waiter } from './inclusions.js'
import type { ServicePorts } from './service.js'
import { DetailedError, invalidArgument, unavailable } from './service-errors.js'
import { checkedResponse, toTxResponse, upperHex } from './tx-response.js'

type Ports = Pick<ServicePorts, 'blocks' | 'txs' | 'broadcaster' | 'inclusions' | 'broadcastBlockTimeoutMs'>

/** gRPC's codes of a wait that came to nothing: DEADLINE_EXCEEDED and ABORTED. */
const waitCodes = { late: 4, aborted: 10 } as const

/**
 * `BroadcastTx`. `BROADCAST_MODE_SYNC` answers what CheckTx says, `ASYNC` the hash alone, and `BLOCK`, which the SDK has no more,
 * what the block made of the transaction. What the mempool refuses is an answer with a code, as in the SDK.
 */
export async function broadcastTx(ports: Ports, request: BroadcastTxRequest): Promise<BroadcastTxResponse> {
  const { txBytes, mode } = request
  if (txBytes.length === 0) throw invalidArgument('invalid empty tx')
  switch (mode) {
    case BroadcastMode.BROADCAST_MODE_SYNC:
      return {
        txResponse: await orRefused(txBytes, async () => checkedResponse(await ports.broadcaster.sync(txBytes))),
      }
    case BroadcastMode.BROADCAST_MODE_ASYNC:
      return {
        txResponse: await orRefused(txBytes, async () =>
          TxResponse.fromPartial({ txhash: upperHex(await ports.broadcaster.async(txBytes)) }),
        ),
      }
    case BroadcastMode.BROADCAST_MODE_BLOCK:
      return { txResponse: await broadcastAndWait(ports, txBytes) }
    default:
      throw invalidArgument(
        `broadcast mode ${modeName(mode)}, expected BROADCAST_MODE_SYNC, BROADCAST_MODE_ASYNC or BROADCAST_MODE_BLOCK`,
      )
  }
}

async function broadcastAndWait(ports: Ports, txBytes: Bytes): Promise<TxResponse> {
  const hash = sha256(txBytes)
  // Before it is handed over: a block may come while CheckTx still runs.
  const waiter = ports.inclusions.wait(hash, ports.broadcastBlockTimeoutMs)
  try {
    const checked = await submit(ports, txBytes)
    if (checked === 'known') return (await foundTx(ports, hash)) ?? (await included(ports, waiter, hash, txBytes))
    return checked.code === 0 ? await included(ports, waiter, hash, txBytes) : checked
  } finally {
    waiter.end()
  }
}

/** A transaction that the mempool has seen is waited for all the same: its sender may have lost the first answer. */
async function submit({ broadcaster }: Ports, txBytes: Bytes): Promise<TxResponse | 'known'> {
  try {
    return checkedResponse(await broadcaster.sync(txBytes))
  } catch (error) {
    const isKnown =
      error instanceof CodedError && error.codespace === 'mempool' && error.code === mempoolErrors.inCache.code
    return isKnown ? 'known' : refused(txBytes, error)
  }
}

async function included(ports: Ports, waiter: Waiter, hash: Bytes, bytes: Bytes): Promise<TxResponse> {
  waiter.accepted()
  try {
    const { height, result } = await waiter.included
    return await toTxResponse(ports.blocks, { hash, height, bytes, result })
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    // It may have been in a block before the wait began.
    const found = await foundTx(ports, hash)
    if (found !== undefined) return found
    throw waitFailure(error, hash)
  }
}

async function foundTx({ txs, blocks }: Ports, hash: Bytes): Promise<TxResponse | undefined> {
  let found: IndexedTx | undefined
  try {
    found = await txs.get(hash)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error // this node keeps no index
  }
  return found && toTxResponse(blocks, found)
}

/** Says what to do about a wait that came to nothing; the hash stands in the words and, for programs, in the details. */
function waitFailure(error: CodedError, hash: Bytes): CodedError {
  const name = upperHex(hash)
  if (error.codespace !== 'mempool') return error
  const detail = encodeAny('cosmos.base.abci.v1beta1.TxResponse', TxResponse.fromPartial({ txhash: name }))
  if (error.code === mempoolErrors.notIncluded.code) {
    const advice = `it may still get into one: ask GET /cosmos/tx/v1beta1/txs/${name}`
    return new DetailedError(waitCodes.late, `${error.message}; ${advice}`, [detail])
  }
  return new DetailedError(waitCodes.aborted, error.message, [detail])
}

/** Runs a broadcast; what the mempool refuses by itself becomes an answer with a code. */
async function orRefused(txBytes: Bytes, run: () => Promise<TxResponse>): Promise<TxResponse> {
  try {
    return await run()
  } catch (error) {
    return refused(txBytes, error)
  }
}

function refused(txBytes: Bytes, error: unknown): TxResponse {
  const known = error instanceof CodedError ? asSdkError(error) : undefined
  if (known === undefined) throw error
  const { code, codespace, message } = known
  return TxResponse.fromPartial({ txhash: upperHex(sha256(txBytes)), code, codespace, rawLog: message })
}

function modeName(mode: number): string {
  return Object.entries(BroadcastMode).find(([, number]) => number === mode)?.[0] ?? String(mode)
}

/** What the mempool refuses by itself has a code of the SDK's too. Anything else is a failed call. */
function asSdkError(error: CodedError): CodedError | undefined {
  if (error.codespace !== 'mempool') return undefined
  if (error.code === mempoolErrors.inCache.code) return sdkErrors.txInMempoolCache()
  if (error.code === mempoolErrors.full.code) return sdkErrors.mempoolIsFull()
  if (error.code === mempoolErrors.tooLarge.code) return sdkErrors.txTooLarge(error.message)
  if (error.code === mempoolErrors.halted.code) throw unavailable(error.message)
  return error
}
