import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { bytesToHex } from '@coin/base/bytes'
import { type Logger, silentLogger } from '@coin/base/logger'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DiskMultiStoreOptions, openMultiStore } from './disk-multi-store.js'
import { memoryMultiStore } from './memory-multi-store.js'
import type { MultiStore } from './multi-store.js'
import { commitBlock, crashStores as stores } from './testing/crash-blocks.js'
import { rootOfProofOps } from './testing/proof-root.js'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

let path: string
const open: MultiStore[] = []
const warnings: string[] = []
const logger: Logger = { ...silentLogger, warn: (_fields, message) => void warnings.push(message) }

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'coin-restore-'))
  warnings.length = 0
})
afterEach(async () => {
  await closeAll()
  rmSync(path, { recursive: true, force: true })
})

async function closeAll(): Promise<void> {
  for (const store of open.splice(0)) await store.close()
}

function reopen(options: Partial<DiskMultiStoreOptions> = {}): MultiStore {
  const store = openMultiStore({ path, stores, historyBlocks: 20, snapshotLogBytes: 1e9, logger, ...options })
  open.push(store)
  return store
}

/** Opening fails, and the folder is free again soon after. */
async function refusal(options: Partial<DiskMultiStoreOptions> = {}): Promise<string> {
  let message = ''
  expect(() => {
    try {
      reopen(options)
    } catch (error) {
      message = (error as Error).message
      throw error
    }
  }).toThrow()
  while (readdirSync(path).some((name) => name.startsWith('lock.'))) await setTimeout(5)
  return message
}

function play(store: MultiStore, from: number, to: number): Map<number, string> {
  const hashes = new Map<number, string>()
  for (let height = from; height <= to; height++) hashes.set(height, bytesToHex(commitBlock(store, 5, height)))
  return hashes
}

/** The app hash after these blocks, from a chain that never stopped. */
function hashOf(from: number, to: number): string {
  return play(memoryMultiStore({ stores }), from, to).get(to)!
}

/** A chain with two snapshots, both of them before its last block. */
async function chainWithSnapshots(from: number): Promise<{ last: number; snapshots: number[] }> {
  let height = from - 1
  for (let times = 0; times < 2; times++) {
    const store = reopen({ snapshotLogBytes: 1 })
    height++
    play(store, height, height) // begins a snapshot
    await closeAll()
    play(reopen(), height + 1, height + 5)
    height += 5
    await closeAll()
  }
  return { last: height, snapshots: readdirSync(join(path, 'snapshots')).map(Number) }
}

const folderOf = (height: number) => join(path, 'snapshots', String(height).padStart(15, '0'))

function damage(file: string, at = -5): void {
  const content = readFileSync(file)
  content[at < 0 ? content.length + at : at]! ^= 1
  writeFileSync(file, content)
}

describe('restoring the state', () => {
  it('begins at any height, with and without a snapshot', async () => {
    play(reopen(), 1000, 1010)
    await closeAll()
    expect(bytesToHex(reopen().appHash)).toBe(hashOf(1000, 1010))
    await closeAll()
    play(reopen({ snapshotLogBytes: 1 }), 1011, 1011)
    await closeAll()
    const store = reopen()
    expect(store.height).toBe(1011)
    expect(store.available()).toEqual({ earliest: 1011, latest: 1011 })
    play(store, 1012, 1013)
    expect(store.available()).toEqual({ earliest: 1011, latest: 1013 })
  })

  it('has few blocks to play again, however small they are, also over restarts', async () => {
    const small = { snapshotBlocks: 10 }
    play(reopen(small), 1, 9)
    await closeAll()
    expect(readdirSync(join(path, 'snapshots'))).toEqual([])
    play(reopen(small), 10, 14)
    await closeAll()
    expect(readdirSync(join(path, 'snapshots')).map(Number)).toEqual([10])
    const store = reopen(small)
    expect(store.available()).toEqual({ earliest: 10, latest: 14 })
    expect(bytesToHex(store.appHash)).toBe(hashOf(1, 14))
  })

  it('writes the values anew from a log that is whole', async () => {
    play(reopen(), 7, 30)
    await closeAll()
    rmSync(join(path, 'values'), { recursive: true })
    const store = reopen()
    const twin = memoryMultiStore({ stores })
    play(twin, 7, 30)
    for (const height of [30, 29, 12]) {
      for (const name of stores)
        expect([...store.at(height).store(name).iterate(undefined, undefined)], `${name} at ${height}`).toEqual([
          ...twin.at(height).store(name).iterate(undefined, undefined),
        ])
    }
  })

  it('falls back to the snapshot before a damaged one', async () => {
    for (const what of ['bank.tree', 'manifest.json', 'missing']) {
      rmSync(path, { recursive: true, force: true })
      const { last, snapshots } = await chainWithSnapshots(3)
      expect(snapshots).toHaveLength(2)
      const newest = folderOf(snapshots[1]!)
      if (what === 'missing') rmSync(join(newest, 'acc.tree'))
      else damage(join(newest, what))
      warnings.length = 0
      const store = reopen()
      expect(warnings, what).toEqual(['a damaged snapshot is left out'])
      expect(store.height).toBe(last)
      expect(bytesToHex(store.appHash)).toBe(hashOf(3, last))
      await closeAll()
    }
  })

  it('notices a flip anywhere in a snapshot', async () => {
    play(reopen({ snapshotLogBytes: 1 }), 1, 1)
    await closeAll()
    const [folder] = readdirSync(join(path, 'snapshots'))
    const file = join(path, 'snapshots', folder!, 'bank.tree')
    const whole = readFileSync(file)
    for (let at = 0; at < whole.length; at += 97) {
      damage(file, at)
      warnings.length = 0
      expect(bytesToHex(reopen().appHash)).toBe(hashOf(1, 1)) // from the log
      await closeAll()
      expect(warnings, `byte ${at}`).toHaveLength(1)
      writeFileSync(file, whole)
    }
  })

  it('refuses when all snapshots are damaged and the log does not reach back', async () => {
    const { snapshots } = await chainWithSnapshots(1)
    for (const height of snapshots) damage(join(folderOf(height), 'wasm.tree'))
    warnings.length = 0
    const message = await refusal()
    expect(warnings).toHaveLength(2)
    expect(message).toContain('the snapshots of 7 and 1 are damaged, and the log begins after height 1;')
    expect(message).toContain('no usable snapshot')
  })

  it('refuses a log that lost its end or its files', async () => {
    play(reopen(), 1, 20)
    await closeAll()
    const [segment] = readdirSync(join(path, 'log'))
    const file = join(path, 'log', segment!)
    const whole = readFileSync(file)
    truncateSync(file, whole.length - 1)
    expect(await refusal()).toMatch(/ends at height 19; the trees are of 0, the values of 20/)
    expect(readFileSync(file)).toHaveLength(whole.length - 1)
    rmSync(file)
    expect(await refusal()).toMatch(/ends at height 0; the trees are of 0, the values of 20/)
    writeFileSync(file, whole)
    expect(reopen().height).toBe(20)
  })

  it('refuses values that lag behind what is left of the log', async () => {
    const { snapshots } = await chainWithSnapshots(1)
    for (let times = 0; times < 2; times++) {
      play(reopen({ snapshotLogBytes: 1 }), 13 + times, 13 + times)
      await closeAll()
    }
    expect(existsSync(folderOf(snapshots[0]!))).toBe(false)
    rmSync(join(path, 'values'), { recursive: true })
    expect(await refusal()).toMatch(/the log begins after height \d+; the trees are of 14, the values of 0/)
  })

  it('keeps proofs of old heights right when a store is mounted later', async () => {
    const hashes = play(reopen(), 1, 6)
    await closeAll()
    const mounted = { stores: [...stores, 'gov'] }
    const check = (store: MultiStore, height: number) => {
      const { ops, value } = store.prove(height, 'bank', bytes('key7'))
      expect(bytesToHex(rootOfProofOps(ops, bytes('key7'), value)), `height ${height}`).toBe(hashes.get(height))
    }
    const store = reopen(mounted)
    check(store, 4)
    check(store, 6)
    for (const [height, hash] of play(store, 7, 9)) hashes.set(height, hash)
    check(store, 8)
    expect(() => store.prove(6, 'bank', bytes('key7'))).toThrow('the state of 7 to 9')
    await closeAll()
    const again = reopen(mounted)
    expect(again.available()).toEqual({ earliest: 7, latest: 9 })
    check(again, 7)
    check(again, 9)
  })

  it('keeps fewer heights when told so', async () => {
    play(reopen(), 1, 40)
    await closeAll()
    const store = reopen({ historyBlocks: 5 })
    play(store, 41, 42)
    await closeAll()
    expect(reopen({ historyBlocks: 30 }).available().earliest).toBe(37)
  })

  it('refuses files of another format', async () => {
    await reopen().close()
    writeFileSync(join(path, 'stores.json'), '{"format":2,"stores":[]}')
    expect(await refusal()).toContain('has format 2, this program knows 1')
    writeFileSync(join(path, 'stores.json'), '{')
    expect(await refusal()).toContain('stores.json')
  })
})
