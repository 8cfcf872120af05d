import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { bytesToHex, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { createRandom, type Random } from '@coin/base/testing/random'
import { sha256 } from '@coin/wire/sha256'
import { afterEach, describe, expect, it } from 'vitest'
import { openMultiStore } from './disk-multi-store.js'
import type { KvRead, StateBranch } from './kv.js'
import { memoryMultiStore } from './memory-multi-store.js'
import type { MultiStore } from './multi-store.js'
import { rootOfProofOps } from './testing/proof-root.js'
import { whenWritten } from './testing/uniform-blocks.js'

const stores = ['acc', 'bank', 'wasm']
const historyBlocks = 20
const open: MultiStore[] = []
const folders: string[] = []

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'coin-store-'))
  folders.push(path)
  return path
}

function openAt(path: string, snapshotLogBytes = 4096): MultiStore {
  const store = openMultiStore({ path, stores, historyBlocks, snapshotLogBytes })
  open.push(store)
  return store
}

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true })
})

type Model = Map<string, Map<string, string>>

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const bytes = (value: string) => new Uint8Array(Buffer.from(value, 'latin1'))

function contents(store: KvRead, start?: string, end?: string, reverse = false): [string, string][] {
  const range = [start === undefined ? undefined : bytes(start), end === undefined ? undefined : bytes(end)] as const
  return [...store.iterate(...range, reverse)].map(([key, value]) => [text(key), text(value)])
}

function expected(model: Map<string, string>, start?: string, end?: string, reverse = false): [string, string][] {
  const sorted = [...model]
    .filter(([key]) => (start === undefined || key >= start) && (end === undefined || key < end))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return reverse ? sorted.reverse() : sorted
}

/** Random writes, some taken back, mirrored in a plain model. Some keys are longer than LMDB takes. */
function play(branch: StateBranch, model: Model, random: Random): void {
  const write = (into: Model) => {
    const name = random.pick(stores)
    const long = random.int(12) === 0 ? 'L'.repeat(1970 + random.int(12)) : ''
    const key = `${long}k${random.int(60)}`
    const held = into.get(name)!
    if (random.int(4) === 0) {
      branch.store(name).delete(bytes(key))
      held.delete(key)
    } else {
      const value = random.int(9) === 0 ? '' : `v${random.int(1000)}`
      branch.store(name).set(bytes(key), bytes(value))
      held.set(key, value)
    }
  }
  const copy = (): Model => new Map([...model].map(([name, held]) => [name, new Map(held)]))
  for (let step = 0; step < 12; step++) {
    if (random.int(4) === 0) {
      const dropped = copy()
      const mark = branch.mark()
      for (let i = 0; i < 5; i++) write(dropped)
      branch.revert(mark)
    } else write(model)
    const name = random.pick(stores)
    const [start, end] = [`k${random.int(60)}`, `k${random.int(60)}`].sort() as [string, string]
    const reverse = random.int(2) === 0
    expect(contents(branch.store(name), start, end, reverse)).toEqual(expected(model.get(name)!, start, end, reverse))
  }
}

const twins = {
  memory: (_snapshotLogBytes?: number) => memoryMultiStore({ stores, historyBlocks }),
  disk: (snapshotLogBytes?: number) => openAt(folder(), snapshotLogBytes),
}

for (const [twin, create] of Object.entries(twins)) {
  describe(`multi-store on ${twin}`, () => {
    it('is what a plain model is, in every order, at every kept height', async () => {
      const random = createRandom(20261121)
      const store = create()
      const model: Model = new Map(stores.map((name) => [name, new Map()]))
      const past = new Map<number, Model>()
      for (let height = 1; height <= 60; height++) {
        const branch = store.branch()
        play(branch, model, random)
        store.stage(branch, height)
        store.commit()
        past.set(height, new Map([...model].map(([name, held]) => [name, new Map(held)])))
        const reverse = random.int(2) === 0
        for (const name of stores)
          expect(contents(store.committed().store(name), undefined, undefined, reverse)).toEqual(
            expected(model.get(name)!, undefined, undefined, reverse),
          )
        const { earliest, latest } = store.available()
        expect(earliest).toBeLessThanOrEqual(Math.max(1, height - historyBlocks))
        const back = earliest + random.int(latest - earliest + 1)
        const name = random.pick(stores)
        expect(contents(store.at(back).store(name)), `height ${back} seen from ${height}`).toEqual(
          expected(past.get(back)!.get(name)!),
        )
        // Now and then the thread that writes the values gets ahead, and what it wrote is read back.
        if (random.int(3) === 0) await setTimeout(random.int(8))
      }
      // A snapshot that is being written keeps a few more.
      expect(store.available().latest).toBe(60)
      expect(store.available().earliest).toBeLessThanOrEqual(40)
    })

    it('refuses heights that it does not have, naming those it has', () => {
      const store = create(1e6)
      for (let height = 1; height <= 25; height++) {
        const branch = store.branch()
        branch.store('bank').set(bytes('a'), bytes(String(height)))
        store.stage(branch, height)
        store.commit()
      }
      for (const bad of [0, -1, 4, 26, 1.5, Number.NaN]) expect(() => store.at(bad), String(bad)).toThrow('5 to 25')
      expect(text(store.at(5).store('bank').get(bytes('a'))!)).toBe('5')
    })

    it('proves presence and absence up to the app hash, also at older heights', () => {
      const store = create()
      const hashes = new Map<number, string>()
      for (let height = 1; height <= 8; height++) {
        const branch = store.branch()
        for (let i = 0; i < 9; i++) branch.store('bank').set(bytes(`key${i}`), bytes(`${height}/${i}`))
        hashes.set(height, bytesToHex(store.stage(branch, height)))
        store.commit()
      }
      for (const height of [3, 8]) {
        const there = store.prove(height, 'bank', bytes('key4'))
        expect(text(there.value!)).toBe(`${height}/4`)
        expect(bytesToHex(rootOfProofOps(there.ops, bytes('key4'), there.value))).toBe(hashes.get(height))
        const absent = store.prove(height, 'bank', bytes('key45'))
        expect(absent.value).toBeUndefined()
        expect(bytesToHex(rootOfProofOps(absent.ops, bytes('key45'), undefined))).toBe(hashes.get(height))
      }
      const wrong = store.prove(8, 'bank', bytes('key4'))
      expect(() => rootOfProofOps(wrong.ops, bytes('key4'), bytes('another'))).toThrow()
    })

    it('forgets what was staged and not committed', () => {
      const store = create()
      const lost = store.branch()
      lost.store('acc').set(bytes('x'), bytes('1'))
      const lostHash = store.stage(lost, 1)
      const kept = store.branch()
      kept.store('acc').set(bytes('y'), bytes('1'))
      expect(store.stage(kept, 1)).not.toEqual(lostHash)
      store.commit()
      expect(contents(store.committed().store('acc'))).toEqual([['y', '1']])
    })

    it('takes no writes to a branch that is staged, and stages it again', () => {
      const store = create()
      const branch = store.branch()
      const mark = branch.mark()
      branch.store('acc').set(bytes('x'), bytes('1'))
      const appHash = store.stage(branch, 1)
      const late = 'written after it was staged'
      expect(() => branch.store('acc').set(bytes('y'), bytes('1'))).toThrow(late)
      expect(() => branch.store('acc').delete(bytes('x'))).toThrow(late)
      expect(() => branch.store('bank').set(bytes('y'), bytes('1'))).toThrow(late)
      expect(() => branch.revert(mark)).toThrow(late)
      expect(text(branch.store('acc').get(bytes('x'))!)).toBe('1')
      expect(store.stage(branch, 1)).toEqual(appHash)
      store.commit()
      expect(contents(store.committed().store('acc'))).toEqual([['x', '1']])
    })

    it('says when other threads can read a block, until nobody asks any more', async () => {
      const store = create()
      const heights: number[] = []
      const ended: number[] = []
      const end = store.onWritten((height) => ended.push(height))
      store.onWritten((height) => heights.push(height))
      expect(store.written).toBe(0)
      for (let height = 1; height <= 40; height++) {
        const branch = store.branch()
        branch.store('bank').set(bytes('a'), bytes(String(height)))
        store.stage(branch, height)
        store.commit()
        if (height % 10 !== 0) continue
        await whenWritten(store, height)
        expect(store.written).toBe(height)
        expect(heights.at(-1)).toBe(height)
        if (height === 10) end()
      }
      expect(heights).toEqual([...new Set(heights)].sort((a, b) => a - b))
      expect(ended.at(-1)).toBe(10)
    })

    it('refuses empty keys and names that are not mounted', () => {
      const store = create()
      expect(() => store.branch().store('acc').set(new Uint8Array(0), bytes('1'))).toThrow('key')
      expect(() => store.committed().store('nope')).toThrow('not mounted')
    })
  })
}

describe('multi-store twins', () => {
  it('give the same app hashes for the same blocks', () => {
    const hashesOf = (store: MultiStore) => {
      const random = createRandom(7)
      const model: Model = new Map(stores.map((name) => [name, new Map()]))
      return Array.from({ length: 30 }, (_, index) => {
        const branch = store.branch()
        play(branch, model, random)
        const appHash = bytesToHex(store.stage(branch, index + 1))
        store.commit()
        return appHash
      })
    }
    expect(hashesOf(twins.disk())).toEqual(hashesOf(twins.memory()))
  })
})

describe('multi-store on disk', () => {
  /** Values long enough that a snapshot is due every few blocks. */
  function commitBlocks(store: MultiStore, from: number, to: number): void {
    for (let height = from; height <= to; height++) {
      const branch = store.branch()
      for (let i = 0; i < 10; i++) {
        const value = sha256(utf8ToBytes(`${height}/${i}`))
        branch.store('bank').set(bytes(`key${(height * 7 + i) % 97}`), concatBytes(value, value))
      }
      store.stage(branch, height)
      store.commit()
    }
  }

  it('goes on where it was closed, from snapshots and the log', async () => {
    const path = folder()
    const memory = memoryMultiStore({ stores, historyBlocks })
    let height = 0
    for (let round = 0; round < 5; round++) {
      const store = openAt(path)
      expect(store.height).toBe(height)
      expect(bytesToHex(store.appHash)).toBe(bytesToHex(memory.appHash))
      commitBlocks(store, height + 1, height + 13)
      commitBlocks(memory, height + 1, height + 13)
      height += 13
      expect(contents(store.committed().store('bank'))).toEqual(contents(memory.committed().store('bank')))
      expect(contents(store.at(height - 12).store('bank'))).toEqual(contents(memory.at(height - 12).store('bank')))
      await open.pop()!.close()
    }
  })

  it('lets only one process have a folder', () => {
    const path = folder()
    openAt(path)
    expect(() => openMultiStore({ path, stores })).toThrow(`process ${process.pid}`)
  })

  it('takes a store that is mounted later and keeps the old heights right', async () => {
    const path = folder()
    commitBlocks(openAt(path), 1, 10)
    await open.pop()!.close()
    const more = openMultiStore({ path, stores: [...stores, 'gov'], historyBlocks })
    open.push(more)
    const branch = more.branch()
    branch.store('gov').set(bytes('p'), bytes('1'))
    more.stage(branch, 11)
    more.commit()
    const { appHash } = more
    await open.pop()!.close()
    const again = openMultiStore({ path, stores: [...stores, 'gov'], historyBlocks })
    open.push(again)
    expect(again.appHash).toEqual(appHash)
    expect(contents(again.committed().store('gov'))).toEqual([['p', '1']])
    expect(() => openMultiStore({ path: folder(), stores: [] })).not.toThrow()
  })

  it('refuses to open without a store that it has', async () => {
    const path = folder()
    commitBlocks(openAt(path), 1, 1)
    await open.pop()!.close()
    expect(() => openMultiStore({ path, stores: ['bank'] })).toThrow('acc, wasm')
  })
})
