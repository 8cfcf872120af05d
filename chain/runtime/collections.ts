import { type Bytes, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import type { Read, Write } from './context.js'
import { type KeyCodec, keyBytes, noKey, pairKey, prefixEnd } from './keys.js'
import { keyValue, noValue, uint64Value, type ValueCodec } from './values.js'

/** Part of a collection, in encoded keys without the collection's prefix. All of it when left out. */
export interface Range {
  /** Only keys that begin with this, for example `pairKey(a, b).prefix(first)`. */
  readonly prefix?: Bytes
  /** Inclusive. */
  readonly start?: Bytes
  /** Exclusive. */
  readonly end?: Bytes
  readonly reverse?: boolean
}

/** Typed entries of one module's store. Every access costs the gas that the SDK's collections cost. */
export interface Collection<K, V> {
  readonly key: KeyCodec<K>
  get(ctx: Read, key: K): V | undefined
  has(ctx: Read, key: K): boolean
  set(ctx: Write, key: K, value: V): void
  /** Does nothing when the key is absent. */
  remove(ctx: Write, key: K): void
  /** In key order. The map must not be written ahead of the iteration: collect first, then write. */
  entries(ctx: Read, range?: Range): IterableIterator<readonly [K, V]>
}

/** One value. */
export interface Item<V> {
  get(ctx: Read): V | undefined
  set(ctx: Write, value: V): void
  remove(ctx: Write): void
}

/** A counter: `next` answers the present number and adds one. */
export interface Sequence {
  peek(ctx: Read): bigint
  next(ctx: Write): bigint
  set(ctx: Write, value: bigint): void
}

/** Kept in step with a map by `indexed`. The old value is read at most once and only if an index asks for it. */
export interface Index<K, V> {
  reference(ctx: Write, key: K, value: V, old: () => V | undefined): void
  unreference(ctx: Write, key: K, old: () => V | undefined): void
}

/** Builds the collections of one store. A prefix is consensus: never change or reuse one. */
export interface CollectionsBuilder {
  map<K, V>(prefix: number | string, key: KeyCodec<K>, value: ValueCodec<V>): Collection<K, V>
  item<V>(prefix: number | string, value: ValueCodec<V>): Item<V>
  sequence(prefix: number | string, start?: bigint): Sequence
  /** From a pair's second part to its first: `denom -> holders` beside `(holder, denom) -> amount`. */
  reverseIndex<A, B, V>(
    prefix: number | string,
    first: KeyCodec<A>,
    second: KeyCodec<B>,
  ): Collection<readonly [B, A], true> & Index<readonly [A, B], V>
  /** From something in the value, unique, to the key: `account number -> address`. */
  uniqueIndex<K, V, R>(
    prefix: number | string,
    reference: KeyCodec<R>,
    key: KeyCodec<K>,
    of: (value: V) => R,
  ): Collection<R, K> & Index<K, V>
}

/**
 * @example
 * const bank = collectionsOf('bank')
 * export const supply = bank.map(0, stringKey, intValue) // denom -> base units; zero is never stored
 */
export function collectionsOf(store: string): CollectionsBuilder {
  return {
    map: (prefix, key, value) => createMap(store, prefix, key, value),
    item: (prefix, value) => createItem(store, prefix, value),
    sequence: (prefix, start = 0n) => createSequence(store, prefix, start),
    reverseIndex: (prefix, first, second) => createReverseIndex(store, prefix, first, second),
    uniqueIndex: (prefix, reference, key, of) => createUniqueIndex(store, prefix, reference, key, of),
  }
}

function prefixBytes(prefix: number | string): Bytes {
  return typeof prefix === 'number' ? Uint8Array.of(prefix) : utf8ToBytes(prefix)
}

function createMap<K, V>(
  store: string,
  prefix: number | string,
  key: KeyCodec<K>,
  value: ValueCodec<V>,
): Collection<K, V> {
  const head = prefixBytes(prefix)
  const full = (k: K): Bytes => keyBytes(key, k, head)
  return {
    key,
    get(ctx, k) {
      const bytes = ctx.store(store).get(full(k))
      return bytes === undefined ? undefined : value.decode(bytes)
    },
    has: (ctx, k) => ctx.store(store).has(full(k)),
    set: (ctx, k, v) => ctx.store(store).set(full(k), value.encode(v)),
    remove: (ctx, k) => ctx.store(store).delete(full(k)),
    *entries(ctx, range = {}) {
      const base = concatBytes(head, range.prefix ?? new Uint8Array(0))
      const start = range.start === undefined ? base : concatBytes(head, range.start)
      const end = range.end === undefined ? prefixEnd(base) : concatBytes(head, range.end)
      for (const [k, v] of ctx.store(store).iterate(start, end, range.reverse)) {
        yield [key.decode(k, head.length), value.decode(v)]
      }
    },
  }
}

function createItem<V>(store: string, prefix: number | string, value: ValueCodec<V>): Item<V> {
  const map = createMap<undefined, V>(store, prefix, noKey, value)
  return {
    get: (ctx) => map.get(ctx, undefined),
    set: (ctx, v) => map.set(ctx, undefined, v),
    remove: (ctx) => map.remove(ctx, undefined),
  }
}

function createSequence(store: string, prefix: number | string, start: bigint): Sequence {
  const item = createItem(store, prefix, uint64Value)
  const peek = (ctx: Read): bigint => item.get(ctx) ?? start
  return {
    peek,
    next(ctx) {
      const value = peek(ctx)
      item.set(ctx, value + 1n)
      return value
    },
    set: (ctx, value) => item.set(ctx, value),
  }
}

function createReverseIndex<A, B, V>(
  store: string,
  prefix: number | string,
  first: KeyCodec<A>,
  second: KeyCodec<B>,
): Collection<readonly [B, A], true> & Index<readonly [A, B], V> {
  const set = createMap<readonly [B, A], true>(store, prefix, pairKey(second, first), noValue)
  return {
    ...set,
    reference: (ctx, [a, b]) => set.set(ctx, [b, a], true),
    unreference: (ctx, [a, b]) => set.remove(ctx, [b, a]),
  }
}

function createUniqueIndex<K, V, R>(
  store: string,
  prefix: number | string,
  reference: KeyCodec<R>,
  key: KeyCodec<K>,
  of: (value: V) => R,
): Collection<R, K> & Index<K, V> {
  const refs = createMap<R, K>(store, prefix, reference, keyValue(key))
  return {
    ...refs,
    reference(ctx, k, value, old) {
      const before = old()
      if (before !== undefined) refs.remove(ctx, of(before))
      // The SDK looks whether the reference is taken; a clash is a corrupt genesis, found by the auth module's own check.
      refs.has(ctx, of(value))
      refs.set(ctx, of(value), k)
    },
    unreference(ctx, _, old) {
      const before = old()
      if (before !== undefined) refs.remove(ctx, of(before))
    },
  }
}

/** A map whose writes keep the given indexes in step, with the gas of the SDK's IndexedMap. */
export function indexed<K, V>(map: Collection<K, V>, ...indexes: readonly Index<K, V>[]): Collection<K, V> {
  const oldOf = (ctx: Read, key: K): (() => V | undefined) => {
    let read = false
    let old: V | undefined
    return () => {
      if (!read) old = map.get(ctx, key)
      read = true
      return old
    }
  }
  return {
    ...map,
    set(ctx, key, value) {
      const old = oldOf(ctx, key)
      for (const index of indexes) index.reference(ctx, key, value, old)
      map.set(ctx, key, value)
    },
    remove(ctx, key) {
      const old = oldOf(ctx, key)
      for (const index of indexes) index.unreference(ctx, key, old)
      map.remove(ctx, key)
    },
  }
}
