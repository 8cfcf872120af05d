import type { Bytes } from '@coin/base/bytes'
import { storeErrors } from './errors.js'
import type { KvPair, KvRead, KvWrite, Mark, StateBranch, StateRead } from './kv.js'
import { type Change, type ChangeSet, Overlay } from './overlay.js'
import { maxKeyLength } from './packed-arena.js'
import { byCharacters, keyText } from './sorted-keys.js'

/** What one store's changes come to: keys ascending, one entry a key. */
export interface StoreChanges {
  readonly name: string
  readonly entries: readonly Change[]
}

interface Undo {
  readonly layer: ChangeSet
  readonly text: string
  /** Undefined: the key had no change before. */
  readonly previous: Change | undefined
}

/** One store within a journal. Keys and values handed in are kept, not copied: the caller does not change them afterwards. */
class JournalStore implements KvWrite {
  readonly layer: Overlay
  readonly #undo: Undo[]

  constructor(base: KvRead, undo: Undo[]) {
    this.layer = new Overlay(base)
    this.#undo = undo
  }

  get(key: Bytes): Bytes | undefined {
    return this.layer.get(key)
  }

  has(key: Bytes): boolean {
    return this.layer.has(key)
  }

  iterate(start: Bytes | undefined, end: Bytes | undefined, reverse?: boolean): IterableIterator<KvPair> {
    return this.layer.iterate(start, end, reverse)
  }

  set(key: Bytes, value: Bytes): void {
    if (key.length === 0) throw storeErrors.emptyKey('a key has at least one byte')
    if (key.length > maxKeyLength) throw storeErrors.keyTooLong(`${key.length} bytes, at most ${maxKeyLength}`)
    this.#put({ key, value })
  }

  delete(key: Bytes): void {
    if (this.layer.has(key)) this.#put({ key, value: undefined })
  }

  #put(change: Change): void {
    const text = keyText(change.key)
    const layer = this.layer.changes
    this.#undo.push({ layer, text, previous: layer.get(text) })
    layer.put(text, change)
  }
}

/**
 * Uncommitted changes with an undo log: a mark is the log's length, and going back costs what is undone. Nothing is copied when
 * a transaction, a message or a submessage begins.
 */
export class Journal implements StateBranch {
  readonly #committed: StateRead
  readonly #stores = new Map<string, JournalStore>()
  readonly #undo: Undo[] = []
  #isEnded = false

  constructor(committed: StateRead) {
    this.#committed = committed
  }

  store(name: string): KvWrite {
    let store = this.#stores.get(name)
    if (store === undefined) {
      store = new JournalStore(this.#committed.store(name), this.#undo)
      if (this.#isEnded) store.layer.changes.freeze()
      this.#stores.set(name, store)
    }
    return store
  }

  mark(): Mark {
    return this.#undo.length
  }

  revert(mark: Mark): void {
    while (this.#undo.length > mark) {
      const { layer, text, previous } = this.#undo.pop()!
      if (previous === undefined) layer.forget(text)
      else layer.put(text, previous)
    }
  }

  /**
   * What is to be committed, as the SDK flushes a block: per store, keys ascending, each key once. The stores of `names` are there
   * even if nothing changed in them.
   */
  changes(names: Iterable<string> = []): readonly StoreChanges[] {
    return [...new Set([...names, ...this.#stores.keys()])].sort(byCharacters).map((name) => {
      const changes = this.#stores.get(name)?.layer.changes.entries() ?? []
      const sorted = [...changes].sort(([a], [b]) => byCharacters(a, b))
      return { name, entries: sorted.map(([, change]) => change) }
    })
  }

  /**
   * The branch is staged: what it changed is handed over as layers, and not written any more, or the state in memory would differ from
   * the one in the log.
   */
  end(): ReadonlyMap<string, ChangeSet> {
    this.#isEnded = true
    const layers = new Map([...this.#stores].map(([name, { layer }]) => [name, layer.changes]))
    for (const layer of layers.values()) layer.freeze()
    return layers
  }
}
