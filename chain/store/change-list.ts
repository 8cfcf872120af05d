import { type Bytes, compareBytes } from '@coin/base/bytes'
import type { KvPair, KvRead } from './kv.js'
import { type Change, type ChangeWalk, isBefore, mergeOver } from './overlay.js'
import { keyText } from './sorted-keys.js'

/** Changes of one store that stay as they are: keys ascending, each once. */
export interface ChangeList {
  readonly size: number
  change(index: number): Change
  /** Order of the key at `index` and another: negative, zero or positive. */
  compare(index: number, key: Bytes): number
}

export function changeList(entries: readonly Change[]): ChangeList {
  return {
    size: entries.length,
    change: (index) => entries[index]!,
    compare: (index, key) => compareBytes(entries[index]!.key, key),
  }
}

/** Index of the first change whose key is not below `key`. */
function firstFrom(list: ChangeList, key: Bytes): number {
  let low = 0
  let high = list.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list.compare(middle, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * A store at another height: `base` under the changes of many blocks, or under what they replaced. Nothing is merged beforehand: a
 * read looks into list after list, and an iteration passes the changes of its range only.
 */
export class LayeredStore implements KvRead {
  readonly #base: KvRead
  /** The first that knows a key decides. */
  readonly #lists: readonly ChangeList[]

  constructor(base: KvRead, lists: readonly ChangeList[]) {
    this.#base = base
    this.#lists = lists.filter(({ size }) => size > 0)
  }

  get(key: Bytes): Bytes | undefined {
    const change = this.#find(key)
    return change === undefined ? this.#base.get(key) : change.value
  }

  has(key: Bytes): boolean {
    const change = this.#find(key)
    return change === undefined ? this.#base.has(key) : change.value !== undefined
  }

  iterate(start: Bytes | undefined, end: Bytes | undefined, reverse = false): IterableIterator<KvPair> {
    const below = this.#base.iterate(start, end, reverse)
    const walks = this.#lists.map((list) => walk(list, start, end, reverse)).filter((next) => next !== undefined)
    return walks.length === 0 ? below : mergeOver(below, mergeAll(walks, reverse), reverse)
  }

  #find(key: Bytes): Change | undefined {
    for (const list of this.#lists) {
      const index = firstFrom(list, key)
      if (index < list.size && list.compare(index, key) === 0) return list.change(index)
    }
    return undefined
  }
}

/** A change with its key as text. */
interface Step {
  readonly text: string
  readonly change: Change
}

type Next = () => Step | undefined

/** The changes of a range; undefined when there are none. */
function walk(list: ChangeList, start: Bytes | undefined, end: Bytes | undefined, reverse: boolean): Next | undefined {
  const low = start === undefined ? 0 : firstFrom(list, start)
  const high = end === undefined ? list.size : firstFrom(list, end)
  if (low >= high) return undefined
  let left = high - low
  return () => {
    if (left === 0) return undefined
    const change = list.change(reverse ? low + left - 1 : high - left)
    left--
    return { text: keyText(change.key), change }
  }
}

/** All walks as one. Of equal keys the one of the earlier walk comes. */
function mergeAll(walks: readonly Next[], reverse: boolean): ChangeWalk {
  const next = mergeRange(walks, 0, walks.length, reverse)
  let last: Step | undefined
  return {
    next() {
      last = next()
      return last?.text
    },
    changeOf: () => last?.change,
  }
}

/** In pairs of pairs, so that a step costs the logarithm of their number. */
function mergeRange(walks: readonly Next[], from: number, to: number, reverse: boolean): Next {
  if (to - from === 1) return walks[from]!
  const middle = (from + to) >>> 1
  const nextFirst = mergeRange(walks, from, middle, reverse)
  const nextSecond = mergeRange(walks, middle, to, reverse)
  let first = nextFirst()
  let second = nextSecond()
  return () => {
    if (first !== undefined && second?.text === first.text) second = nextSecond()
    const isFirst = first !== undefined && (second === undefined || isBefore(first.text, second.text, reverse))
    const step = isFirst ? first : second
    if (isFirst) first = nextFirst()
    else if (second !== undefined) second = nextSecond()
    return step
  }
}
