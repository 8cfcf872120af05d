import { bytesToHex } from '@coin/base/bytes'
import { createRandom } from '@coin/base/testing/random'
import { describe, expect, it } from 'vitest'
import { appHashOf } from './commit-info.js'
import { Forest } from './forest.js'
import type { StoreChanges } from './journal.js'
import { ObjectTree } from './object-tree.js'

const names = ['acc', 'bank', 'wasm']
const bytes = (text: string) => new Uint8Array(Buffer.from(text))

describe('forest', () => {
  it('has the trees that stores would have alone, block after block, staged once or more', () => {
    const random = createRandom(20261122)
    const forest = new Forest(names)
    const alone = new Map(names.map((name) => [name, new ObjectTree()]))
    const randomChanges = (): StoreChanges[] =>
      names.map((name) => {
        const keys = new Set(Array.from({ length: random.int(25) }, () => `key${100 + random.int(400)}`))
        const entries = [...keys].sort().map((key) => {
          const value = random.int(3) === 0 ? undefined : bytes(`v${random.int(1e6)}`)
          return { key: bytes(key), value }
        })
        return { name, entries }
      })
    for (let height = 1; height <= 250; height++) {
      if (random.int(4) === 0) {
        forest.apply(randomChanges())
        if (random.int(2) === 0) forest.workingHash(height)
        forest.rollback()
      }
      const changes = randomChanges()
      forest.apply(changes)
      for (const { name, entries } of changes) {
        for (const { key, value } of entries) {
          if (value === undefined) alone.get(name)!.remove(key)
          else alone.get(name)!.set(key, value)
        }
      }
      const roots = names.map((name) => ({ name, root: alone.get(name)!.saveVersion(height) }))
      for (const tree of alone.values()) tree.releaseBefore(height)
      expect(bytesToHex(forest.workingHash(height)), `height ${height}`).toBe(bytesToHex(appHashOf(roots)))
      forest.save(height, height - 10)
    }
  })
})
