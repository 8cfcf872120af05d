import type { Bytes } from '@coin/base/bytes'

declare global {
  // Node has it and its types leave it out; half the time of `toString('latin1')`.
  interface Buffer {
    latin1Slice(start: number, end: number): string
  }
}

// It takes any Uint8Array; making a Buffer of each key first would double the time.
const { latin1Slice } = Buffer.prototype

/** A key as text of one character a byte: compares as the bytes do, and is a good key of a `Map`. */
export function keyText(key: Bytes): string {
  return latin1Slice.call(key as Buffer, 0, key.length)
}

/** The inverse of {@link keyText}. */
export function textKey(text: string): Bytes {
  const key = Buffer.from(text, 'latin1')
  return new Uint8Array(key.buffer, key.byteOffset, key.length)
}

/** More keys than this at once are sorted in instead of put in one by one. */
const insertsMax = 16

/** A growing set of keys in order. Sorting waits until somebody asks, so a block that never iterates never sorts. */
export class SortedKeys {
  #keys: string[] = []
  /** Added since the last look, in no order. */
  #added: string[]

  constructor(keys: Iterable<string> = []) {
    this.#added = [...keys]
  }

  /** Counts a key as often as it was added. */
  get size(): number {
    return this.#keys.length + this.#added.length
  }

  /** A key may be added twice; it still comes once. */
  add(key: string): void {
    this.#added.push(key)
  }

  /**
   * The keys of a range one by one, upwards or downwards. Finds its place anew each time, so that keys may be added meanwhile.
   */
  walk(start: string | undefined, end: string | undefined, reverse: boolean): () => string | undefined {
    let passed: string | undefined
    if (reverse) {
      return () => {
        const bound = passed ?? end
        const keys = this.#ordered()
        const found = keys[(bound === undefined ? keys.length : firstFrom(keys, bound)) - 1]
        if (found === undefined || (start !== undefined && found < start)) return undefined
        passed = found
        return found
      }
    }
    return () => {
      const bound = passed ?? start
      const keys = this.#ordered()
      let at = bound === undefined ? 0 : firstFrom(keys, bound)
      while (passed !== undefined && keys[at] === passed) at++
      const found = keys[at]
      if (found === undefined || (end !== undefined && found >= end)) return undefined
      passed = found
      return found
    }
  }

  #ordered(): readonly string[] {
    if (this.#added.length === 0) return this.#keys
    if (this.#added.length <= insertsMax) {
      for (const key of this.#added) this.#keys.splice(firstFrom(this.#keys, key), 0, key)
    } else {
      this.#keys = this.#keys.concat(this.#added).sort(byCharacters)
    }
    this.#added = []
    return this.#keys
  }
}

/** Index of the first key that is not below `key`. */
function firstFrom(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Order of UTF-16 units; for text of single bytes that is the order of the bytes. */
export function byCharacters(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
