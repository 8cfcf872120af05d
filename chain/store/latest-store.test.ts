import type { Bytes } from '@coin/base/bytes'
import { createRandom } from '@coin/base/testing/random'
import { describe, expect, it } from 'vitest'
import type { KvRead } from './kv.js'
import { LatestStore } from './latest-store.js'
import { ChangeSet } from './overlay.js'
import { keyText, textKey } from './sorted-keys.js'

/** Stands for LMDB: it shows a block when the test says so, as the writing thread decides it there. */
class Disk implements KvRead {
  readonly values = new Map<string, Bytes>()
  reads = 0

  get(key: Bytes): Bytes | undefined {
    this.reads++
    return this.values.get(keyText(key))
  }

  has(key: Bytes): boolean {
    return this.values.has(keyText(key))
  }

  *iterate(): IterableIterator<readonly [Bytes, Bytes]> {
    for (const text of [...this.values.keys()].sort()) yield [textKey(text), this.values.get(text)!]
  }

  write(changes: ChangeSet): void {
    for (const [text, { value }] of changes.entries()) {
      if (value === undefined) this.values.delete(text)
      else this.values.set(text, value)
    }
  }
}

function changesOf(entries: Iterable<readonly [text: string, value: Bytes | undefined]>): ChangeSet {
  const changes = new ChangeSet()
  for (const [text, value] of entries) changes.put(text, { key: textKey(text), value })
  changes.freeze()
  return changes
}

/** More reads than one generation of the cache holds. */
function readOthers(store: LatestStore, count = 33_000): void {
  for (let i = 0; i < count; i++) store.get(textKey(`other${i}`))
}

const small = Uint8Array.of(1)
const large = new Uint8Array(5000)

describe('latest values over a disk that lags', () => {
  it.each([
    ['grew too large for the cache', large],
    ['changed', Uint8Array.of(2)],
    ['went', undefined],
  ])('shows that a value %s, whichever generations of the cache knew it', (_, changed) => {
    for (const generations of ['young', 'old', 'both']) {
      const disk = new Disk()
      disk.write(changesOf([['x', small]]))
      const store = new LatestStore(disk)
      const read = () => store.get(textKey('x'))
      expect(read()).toBe(small)
      if (generations !== 'young') readOthers(store)
      if (generations === 'both') expect(read()).toBe(small)
      const changes = changesOf([['x', changed]])
      store.push(1, changes)
      expect(read()).toBe(changed)
      disk.write(changes)
      expect(read()).toBe(changed)
      store.arrived(1)
      expect(read(), generations).toBe(changed)
      readOthers(store)
      expect(read(), generations).toBe(changed)
    }
  })

  it('agrees with a plain map, however far the disk is behind and ahead of what it told', () => {
    const random = createRandom(12)
    const disk = new Disk()
    const store = new LatestStore(disk)
    const model = new Map<string, Bytes>()
    const blocks: ChangeSet[] = []
    let shown = 0
    let told = 0
    const value = () => [undefined, small, large, Uint8Array.of(random.int(256))][random.int(4)]
    for (let height = 1; height <= 1500; height++) {
      const entries = Array.from({ length: random.int(4) }, () => [`k${random.int(40)}`, value()] as const)
      const changes = changesOf(entries)
      blocks.push(changes)
      for (const [text, { value: next }] of changes.entries()) {
        if (next === undefined) model.delete(text)
        else model.set(text, next)
      }
      store.push(height, changes)
      if (random.int(6) === 0) {
        for (const to = shown + random.int(height - shown + 1); shown < to; ) disk.write(blocks[shown++]!)
      }
      if (random.int(6) === 0) {
        told += random.int(shown - told + 1)
        store.arrived(told)
      }
      for (let reads = 0; reads < 6; reads++) {
        const text = `k${random.int(40)}`
        expect(store.get(textKey(text)), `${text} at ${height}`).toBe(model.get(text))
      }
      if (height % 300 === 0) readOthers(store)
      if (height % 50 > 0) continue
      const listed = [...store.iterate(undefined, undefined)].map(([key]) => keyText(key))
      expect(listed).toEqual([...model.keys()].sort())
    }
    expect(told).toBeGreaterThan(1000)
  })

  it('reads the same key from the disk once', () => {
    const disk = new Disk()
    const store = new LatestStore(disk)
    for (let times = 0; times < 5; times++) store.get(textKey('absent'))
    expect(disk.reads).toBe(1)
  })
})
