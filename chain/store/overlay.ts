import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { KvPair, KvRead } from './kv.js'
import { keyText, SortedKeys } from './sorted-keys.js'

/** What became of one key; an undefined value says that it is deleted. */
export interface Change {
  readonly key: Bytes
  readonly value: Bytes | undefined
}

/** The changed keys of one store. */
export class ChangeSet {
  readonly #changes = new Map<string, Change>()
  /** Changed keys, made at the first iteration. May hold keys whose change was forgotten. */
  #sorted: SortedKeys | undefined
  #isFrozen = false

  get size(): number {
    return this.#changes.size
  }

  get(text: string): Change | undefined {
    return this.#changes.get(text)
  }

  entries(): Iterable<readonly [text: string, change: Change]> {
    return this.#changes
  }

  put(text: string, change: Change): void {
    assert(!this.#isFrozen, 'a branch is written after it was staged')
    if (this.#sorted !== undefined && !this.#changes.has(text)) this.#sorted.add(text)
    this.#changes.set(text, change)
  }

  forget(text: string): void {
    assert(!this.#isFrozen, 'a branch is written after it was staged')
    this.#changes.delete(text)
    // Mostly forgotten keys: the next iteration sorts those that are left. One that runs goes on with what it has.
    if (this.#sorted !== undefined && this.#sorted.size > 2 * this.#changes.size) this.#sorted = undefined
  }

  /** From here on nothing changes. */
  freeze(): void {
    this.#isFrozen = true
  }

  /** The entries of a range as they are with these changes; `below` are those without. */
  *over(
    below: IterableIterator<KvPair>,
    start: Bytes | undefined,
    end: Bytes | undefined,
    reverse: boolean,
  ): IterableIterator<KvPair> {
    if (this.#changes.size === 0) {
      // A write that comes while this runs is at a key already passed, so it cannot show up here.
      yield* below
      return
    }
    this.#sorted ??= new SortedKeys(this.#changes.keys())
    const next = this.#sorted.walk(start && keyText(start), end && keyText(end), reverse)
    yield* mergeOver(below, { next, changeOf: (text) => this.#changes.get(text) }, reverse)
  }
}

/** Changed keys one after another, in the order of the iteration. */
export interface ChangeWalk {
  next(): string | undefined
  /** What became of the key that `next` answered last; undefined: nothing any more. */
  changeOf(text: string): Change | undefined
}

/** The entries of `below` as they are with changes on top. */
export function* mergeOver(below: IterableIterator<KvPair>, changes: ChangeWalk, reverse: boolean) {
  try {
    let under = nextPair(below)
    let own = changes.next()
    while (under !== undefined || own !== undefined) {
      if (own === undefined || (under !== undefined && isBefore(under.text, own, reverse))) {
        yield under!.pair
        under = nextPair(below)
        continue
      }
      const change = changes.changeOf(own)
      if (change !== undefined && under?.text === own) under = nextPair(below)
      const value = change?.value
      if (value !== undefined) yield [change!.key, value] as const
      own = changes.next()
    }
  } finally {
    below.return?.()
  }
}

/** A store as it is with changes on top: the block being run. */
export class Overlay implements KvRead {
  readonly changes = new ChangeSet()
  readonly #base: KvRead

  constructor(base: KvRead = emptyStore) {
    this.#base = base
  }

  get(key: Bytes): Bytes | undefined {
    if (this.changes.size === 0) return this.#base.get(key)
    const change = this.changes.get(keyText(key))
    return change === undefined ? this.#base.get(key) : change.value
  }

  has(key: Bytes): boolean {
    if (this.changes.size === 0) return this.#base.has(key)
    const change = this.changes.get(keyText(key))
    return change === undefined ? this.#base.has(key) : change.value !== undefined
  }

  iterate(start: Bytes | undefined, end: Bytes | undefined, reverse = false): IterableIterator<KvPair> {
    return this.changes.over(this.#base.iterate(start, end, reverse), start, end, reverse)
  }
}

const emptyStore: KvRead = {
  get: () => undefined,
  has: () => false,
  *iterate() {},
}

function nextPair(base: IterableIterator<KvPair>): { readonly text: string; readonly pair: KvPair } | undefined {
  const next = base.next()
  return next.done ? undefined : { text: keyText(next.value[0]), pair: next.value }
}

/** Whether `a` comes first. */
export function isBefore(a: string, b: string, reverse: boolean): boolean {
  return reverse ? a > b : a < b
}
