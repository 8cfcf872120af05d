import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { HeightListeners } from '@coin/store/height-listeners'
import type { KvPair, KvWrite, StateBranch, StateRead } from '@coin/store/kv'
import type { MultiStore } from '@coin/store/multi-store'
import { sha256 } from '@coin/wire/sha256'

type Maps = Map<string, Map<string, Bytes>>

/**
 * The simplest store that can be right, for tests: sorted maps copied per branch, an undo journal, and a digest of all entries
 * in the place of the app hash. Not for chains: no proofs, no history.
 */
export function createMapStore(names: readonly string[]): MultiStore {
  let committed: Maps = new Map(names.map((name) => [name, new Map()]))
  let staged: { readonly maps: Maps; readonly height: number; readonly hash: Bytes } | undefined
  const listeners = new HeightListeners()
  let height = 0
  let appHash: Bytes = sha256(new Uint8Array(0))
  const mapsOf = new WeakMap<StateBranch, Maps>()
  return {
    get height() {
      return height
    },
    get appHash() {
      return appHash
    },
    committed: () => readOf(committed),
    at(wanted) {
      assert(wanted === height, `height ${wanted} of a store that keeps ${height} only`)
      return readOf(committed)
    },
    available: () => ({ earliest: height, latest: height }),
    branch() {
      const maps: Maps = new Map([...committed].map(([name, map]) => [name, new Map(map)]))
      const branch = branchOf(maps)
      mapsOf.set(branch, maps)
      return branch
    },
    stage(branch, at) {
      const maps = mapsOf.get(branch)
      assert(maps !== undefined, 'branch of another store')
      staged = { maps, height: at, hash: digest(maps) }
      return staged.hash
    },
    commit() {
      assert(staged !== undefined, 'nothing staged')
      committed = staged.maps
      height = staged.height
      appHash = staged.hash
      staged = undefined
      listeners.tell(height)
    },
    get written() {
      return height
    },
    onWritten: (listener) => listeners.add(listener),
    prove() {
      throw new TypeError('the map store proves nothing')
    },
    provePath() {
      throw new TypeError('the map store proves nothing')
    },
    close: () => Promise.resolve(),
  }
}

function digest(maps: Maps): Bytes {
  const lines = [...maps].map(([name, map]) => {
    const entries = [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `${key}=${bytesToHex(value)}`)
    return `${name}:${entries.join(';')}`
  })
  return sha256(utf8ToBytes(lines.join('\n')))
}

function readOf(maps: Maps): StateRead {
  return branchOf(maps)
}

function branchOf(maps: Maps): StateBranch {
  const journal: (() => void)[] = []
  const stores = new Map([...maps].map(([name, map]) => [name, storeOf(map, journal)]))
  return {
    store(name) {
      const store = stores.get(name)
      assert(store !== undefined, `store ${name} is not mounted`)
      return store
    },
    mark: () => journal.length,
    revert(mark) {
      while (journal.length > mark) journal.pop()!()
    },
  }
}

function storeOf(map: Map<string, Bytes>, journal: (() => void)[]): KvWrite {
  const put = (key: string, value: Bytes | undefined): void => {
    const old = map.get(key)
    journal.push(() => (old === undefined ? map.delete(key) : map.set(key, old)))
    if (value === undefined) map.delete(key)
    else map.set(key, value)
  }
  return {
    get: (key) => map.get(bytesToHex(key)),
    has: (key) => map.has(bytesToHex(key)),
    set: (key, value) => put(bytesToHex(key), value),
    delete: (key) => put(bytesToHex(key), undefined),
    *iterate(start, end, reverse = false): IterableIterator<KvPair> {
      const from = start === undefined ? undefined : bytesToHex(start)
      const to = end === undefined ? undefined : bytesToHex(end)
      const keys = [...map.keys()].filter((key) => (from ?? '') <= key && (to === undefined || key < to)).sort()
      if (reverse) keys.reverse()
      for (const key of keys) {
        const value = map.get(key)
        if (value !== undefined) yield [hexToBytes(key), value]
      }
    },
  }
}
