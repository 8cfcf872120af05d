import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { type ChangeList, changeList, LayeredStore } from './change-list.js'
import { Forest } from './forest.js'
import { HeightListeners } from './height-listeners.js'
import { checkAvailable, checkNext, entriesOf, historyBlocksDefault, whileCurrent } from './history.js'
import { Journal, type StoreChanges } from './journal.js'
import type { StateBranch, StateRead } from './kv.js'
import type { MultiStore, Proof, ProofPath } from './multi-store.js'
import { Overlay } from './overlay.js'
import { finishProof } from './proof.js'
import { keyText } from './sorted-keys.js'

export interface MemoryMultiStoreOptions {
  readonly stores: readonly string[]
  /** Default 100. */
  readonly historyBlocks?: number
}

/** The twin without files, over real trees: for tests and simulations. */
export function memoryMultiStore(options: MemoryMultiStoreOptions): MultiStore {
  return new MemoryMultiStore(options)
}

interface Staged {
  readonly height: number
  readonly appHash: Bytes
  readonly changes: readonly StoreChanges[]
}

class MemoryMultiStore implements MultiStore {
  readonly #historyBlocks: number
  readonly #forest: Forest
  readonly #values: ReadonlyMap<string, Overlay>
  /** What each block replaced, to go back to the height before it. */
  readonly #replaced = new Map<number, readonly StoreChanges[]>()
  readonly #listeners = new HeightListeners()
  readonly #committed: StateRead = { store: (name) => this.#valuesOf(name) }
  #staged: Staged | undefined
  #height = 0
  #appHash: Bytes

  constructor({ stores, historyBlocks = historyBlocksDefault }: MemoryMultiStoreOptions) {
    this.#historyBlocks = historyBlocks
    this.#forest = new Forest(stores)
    this.#values = new Map([...this.#forest.trees.keys()].map((name) => [name, new Overlay()]))
    this.#appHash = this.#forest.workingHash(1)
    this.#forest.rollback()
  }

  get height(): number {
    return this.#height
  }

  get appHash(): Bytes {
    return this.#appHash
  }

  get written(): number {
    return this.#height
  }

  onWritten(listener: (height: number) => void): () => void {
    return this.#listeners.add(listener)
  }

  committed(): StateRead {
    return this.#committed
  }

  at(height: number): StateRead {
    checkAvailable(height, this.available())
    const latest = this.#height
    const make = (name: string) => {
      const layers: ChangeList[] = []
      for (let later = height + 1; later <= latest; later++)
        layers.push(changeList(entriesOf(this.#replaced.get(later)!, name)))
      return new LayeredStore(this.#valuesOf(name), layers)
    }
    return whileCurrent(height, make, () => this.#height === latest)
  }

  available(): { readonly earliest: number; readonly latest: number } {
    return { earliest: this.#forest.earliest(), latest: this.#height }
  }

  branch(): StateBranch {
    return new Journal(this.#committed)
  }

  stage(branch: StateBranch, height: number): Bytes {
    assert(branch instanceof Journal, 'only a branch of this store can be staged')
    checkNext(this.#height, height)
    this.#forest.rollback()
    const changes = branch.changes()
    this.#forest.apply(changes)
    this.#staged = { height, appHash: this.#forest.workingHash(height), changes }
    branch.end()
    return this.#staged.appHash
  }

  commit(): void {
    assert(this.#staged !== undefined, 'nothing is staged')
    const { height, appHash, changes } = this.#staged
    const replaced = changes.map((store) => replace(this.#valuesOf(store.name), store))
    this.#replaced.set(height, replaced)
    const first = height - this.#historyBlocks
    this.#forest.save(height, first)
    for (const old of this.#replaced.keys()) if (old <= first) this.#replaced.delete(old)
    this.#height = height
    this.#appHash = appHash
    this.#staged = undefined
    this.#listeners.tell(height)
  }

  prove(height: number, store: string, key: Bytes): Proof {
    const values = this.at(height).store(store)
    return finishProof(this.provePath(height, store, key), (held) => values.get(held))
  }

  provePath(height: number, store: string, key: Bytes): ProofPath {
    checkAvailable(height, this.available())
    return this.#forest.provePath(height, store, key)
  }

  async close(): Promise<void> {}

  #valuesOf(name: string): Overlay {
    const found = this.#values.get(name)
    assert(found !== undefined, `store ${name} is not mounted; mounted are ${[...this.#values.keys()].join(', ')}`)
    return found
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
