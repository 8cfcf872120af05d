import type { Bytes } from '@coin/base/bytes'

declare global {
  // Node has it and its types leave it out; it works on any byte array, where `toString` first needs a Buffer.
  interface Buffer {
    latin1Slice(start: number, end: number): string
  }
}

const { latin1Slice } = Buffer.prototype

/** Map keys made of a hash: a latin1 string, one character a byte, is the cheapest. */
export function hashKey(hash: Bytes): string {
  return latin1Slice.call(hash, 0, hash.length)
}

/** Remembers transactions seen lately, so that a repeated one costs nothing. The oldest gives way. */
export interface TxCache {
  has(key: string): boolean
  /** False when it was there already; then it counts as new again. */
  add(key: string): boolean
  remove(key: string): void
  clear(): void
}

export function createTxCache(size: number): TxCache {
  const seen = new Set<string>()
  return {
    has: (key) => seen.has(key),
    add(key) {
      const isNew = !seen.delete(key)
      seen.add(key)
      if (seen.size > size) seen.delete(seen.values().next().value!)
      return isNew
    },
    remove(key) {
      seen.delete(key)
    },
    clear() {
      seen.clear()
    },
  }
}
