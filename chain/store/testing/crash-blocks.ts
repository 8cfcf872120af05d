import type { Bytes } from '@coin/base/bytes'
import { createRandom } from '@coin/base/testing/random'
import type { StateBranch } from '../kv.js'
import type { MultiStore } from '../multi-store.js'

export const crashStores = ['acc', 'bank', 'wasm']

const bytesOf = (text: string): Bytes => new Uint8Array(Buffer.from(text))

/** The writes of one block: they depend on nothing but seed and height, so that a twin can repeat them. */
function writeBlock(branch: StateBranch, seed: number, height: number): void {
  const random = createRandom(seed * 1_000_003 + height)
  for (let left = random.int(60); left > 0; left--) {
    const store = branch.store(random.pick(crashStores))
    // Some keys are longer than LMDB takes.
    const key = bytesOf(`${random.int(20) === 0 ? 'L'.repeat(2000) : ''}key${random.int(500)}`)
    if (random.int(4) === 0) store.delete(key)
    else store.set(key, bytesOf(`${height}/${left}`.repeat(random.int(12))))
  }
}

/** Commits the next block and answers its app hash. */
export function commitBlock(store: MultiStore, seed: number, height: number): Bytes {
  const branch = store.branch()
  writeBlock(branch, seed, height)
  const appHash = store.stage(branch, height)
  store.commit()
  return appHash
}
