import type { Bytes } from '@coin/base/bytes'
import type { KvPair, KvRead } from './kv.js'
import { keyText, SortedKeys } from './sorted-keys.js'

/** What became of one key; an undefined value says that it is deleted. */
export interface Change {
  readonly key: Bytes
  readonly value: Bytes | undefined
}

export const emptyStore: KvRead = {
  get: () => undefined,
  has: () => false,
  *iterate() {},
}

/**
 * A store as it is with changes on top. The block being run, blocks on their way to the disk, and old heights are all this.
 */
export class Overlay implements KvRead {
  readonly #base: KvRead
  readonly #changes = new Map<string, Change>()
  /** Changed keys, made at the first iteration. May hold keys whose change was forgotten. */
  #sorted: SortedKeys | undefined

  constructor(base: KvRead = emptyStore) {
    this.#base = base
  }

  get size(): number {
    return this.#changes.size
  }

  change(text: string): Change | undefined {
    return this.#changes.get(text)
  }

  changes(): Iterable<readonly [text: string, change: Change]> {
    return this.#changes
  }

  put(text: string, change: Change): void {
    const isNew = !this.#changes.has(text)
    this.#changes.set(text, change)
    if (isNew) this.#sorted?.add(text)
  }

  forget(text: string): void {
    this.#changes.delete(text)
    // Mostly forgotten keys: the next iteration sorts those that are left. One that runs goes on with what it has.
    if (this.#sorted !== undefined && this.#sorted.size > 2 * this.#changes.size) this.#sorted = undefined
  }

  get(key: Bytes): Bytes | undefined {
    if (this.#changes.size === 0) return this.#base.get(key)
    const change = this.#changes.get(keyText(key))
    return change === undefined ? this.#base.get(key) : change.value
  }

  has(key: Bytes): boolean {
    if (this.#changes.size === 0) return this.#base.has(key)
    const change = this.#changes.get(keyText(key))
    return change === undefined ? this.#base.has(key) : change.value !== undefined
  }

  *iterate(start: Bytes | undefined, end: Bytes | undefined, reverse = false): IterableIterator<KvPair> {
    if (this.#changes.size === 0) {
      // A write that comes while this runs is at a key already passed, so it cannot show up here.
      yield* this.#base.iterate(start, end, reverse)
      return
    }
    this.#sorted ??= new SortedKeys(this.#changes.keys())
    const nextOwn = this.#sorted.walk(start && keyText(start), end && keyText(end), reverse)
    const base = this.#base.iterate(start, end, reverse)
    try {
      let below = nextPair(base)
      let own = nextOwn()
      while (below !== undefined || own !== undefined) {
        if (own === undefined || (below !== undefined && isBefore(below.text, own, reverse))) {
          yield below!.pair
          below = nextPair(base)
          continue
        }
        const change = this.#changes.get(own)
        if (change !== undefined && below?.text === own) below = nextPair(base)
        if (change?.value !== undefined) yield [change.key, change.value]
        own = nextOwn()
      }
    } finally {
      base.return?.()
    }
  }
}

function nextPair(base: IterableIterator<KvPair>): { readonly text: string; readonly pair: KvPair } | undefined {
  const next = base.next()
  return next.done ? undefined : { text: keyText(next.value[0]), pair: next.value }
}

function isBefore(a: string, b: string, reverse: boolean): boolean {
  return reverse ? a > b : a < b
}
