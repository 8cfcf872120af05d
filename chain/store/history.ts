import { assert } from '@coin/base/assert'
import { storeErrors } from './errors.js'
import type { StoreChanges } from './journal.js'
import type { KvRead, StateRead } from './kv.js'
import type { Change } from './overlay.js'

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

/** The entries of one store; none when the block did not change it. */
export function entriesOf(changes: readonly StoreChanges[], name: string): readonly Change[] {
  return changes.find((store) => store.name === name)?.entries ?? []
}

/**
 * The stores of a height, each made when it is first asked for, as long as that holds: who reads later would get a mixture of heights,
 * so that is an assertion.
 */
export function whileCurrent(height: number, make: (name: string) => KvRead, isCurrent: () => boolean): StateRead {
  const made = new Map<string, KvRead>()
  return {
    store(name) {
      assert(
        isCurrent(),
        `the state of height ${height} is read after the block or the turn of the event loop it was for`,
      )
      let store = made.get(name)
      if (store === undefined) {
        store = make(name)
        made.set(name, store)
      }
      return store
    },
  }
}
