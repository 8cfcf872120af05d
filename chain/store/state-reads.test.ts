import { setTimeout } from 'node:timers/promises'
import { bytesToHex, equalBytes } from '@coin/base/bytes'
import { createRandom, type Random } from '@coin/base/testing/random'
import { afterEach, describe, expect, it } from 'vitest'
import type { KvRead, StateRead } from './kv.js'
import { memoryMultiStore } from './memory-multi-store.js'
import type { MultiStore } from './multi-store.js'
import { finishProof } from './proof.js'
import { openStateReads, type StateReads } from './state-reads.js'
import { rootOfProofOps } from './testing/proof-root.js'
import { createReadingStores, historyBlocks } from './testing/reading-stores.js'
import { commitUniform, uniformStores, whenWritten } from './testing/uniform-blocks.js'

const { newFolder, openStore, openReads, closeAll } = createReadingStores()

afterEach(closeAll)

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const text = (value: Uint8Array | undefined) => value && Buffer.from(value).toString('latin1')

type Model = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Short keys, some at LMDB's limit and beyond it with much in common. */
function randomKey(random: Random): string {
  const long = random.int(5) === 0 ? 'L'.repeat(1974 + random.int(6)) : ''
  return `${long}k${random.int(40)}`
}

/** Writes the same random block into all stores and answers the model after it. */
function commitRandom(stores: readonly MultiStore[], before: Model, random: Random): Model {
  const after = new Map([...before].map(([name, held]) => [name, new Map(held)]))
  const branches = stores.map((store) => store.branch())
  for (let left = random.int(30); left > 0; left--) {
    const name = random.pick(uniformStores)
    const key = randomKey(random)
    const value = random.int(3) === 0 ? undefined : 'v'.repeat(random.int(6)) + random.int(100)
    if (value === undefined) after.get(name)!.delete(key)
    else after.get(name)!.set(key, value)
    for (const branch of branches) {
      if (value === undefined) branch.store(name).delete(bytes(key))
      else branch.store(name).set(bytes(key), bytes(value))
    }
  }
  for (const [i, store] of stores.entries()) {
    store.stage(branches[i]!, store.height + 1)
    store.commit()
  }
  return after
}

function expectReads(store: KvRead, held: ReadonlyMap<string, string>, random: Random, label: string): void {
  for (let left = 10; left > 0; left--) {
    const key = randomKey(random)
    expect(text(store.get(bytes(key))), label).toBe(held.get(key))
    expect(store.has(bytes(key)), label).toBe(held.has(key))
  }
  const sorted = [...held].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const reverse of [false, true]) {
    const bounds = [randomKey(random), randomKey(random)].sort() as [string, string]
    for (const [start, end] of [bounds, [bounds[0]], [undefined, bounds[1]], []]) {
      const found = [...store.iterate(start ? bytes(start) : undefined, end ? bytes(end) : undefined, reverse)]
      const inRange = sorted.filter(([key]) => (!start || key >= start) && (!end || key < end))
      const expected = reverse ? inRange.reverse() : inRange
      expect(
        found.map(([key, value]) => [text(key), text(value)]),
        label,
      ).toEqual(expected)
    }
  }
}

/** Three ways to the same state, and one model of what all of them must answer. */
describe('reads of the state', () => {
  it('are the same from the memory twin, the disk store and the files, at every kept height', async () => {
    const random = createRandom(20261122)
    const path = newFolder()
    const memory = memoryMultiStore({ stores: uniformStores, historyBlocks })
    const disk = openStore(path)
    const reads = openReads(path)
    const models: Model[] = [new Map(uniformStores.map((name) => [name, new Map()]))]
    for (let height = 1; height <= 60; height++) {
      models.push(commitRandom([memory, disk], models.at(-1)!, random))
      if (random.int(4) === 0) await whenWritten(disk, height)
      const lastRead = reads.height
      const inFiles = reads.refresh()
      expect(inFiles).toBeGreaterThanOrEqual(Math.max(lastRead, disk.written))
      expect(inFiles).toBeLessThanOrEqual(height)
      const readers = { memory, disk, ...(inFiles > 0 && { files: reads }) }
      for (const [reader, source] of Object.entries(readers)) {
        const { earliest, latest } = source.available()
        expect(latest).toBe(reader === 'files' ? inFiles : height)
        expect(earliest).toBeLessThanOrEqual(Math.max(1, latest - historyBlocks))
        const name = random.pick(uniformStores)
        const check = (state: StateRead, of: number) =>
          expectReads(state.store(name), models[of]!.get(name)!, random, `${name} of ${of} in ${reader} at ${latest}`)
        check(source.committed(), latest)
        check(source.at(latest), latest)
        const back = earliest + random.int(latest - earliest + 1)
        check(source.at(back), back)
      }
    }
    await whenWritten(disk, 60)
    expect(reads.refresh()).toBe(60)
    for (const source of [memory, disk, reads])
      expect(source.available()).toEqual({ earliest: 60 - historyBlocks, latest: 60 })
  })

  it('name the heights that are there when one is not', async () => {
    const path = newFolder()
    const memory = memoryMultiStore({ stores: uniformStores, historyBlocks })
    const disk = openStore(path)
    const reads = openReads(path)
    expect(reads.refresh()).toBe(0)
    expect(() => reads.at(1)).toThrow('height 1 cannot be read')
    for (let height = 101; height <= 125; height++) for (const store of [memory, disk]) commitUniform(store, height)
    await whenWritten(disk, 125)
    reads.refresh()
    for (const bad of [0, -1, 104, 126, 1.5, Number.NaN])
      for (const source of [memory, disk, reads])
        expect(() => source.at(bad), String(bad)).toThrow(`height ${bad} cannot be read; the state of 105 to 125 can`)
  })

  it('begin with the first block, whatever its height', async () => {
    const path = newFolder()
    const disk = openStore(path)
    const reads = openReads(path)
    for (let height = 5; height <= 8; height++) {
      commitUniform(disk, height)
      await whenWritten(disk, height)
      reads.refresh()
      expect(reads.available()).toEqual({ earliest: 5, latest: height })
    }
  })

  it('go back through more than a thread keeps of replaced values', async () => {
    const path = newFolder()
    const disk = openStore(path)
    const large = (height: number) => new Uint8Array(7 * 1024 * 1024).fill(height)
    for (let height = 1; height <= 8; height++) {
      const branch = disk.branch()
      branch.store('wasm').set(bytes('code'), large(height))
      disk.stage(branch, height)
      disk.commit()
      await whenWritten(disk, height)
    }
    const reads = openReads(path)
    reads.refresh()
    for (const height of [1, 8, 4, 1, 7, 2])
      expect(equalBytes(reads.at(height).store('wasm').get(bytes('code'))!, large(height)), String(height)).toBe(true)
  })

  it('follow long keys also after more blocks than say what they changed', async () => {
    const path = newFolder()
    const disk = openStore(path)
    const [often, rarely] = [openReads(path), openReads(path)]
    const long = (i: number) => `${'L'.repeat(1990)}${i % 37}`
    const held = new Map<string, string>()
    for (let height = 1; height <= 240; height++) {
      const branch = disk.branch()
      const [set, gone] = [long(height * 5), long(height * 11)]
      branch.store('wasm').set(bytes(set), bytes(String(height)))
      branch.store('wasm').delete(bytes(gone))
      held.set(set, String(height))
      held.delete(gone)
      disk.stage(branch, height)
      disk.commit()
      for (const [reads, every] of [
        [often, 10],
        [rarely, 120],
      ] as const) {
        if (height % every !== 0) continue
        await whenWritten(disk, height)
        reads.refresh()
        expectReads(reads.committed().store('wasm'), held, createRandom(height), `height ${height}`)
      }
    }
  })
})

describe('a snapshot of the state', () => {
  async function openBoth() {
    const path = newFolder()
    const disk = openStore(path)
    for (let height = 1; height <= 3; height++) commitUniform(disk, height)
    await whenWritten(disk, 3)
    const reads = openReads(path)
    return { path, disk, reads }
  }

  const key = bytes('key0')

  it('does not see the blocks that are written while it is read', async () => {
    const { path, disk, reads } = await openBoth()
    reads.refresh()
    const bank = reads.committed().store('bank')
    const entries = bank.iterate(undefined, undefined)
    entries.next()
    const end = Date.now() + 5000
    commitUniform(disk, 4)
    const other = openReads(path)
    // The writer is another thread, so it goes on although this one does not turn.
    while (other.refresh() < 4 && Date.now() < end);
    expect(other.height).toBe(4)
    expect(text(other.committed().store('bank').get(key))).toBe('4')
    expect(text(bank.get(key))).toBe('3')
    expect(new Set([...entries].map(([, value]) => text(value)))).toEqual(new Set(['3']))
    expect(reads.refresh()).toBe(4)
  })

  const ends: Readonly<Record<string, (reads: StateReads) => unknown>> = {
    'a refresh': (reads) => reads.refresh(),
    'a release': (reads) => reads.release(),
    'a turn of the event loop': () => setTimeout(0),
  }

  for (const [how, end] of Object.entries(ends)) {
    it(`ends with ${how}: whoever reads on is stopped, and gets no mixture`, async () => {
      const { reads } = await openBoth()
      reads.refresh()
      const views = { now: reads.committed(), old: reads.at(2), branch: reads.branch() }
      const stores = Object.entries(views).map(([view, state]) => [view, state.store('bank')] as const)
      const entries = stores.map(([, store]) => store.iterate(undefined, undefined))
      for (const iteration of entries) iteration.next()
      await end(reads)
      const over = /is read (after|without)/
      for (const [view, store] of stores) {
        expect(() => store.get(bytes('absent')), view).toThrow(over)
        expect(() => store.has(bytes('absent')), view).toThrow(over)
        expect(() => [...store.iterate(undefined, undefined)], view).toThrow(over)
      }
      for (const iteration of entries) expect(() => [...iteration]).toThrow(over)
      expect(() => views.now.store('wasm')).toThrow(over)
      expect(() => views.old.store('wasm')).toThrow(over)
      reads.refresh()
      expect(text(reads.at(2).store('bank').get(key))).toBe('2')
    })
  }

  it('is written on in a branch that goes nowhere, from given changes on', async () => {
    const { reads } = await openBoth()
    reads.refresh()
    const branch = reads.branch([
      { store: 'bank', key, value: bytes('given') },
      { store: 'wasm', key, value: undefined },
      { store: 'wasm', key: bytes('new'), value: bytes('1') },
    ])
    expect(text(branch.store('bank').get(key))).toBe('given')
    expect(branch.store('wasm').has(key)).toBe(false)
    const mark = branch.mark()
    branch.store('bank').set(key, bytes('mine'))
    expect(text(branch.store('bank').get(key))).toBe('mine')
    branch.revert(mark)
    expect(text(branch.store('bank').get(key))).toBe('given')
    expect([...branch.store('wasm').iterate(bytes('n'), bytes('o'))].map(([found]) => text(found))).toEqual(['new'])
    expect(text(reads.committed().store('bank').get(key))).toBe('3')
    expect(text(reads.branch().store('wasm').get(key))).toBe('3')
    expect(() => reads.branch([{ store: 'bank', key: bytes(''), value: key }])).toThrow('key is empty')
    expect(() => reads.branch([{ store: 'nope', key, value: key }])).toThrow('not mounted')
  })

  it('is refused where no state is', () => {
    const path = newFolder()
    expect(() => openStateReads({ path })).toThrow('no such store')
  })
})

describe('proofs that another thread finishes', () => {
  it('are those of the multi-store, and hold against the app hash', async () => {
    const path = newFolder()
    const memory = memoryMultiStore({ stores: uniformStores, historyBlocks })
    const disk = openStore(path)
    const random = createRandom(8)
    const hashes = [bytesToHex(memory.appHash)]
    let model: Model = new Map(uniformStores.map((name) => [name, new Map()]))
    for (let height = 1; height <= 30; height++) {
      model = commitRandom([memory, disk], model, random)
      hashes.push(bytesToHex(memory.appHash))
    }
    await whenWritten(disk, 30)
    const reads = openReads(path)
    reads.refresh()
    let present = 0
    for (let left = 60; left > 0; left--) {
      const height = 10 + random.int(21)
      const key = bytes(randomKey(random))
      const values = reads.at(height).store('bank')
      for (const store of [memory, disk]) {
        const sent = structuredClone(store.provePath(height, 'bank', key))
        const proof = finishProof(sent, (held) => values.get(held))
        expect(proof).toEqual(store.prove(height, 'bank', key))
        expect(text(proof.value)).toBe(text(values.get(key)))
        expect(bytesToHex(rootOfProofOps(proof.ops, key, proof.value))).toBe(hashes[height])
        if (proof.value !== undefined) present++
      }
      const path = disk.provePath(height, 'bank', key)
      expect(() => finishProof(path, () => undefined)).toThrow('flat values do not match the state tree')
    }
    expect(present).toBeGreaterThan(20)
    for (const store of [memory, disk])
      expect(() => store.provePath(9, 'bank', bytes('k'))).toThrow('the state of 10 to 30 can')
  })
})

describe('after a restart', () => {
  it('heights that only the values cover can be read', async () => {
    const path = newFolder()
    const first = openStore(path, { snapshotBlocks: 8 })
    for (let height = 1; height <= 30; height++) {
      commitUniform(first, height)
      await whenWritten(first, height)
    }
    await first.close()
    const disk = openStore(path)
    const reads = openReads(path)
    expect(reads.refresh()).toBe(30)
    expect(disk.written).toBe(30)
    expect(disk.available().earliest).toBeGreaterThan(10)
    expect(reads.available()).toEqual({ earliest: 10, latest: 30 })
    expect(text(reads.at(10).store('bank').get(bytes('key0')))).toBe('10')
  })
})
