import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { Forest } from './forest.js'
import {
  checkAvailable,
  checkNext,
  entriesOf,
  historyBlocksDefault,
  layOver,
  requireValue,
  whileCurrent,
} from './history.js'
import { Journal, type StoreChanges } from './journal.js'
import type { StateRead } from './kv.js'
import type { MultiStore } from './multi-store.js'
import { type Change, Overlay } from './overlay.js'
import { keyText } from './sorted-keys.js'

export interface MemoryMultiStoreOptions {
  readonly stores: readonly string[]
  /** Default 100. */
  readonly historyBlocks?: number
}

/** The twin without files, over real trees: for tests and simulations. */
export function memoryMultiStore(options: MemoryMultiStoreOptions): MultiStore {
  const history = options.historyBlocks ?? historyBlocksDefault
  const forest = new Forest(options.stores)
  const values = new Map([...forest.trees.keys()].map((name) => [name, new Overlay()]))
  /** What each block replaced, to go back to the height before it. */
  const replaced = new Map<number, readonly StoreChanges[]>()
  let staged:
    | {
        readonly height: number
        readonly appHash: Bytes
        readonly changes: readonly StoreChanges[]
      }
    | undefined
  let height = 0
  let appHash = forest.workingHash(1)
  forest.rollback()

  const valuesOf = (name: string): Overlay => {
    const found = values.get(name)
    assert(found !== undefined, `store ${name} is not mounted; mounted are ${[...values.keys()].join(', ')}`)
    return found
  }
  const committed: StateRead = { store: valuesOf }
  const available = () => ({ earliest: forest.earliest(), latest: height })

  function at(wanted: number): StateRead {
    checkAvailable(wanted, available())
    const latest = height
    const make = (name: string) => {
      const layers: (readonly Change[])[] = []
      for (let later = latest; later > wanted; later--) layers.push(entriesOf(replaced.get(later)!, name))
      return layOver(valuesOf(name), layers)
    }
    return whileCurrent(wanted, make, () => height === latest)
  }

  return {
    get height() {
      return height
    },
    get appHash() {
      return appHash
    },
    committed: () => committed,
    at,
    available,
    branch: () => new Journal(committed),
    stage(branch, next) {
      assert(branch instanceof Journal, 'only a branch of this store can be staged')
      checkNext(height, next)
      forest.rollback()
      const changes = branch.changes()
      forest.apply(changes)
      staged = { height: next, appHash: forest.workingHash(next), changes }
      branch.end()
      return staged.appHash
    },
    commit() {
      assert(staged !== undefined, 'nothing is staged')
      replaced.set(
        staged.height,
        staged.changes.map((changes) => replace(valuesOf(changes.name), changes)),
      )
      const first = staged.height - history
      forest.save(staged.height, first)
      for (const old of replaced.keys()) if (old <= first) replaced.delete(old)
      ;({ height, appHash } = staged)
      staged = undefined
    },
    prove(wanted, name, key) {
      const state = at(wanted).store(name)
      const ops = forest.prove(wanted, name, key, requireValue(state))
      return { value: state.get(key), ops }
    },
    async close() {},
  }
}

/** Writes a block's changes and answers what they replaced. */
function replace(values: Overlay, { name, entries }: StoreChanges): StoreChanges {
  const before = entries.map(({ key }) => ({ key, value: values.get(key) }))
  for (const { key, value } of entries) {
    const text = keyText(key)
    if (value === undefined) values.changes.forget(text)
    else values.changes.put(text, { key, value })
  }
  return { name, entries: before }
}
