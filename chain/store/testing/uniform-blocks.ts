import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { StateRead } from '../kv.js'
import type { MultiStore } from '../multi-store.js'

/** What `state-reader.js` is started with. */
export interface ReaderJob {
  readonly path: string
  /** Not 0 ends the thread. */
  readonly stop: Int32Array<SharedArrayBuffer>
  /** Stays on its first snapshot. */
  readonly isPinned: boolean
  /** Old heights that are read are at most this many blocks back. */
  readonly mostBack: number
}

/** What it answers: each new height when it has read it, and at the end all of them. */
export type ReaderMessage =
  | { readonly height: number }
  | { readonly seen: readonly number[]; readonly oldReads: number }

export const uniformStores = ['bank', 'wasm']

const keys: readonly Bytes[] = Array.from({ length: 400 }, (_, i) => {
  const text = `${i % 100 === 7 ? 'L'.repeat(1990) : ''}key${(i * 7919) % 1009}`
  return new Uint8Array(Buffer.from(text))
})

/** Commits a block that sets all keys of both stores to its height. */
export function commitUniform(store: MultiStore, height: number): void {
  const branch = store.branch()
  const value = Buffer.from(String(height))
  for (const name of uniformStores) for (const key of keys) branch.store(name).set(key, new Uint8Array(value))
  store.stage(branch, height)
  store.commit()
}

/** The height that all entries show; asserts that they show one, and are all there. */
export function heightShown(state: StateRead, reverse: boolean): number {
  const values = new Set<string>()
  for (const name of uniformStores) {
    const store = state.store(name)
    let count = 0
    for (const [, value] of store.iterate(undefined, undefined, reverse)) {
      values.add(Buffer.from(value).toString())
      count++
    }
    assert(count === keys.length, `${name} has ${count} entries`)
    for (const key of keys) values.add(Buffer.from(store.get(key)!).toString())
  }
  assert(values.size === 1, `a mixture of the heights ${[...values].join(', ')}`)
  return Number([...values][0])
}

/** Resolves when other threads can read the block of `height`. */
export function whenWritten(store: MultiStore, height: number): Promise<void> {
  return new Promise((resolve) => {
    if (store.written >= height) return resolve()
    const end = store.onWritten((written) => {
      if (written < height) return
      end()
      resolve()
    })
  })
}
