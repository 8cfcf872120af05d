import type { Bytes } from '@coin/base/bytes'

declare global {
  // Node has it and its types leave it out; half the time of `toString('latin1')`.
  interface Buffer {
    latin1Slice(start: number, end: number): string
  }
}

/** A key as text of one character a byte: compares as the bytes do, and is a good key of a `Map`. */
export function keyText(key: Bytes): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).latin1Slice(0, key.length)
}

/** The inverse of {@link keyText}. */
export function textKey(text: string): Bytes {
  const key = Buffer.from(text, 'latin1')
  return new Uint8Array(key.buffer, key.byteOffset, key.length)
}

/** A growing set of keys in order. Sorting waits until somebody asks, so a block that never iterates never sorts. */
export class SortedKeys {
  #keys: string[]

  constructor(keys: Iterable<string> = []) {
    this.#keys = [...keys].sort(byCharacters)
  }

  get size(): number {
    return this.#keys.length
  }

  add(key: string): void {
    const at = this.#firstFrom(key)
    if (this.#keys[at] !== key) this.#keys.splice(at, 0, key)
  }

  /**
   * The keys of a range one by one, upwards or downwards. Finds its place anew each time, so that keys may be added meanwhile.
   */
  walk(start: string | undefined, end: string | undefined, reverse: boolean): () => string | undefined {
    let passed: string | undefined
    if (reverse) {
      return () => {
        const bound = passed ?? end
        const found = this.#keys[(bound === undefined ? this.#keys.length : this.#firstFrom(bound)) - 1]
        if (found === undefined || (start !== undefined && found < start)) return undefined
        passed = found
        return found
      }
    }
    return () => {
      let at = passed === undefined ? (start === undefined ? 0 : this.#firstFrom(start)) : this.#firstFrom(passed)
      if (passed !== undefined && this.#keys[at] === passed) at++
      const found = this.#keys[at]
      if (found === undefined || (end !== undefined && found >= end)) return undefined
      passed = found
      return found
    }
  }

  /** Index of the first key that is not below `key`. */
  #firstFrom(key: string): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#keys[middle]! < key) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Order of UTF-16 units; for text of single bytes that is the order of the bytes. */
export function byCharacters(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
