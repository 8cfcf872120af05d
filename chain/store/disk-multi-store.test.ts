import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { bytesToHex } from '@coin/base/bytes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMultiStore } from './disk-multi-store.js'
import { storeErrors } from './errors.js'
import type { KvRead } from './kv.js'
import { memoryMultiStore } from './memory-multi-store.js'
import type { MultiStore } from './multi-store.js'
import { commitBlock, crashStores as stores } from './testing/crash-blocks.js'
import { parseOutput } from './testing/crash-rounds.js'

const seed = 9
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const contents = (store: KvRead) =>
  [...store.iterate(undefined, undefined)].map(([key, value]) => `${bytesToHex(key)}=${bytesToHex(value)}`)

let path: string
const open: MultiStore[] = []

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'coin-disk-'))
})
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
  rmSync(path, { recursive: true, force: true })
})

function reopen(snapshotLogBytes = 1e9): MultiStore {
  const store = openMultiStore({ path, stores, historyBlocks: 20, snapshotLogBytes })
  open.push(store)
  return store
}

/** Lets other threads run, and this one see nothing of what they say. */
function sleepWithoutTurn(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('values on disk', () => {
  it('are right at every height when the writing thread is ahead of what it told, or behind', async () => {
    const store = reopen()
    const twin = memoryMultiStore({ stores, historyBlocks: 20 })
    const check = (height: number) => {
      for (const name of stores)
        expect(contents(store.at(height).store(name)), `${name} at ${height} of ${store.height}`).toEqual(
          contents(twin.at(height).store(name)),
        )
    }
    for (let height = 1; height <= 60; height++) {
      commitBlock(store, seed, height)
      commitBlock(twin, seed, height)
      if (height % 5 === 1) sleepWithoutTurn(15)
      if (height % 11 === 1) await setTimeout(15)
      for (const back of [0, 1, 7, 20]) check(Math.max(1, height - back))
    }
  })

  it('of any size are listed once each in both directions, read ahead by size', async () => {
    const store = reopen()
    const branch = store.branch()
    const sizes = [1, 20_000, 3, 5000, 5000, 5000, 8192, 8193, 100_000, 0, 2, 2, 2, 2, 30_000, 30_000, 1]
    const expected = sizes.map((size, i) => [`k${String(i).padStart(2, '0')}`, size] as const)
    for (const [key, size] of expected) branch.store('bank').set(bytes(key), new Uint8Array(size))
    store.stage(branch, 1)
    store.commit()
    for (let height = 2; height < 6; height++) {
      await setTimeout(50) // until the writing thread has it: from then on the values come from the disk
      store.stage(store.branch(), height)
      store.commit()
    }
    const bound = (text: string | undefined) => (text === undefined ? undefined : bytes(text))
    const listed = (from?: string, to?: string, reverse = false) =>
      [...store.committed().store('bank').iterate(bound(from), bound(to), reverse)].map(([key, value]) => [
        Buffer.from(key).toString(),
        value.length,
      ])
    expect(listed()).toEqual(expected)
    expect(listed('k01', 'k15')).toEqual(expected.slice(1, 15))
    expect(listed('k01', 'k15', true)).toEqual(expected.slice(1, 15).reverse())
    expect(listed(undefined, undefined, true)).toEqual([...expected].reverse())
  })

  it('end an old height with its turn and with the next commit', async () => {
    for (const store of [reopen(), memoryMultiStore({ stores })]) {
      commitBlock(store, seed, 1)
      commitBlock(store, seed, 2)
      const [old, latest] = [store.at(1), store.at(2)]
      old.store('bank')
      commitBlock(store, seed, 3)
      expect(() => old.store('bank')).toThrow('height 1 is read after the block')
      expect(() => latest.store('bank')).toThrow('height 2 is read after the block')
    }
  })

  it('are seen anew after iterators that nobody finished', async () => {
    const store = reopen()
    const kept = []
    for (let height = 1; height <= 150; height++) {
      const branch = store.branch()
      for (let i = 0; i < 20; i++) branch.store('bank').set(bytes(`key${i}`), bytes(String(height)))
      store.stage(branch, height)
      store.commit()
      await setTimeout(height % 10 === 0 ? 10 : 0)
      const iterator = store
        .committed()
        .store('bank')
        .iterate(undefined, undefined, height % 2 === 0)
      expect(Buffer.from(iterator.next().value![1]).toString()).toBe(String(height))
      kept.push(iterator)
    }
    expect(kept).toHaveLength(150)
  })

  it('are iterated in parts as if they were one', async () => {
    const store = reopen()
    const branch = store.branch()
    const all = Array.from({ length: 1500 }, (_, i) => `k${String(i).padStart(4, '0')}`)
    for (const key of all) branch.store('bank').set(bytes(key), bytes(key))
    branch.store('acc').set(bytes('z'), bytes('before'))
    branch.store('wasm').set(bytes('a'), bytes('behind'))
    store.stage(branch, 1)
    store.commit()
    await store.close()
    const keys = (...range: Parameters<KvRead['iterate']>) =>
      [
        ...reopened
          .committed()
          .store('bank')
          .iterate(...range),
      ].map(([key]) => Buffer.from(key).toString())
    const reopened = reopen()
    expect(keys(undefined, undefined)).toEqual(all)
    expect(keys(undefined, undefined, true)).toEqual(all.toReversed())
    for (const length of [0, 1, 3, 4, 5, 19, 20, 21, 84, 85, 340, 341]) {
      const [start, end] = [all[100]!, all[100 + length]!]
      expect(keys(bytes(start), bytes(end))).toEqual(all.slice(100, 100 + length))
      expect(keys(bytes(start), bytes(end), true)).toEqual(all.slice(100, 100 + length).toReversed())
    }
    expect(keys(bytes('k0005'), bytes('k0001'))).toEqual([])
    expect(keys(bytes('k0005'), bytes('k0001'), true)).toEqual([])
  })
})

describe('a disk that fails', () => {
  it('leaves the state where it was, and what was acknowledged', async () => {
    const store = reopen(1)
    commitBlock(store, seed, 1) // begins a snapshot, so the next block begins a segment
    const before = {
      height: store.height,
      hash: bytesToHex(store.appHash),
      bank: contents(store.committed().store('bank')),
    }
    symlinkSync('/dev/full', join(path, 'log', '000000000000002.wal'))
    for (let times = 0; times < 2; times++) {
      let error: unknown
      try {
        commitBlock(store, seed, 2)
      } catch (caught) {
        error = caught
      }
      expect(error).toMatchObject({ codespace: 'storage', code: storeErrors.diskFailed.code })
      expect(String(error)).toContain('ENOSPC')
      expect({ height: store.height, hash: bytesToHex(store.appHash) }).toEqual({ height: 1, hash: before.hash })
      expect(contents(store.committed().store('bank'))).toEqual(before.bank)
      expect(contents(store.at(1).store('bank'))).toEqual(before.bank)
    }
    await open.pop()!.close()
    rmSync(join(path, 'log', '000000000000002.wal'))
    const again = reopen()
    expect(bytesToHex(again.appHash)).toBe(before.hash)
    commitBlock(again, seed, 2)
    const twin = memoryMultiStore({ stores })
    commitBlock(twin, seed, 1)
    commitBlock(twin, seed, 2)
    expect(again.appHash).toEqual(twin.appHash)
  })

  it('in the middle of the values stops the chain with its reason', async () => {
    // Files of this process cannot grow beyond 600 KiB. Snapshots keep the log's small, so that of the values fails first.
    const script = new URL('./testing/crash-child.js', import.meta.url).pathname
    const command = ['-c', 'ulimit -f 600; exec "$@"', 'bash', process.execPath, script, path, seed, 30_000, 1]
    const child = spawn('bash', command.map(String), { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.on('data', (data: Buffer) => {
      output += data
    })
    await once(child, 'exit')
    const { acknowledged, rest } = parseOutput(output)
    expect(rest[0]).toMatch(/^onFailure /)
    expect(rest.at(-1)).toMatch(/^failed 11 the values are not written any more: /)
    expect(acknowledged.size).toBeGreaterThan(10)
    const store = reopen()
    expect(store.height).toBeGreaterThanOrEqual(Math.max(...acknowledged.keys()))
    const twin = memoryMultiStore({ stores })
    for (let height = 1; height <= store.height; height++) {
      const hash = bytesToHex(commitBlock(twin, seed, height))
      expect(acknowledged.get(height) ?? hash).toBe(hash)
    }
    expect(store.appHash).toEqual(twin.appHash)
    for (const name of stores)
      expect(contents(store.committed().store(name))).toEqual(contents(twin.committed().store(name)))
    commitBlock(store, seed, store.height + 1)
  })
})
