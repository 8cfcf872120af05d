import { CodedError } from '@coin/base/errors'
import type { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import { SearchTxsResult } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import {
  GetTxRequest,
  GetTxResponse,
  GetTxsEventRequest,
  GetTxsEventResponse,
  OrderBy,
} from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { nodeErrors } from '../../errors.js'
import type { RpcClient } from './rpc.js'

const service = '/cosmos.tx.v1beta1.Service'

/** 64 upper-case hexadecimal digits, with or without "0x" before them. Throws `badFlag`. */
export function parseHash(text: string, of: 'transaction' | 'block' = 'transaction'): string {
  const digits = text.replace(/^0x/i, '')
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw nodeErrors.badFlag(`${of} hash "${text}", expected 64 hexadecimal digits`)
  return digits.toUpperCase()
}

/** The transaction as it is in a block; `undefined` when it is in none. */
export async function findTx(rpc: RpcClient, hash: string): Promise<TxResponse | undefined> {
  const request = GetTxRequest.encode({ hash }).finish()
  try {
    return GetTxResponse.decode(await rpc.query(`${service}/GetTx`, request)).txResponse
  } catch (error) {
    if (error instanceof CodedError && /\btx not found\b/.test(error.message)) return undefined
    throw error
  }
}

/** As `findTx`. Throws `queryFailed` when it is in no block. */
export async function requireTx(rpc: RpcClient, hash: string): Promise<TxResponse> {
  const found = await findTx(rpc, hash)
  if (found !== undefined) return found
  throw nodeErrors.queryFailed(`transaction ${hash} is in no block of this chain: it may still wait, or was refused`)
}

export interface TxPage {
  readonly query: string
  /** From 1. */
  readonly page: number
  readonly limit: number
  readonly order: 'asc' | 'desc'
}

/** A page of transactions whose events match, in the form that the reference prints. */
export async function searchTxs(rpc: RpcClient, { query, page, limit, order }: TxPage): Promise<SearchTxsResult> {
  const orderBy = order === 'asc' ? OrderBy.ORDER_BY_ASC : OrderBy.ORDER_BY_DESC
  const request = GetTxsEventRequest.fromPartial({ query, page: BigInt(page), limit: BigInt(limit), orderBy })
  const bytes = await rpc.query(`${service}/GetTxsEvent`, GetTxsEventRequest.encode(request).finish())
  const { txResponses, total } = GetTxsEventResponse.decode(bytes)
  return SearchTxsResult.fromPartial({
    totalCount: total,
    count: BigInt(txResponses.length),
    pageNumber: BigInt(page),
    pageTotal: (total + BigInt(limit) - 1n) / BigInt(limit),
    limit: BigInt(limit),
    txs: txResponses,
  })
}
