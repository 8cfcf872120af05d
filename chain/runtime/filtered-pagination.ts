import { type Bytes, concatBytes, emptyBytes } from '@coin/base/bytes'
import type { PageRequest } from '@coin/wire/gen/cosmos/base/query/v1beta1/pagination'
import type { Collection, Range } from './collections.js'
import type { Read } from './context.js'
import { type Page, pageLimitDefault, pageLimitMax } from './pagination.js'
import { status } from './status.js'

export interface FilterOptions<K, V> {
  /** Only keys that begin with this; it is left out of `next_key`. */
  readonly prefix?: Bytes
  /** Which entries count. */
  readonly filter?: (key: K, value: V) => boolean
}

/**
 * One page by the rules of the SDK's `GenericFilteredPaginate`, which modules without collections use: `offset`, `limit` and `total`
 * count the entries that pass; with `key`, the next key may be one of an entry that does not.
 */
export function paginateFiltered<K, V, T>(
  ctx: Read,
  collection: Collection<K, V>,
  request: PageRequest | undefined,
  transform: (key: K, value: V) => T,
  { prefix = emptyBytes, filter = () => true }: FilterOptions<K, V> = {},
): Page<T> {
  const { key = emptyBytes, offset = 0n, reverse = false } = request ?? {}
  const isUnlimited = (request?.limit ?? 0n) === 0n
  const asked = isUnlimited ? pageLimitDefault : request!.limit
  const limit = ctx.mode === 'query' && asked > pageLimitMax ? pageLimitMax : asked
  const countTotal = isUnlimited || request!.countTotal
  if (offset > 0n && key.length > 0) {
    throw status('invalidArgument', 'invalid request, either offset or key is expected, got both')
  }
  const byKey = key.length > 0
  const nextKeyOf = (k: K): Bytes => collection.key.encode(k).subarray(prefix.length)
  const end = offset + limit
  const items: T[] = []
  let nextKey: Bytes = emptyBytes
  let hits = 0n
  for (const [k, v] of collection.entries(ctx, rangeFrom(ctx, collection, prefix, key, reverse))) {
    if (byKey && hits === limit) {
      nextKey = nextKeyOf(k)
      break
    }
    if (!filter(k, v)) continue
    if (byKey || (hits >= offset && hits < end)) items.push(transform(k, v))
    hits++
    if (byKey || hits !== end + 1n) continue
    nextKey = nextKeyOf(k)
    if (!countTotal) break
  }
  return { items, pagination: { nextKey, total: countTotal && !byKey ? hits : 0n } }
}

/** Downwards the page begins with the first entry at or above `key`. */
function rangeFrom<K, V>(ctx: Read, collection: Collection<K, V>, prefix: Bytes, key: Bytes, reverse: boolean): Range {
  if (key.length === 0) return { prefix, reverse }
  const start = concatBytes(prefix, key)
  if (!reverse) return { prefix, start }
  const above = collection.entries(ctx, { prefix, start })
  above.next()
  const after = above.next()
  above.return?.()
  return after.done === true ? { prefix, reverse } : { prefix, end: collection.key.encode(after.value[0]), reverse }
}
