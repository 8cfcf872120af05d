import { type Bytes, concatBytes, emptyBytes } from '@coin/base/bytes'
import type { PageRequest, PageResponse } from '@coin/wire/gen/cosmos/base/query/v1beta1/pagination'
import type { Collection } from './collections.js'
import type { Read } from './context.js'
import { prefixEnd } from './keys.js'
import { status } from './status.js'

/** Entries per page when the request names no limit. */
export const pageLimitDefault = 100n

/** Of a page that a client asks for: it is held in memory. The next one begins behind it. */
export const pageLimitMax = 100_000n

export interface Page<T> {
  readonly items: T[]
  readonly pagination: PageResponse
}

export interface PageOptions<K, V> {
  /** Only keys that begin with this; it is left out of `next_key`, as the SDK does. */
  readonly prefix?: Bytes
  /** Entries that do not pass count neither towards the page nor the total. */
  readonly filter?: (key: K, value: V) => boolean
}

/**
 * One page of a collection by the SDK's rules: either `key` (from an earlier `next_key`) or `offset`; without a limit 100
 * entries and a count; clients get at most 100,000 at once; `total` only where asked for and not with `key`. `reverse` goes down.
 */
export function paginate<K, V, T>(
  ctx: Read,
  collection: Collection<K, V>,
  request: PageRequest | undefined,
  transform: (key: K, value: V) => T,
  { prefix, filter }: PageOptions<K, V> = {},
): Page<T> {
  const key = request?.key ?? emptyBytes
  const offset = request?.offset ?? 0n
  const reverse = request?.reverse ?? false
  const isUnlimited = (request?.limit ?? 0n) === 0n
  const asked = isUnlimited ? pageLimitDefault : request!.limit
  const limit = ctx.mode === 'query' && asked > pageLimitMax ? pageLimitMax : asked
  const countTotal = isUnlimited || request!.countTotal
  if (offset > 0n && key.length > 0) {
    throw status('invalidArgument', 'invalid request, either offset or key is expected, got both')
  }
  const byKey = key.length > 0
  const items: T[] = []
  let nextKey: Bytes = emptyBytes
  let seen = 0n
  let count = 0n
  for (const [k, v] of collection.entries(ctx, rangeOf(prefix, key, reverse))) {
    if (seen++ < offset) continue
    if (filter !== undefined && !filter(k, v)) continue
    if (count === limit) {
      nextKey = collection.key.encode(k).subarray(prefix?.length ?? 0)
      if (byKey || !countTotal) break
    }
    if (count++ < limit) items.push(transform(k, v))
  }
  const isPastEnd = offset > seen
  const total = countTotal && !byKey && !isPastEnd ? count + offset : 0n
  return { items, pagination: { nextKey, total } }
}

function rangeOf(prefix: Bytes | undefined, key: Bytes, reverse: boolean) {
  const base = prefix === undefined ? {} : { prefix }
  if (key.length === 0) return { ...base, reverse }
  const at = concatBytes(prefix ?? emptyBytes, key)
  if (!reverse) return { ...base, start: at, reverse }
  const end = prefixEnd(at)
  return end === undefined ? { ...base, reverse } : { ...base, end, reverse }
}
