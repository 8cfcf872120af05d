import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import type { StoreChanges } from './journal.js'
import type { KvRead, StateRead } from './kv.js'
import { Overlay } from './overlay.js'
import { keyText } from './sorted-keys.js'

/** Blocks whose state stays readable behind the last one. */
export const historyBlocksDefault = 100

/** Throws `heightUnavailable`, naming the heights that can be read. */
export function checkAvailable(wanted: number, { earliest, latest }: { earliest: number; latest: number }): void {
  if (Number.isSafeInteger(wanted) && wanted >= earliest && wanted <= latest && wanted > 0) return
  throw storeErrors.heightUnavailable(`height ${wanted} cannot be read; the state of ${earliest} to ${latest} can`)
}

/** A chain may begin at any height; from there on they ascend by one. */
export function checkNext(height: number, next: number): void {
  const follows = height === 0 ? Number.isSafeInteger(next) && next > 0 : next === height + 1
  assert(follows, `height ${next} is staged after ${height}`)
}

/** The values that a proof is made of: a key that the tree has and the values have not is damage on disk. */
export function requireValue(store: KvRead): (key: Bytes) => Bytes {
  return (key) => {
    const value = store.get(key)
    if (value === undefined)
      throw storeErrors.corruptValues(`the tree has the key ${bytesToHex(key)}, the values have not`)
    return value
  }
}

/** Puts a block's changes, or what a block replaced, on top of the views. */
export function layOver(
  views: Map<string, Overlay>,
  changes: readonly StoreChanges[],
  base: (name: string) => KvRead,
): void {
  for (const { name, entries } of changes) {
    let view = views.get(name)
    if (view === undefined) {
      view = new Overlay(base(name))
      views.set(name, view)
    }
    for (const change of entries) view.changes.put(keyText(change.key), change)
  }
}

/** The view, as long as it holds: who reads it later would get a mixture of heights, so that is an assertion. */
export function whileCurrent(height: number, view: StateRead, isCurrent: () => boolean): StateRead {
  return {
    store(name) {
      assert(
        isCurrent(),
        `the state of height ${height} is read after the block or the turn of the event loop it was for`,
      )
      return view.store(name)
    },
  }
}
