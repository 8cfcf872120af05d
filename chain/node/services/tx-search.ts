import { type Bytes, bytesToBase64, emptyBytes } from '@coin/base/bytes'
import { type GetTxsEventRequest, OrderBy } from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import type { TxPosition, TxSearch } from '../ports.js'
import type { CallContext } from './service.js'
import { invalidArgument } from './service-errors.js'

export const searchLimitDefault = 100n
export const searchLimitMax = 100n

/**
 * A transaction search in both dialects. The filter is `query`, or `events` joined by AND, or all of them together; the page
 * is `page` and `limit`, or `pagination.*`. Throws `invalidArgument` when there is no filter, or for a page that is none.
 */
export function toTxSearch(request: GetTxsEventRequest, { given }: CallContext): TxSearch {
  const { pagination, page } = request
  const filters = [request.query, ...request.events].map((filter) => filter.trim()).filter((filter) => filter !== '')
  if (filters.length === 0) {
    throw invalidArgument('no filter, expected query=<condition> or events=<condition>, such as tx.height=5')
  }
  const limit = limitOf(request)
  const key = pagination?.key ?? emptyBytes
  const skip = page > 1n ? (page - 1n) * limit : (pagination?.offset ?? 0n)
  if (key.length > 0 && skip > 0n) throw invalidArgument('pagination.key and an offset or a page exclude each other')
  if (skip > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalidArgument(`page ${page} with limit ${limit} is past every end`)
  const isRefused = given.has('pagination.count_total') && pagination?.countTotal !== true
  return {
    query: filters.join(' AND '),
    order: request.orderBy === OrderBy.ORDER_BY_DESC || pagination?.reverse === true ? 'desc' : 'asc',
    limit: Number(limit),
    skip: Number(skip),
    from: key.length > 0 ? decodeCursor(key) : undefined,
    // The SDK always gives the total, so only a page that follows another, or a plain no, goes without; and where it would take too
    // long, who has not asked for it gets the page all the same.
    countTotal: pagination?.countTotal === true || (!isRefused && key.length === 0 && 'cheaply'),
  }
}

function limitOf({ limit, pagination }: GetTxsEventRequest): bigint {
  const asked = limit > 0n ? limit : (pagination?.limit ?? 0n)
  if (asked === 0n) return searchLimitDefault
  return asked > searchLimitMax ? searchLimitMax : asked
}

/** `next_key`: eight bytes of height, four of index, big-endian. */
export function encodeCursor({ height, index }: TxPosition): Bytes {
  const bytes = new Uint8Array(12)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, BigInt(height))
  view.setUint32(8, index)
  return bytes
}

export function decodeCursor(bytes: Bytes): TxPosition {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const height = bytes.length === 12 ? view.getBigUint64(0) : 0n
  if (height === 0n || height > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw invalidArgument(`pagination.key "${bytesToBase64(bytes)}" is no next_key of a transaction search`)
  }
  return { height: Number(height), index: view.getUint32(8) }
}
