import { cpSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import type { BlockListener } from '@coin/engine/embedded/engine'
import { memoryKvDatabase } from '@coin/store/kv-database'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { sha256 } from '@coin/wire/sha256'
import { describe, expect, it } from 'vitest'
import type { TxPosition } from '../ports.js'
import { createEventChain, type EventChain, type EventTx, event } from '../testing/event-chain.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { clearIndexFolder, markIndexBroken } from './index-folder.js'
import { createTxIndexing, indexHere, type StartRunner, type TxIndexing } from './index-thread.js'
import { openTxIndex } from './open-index.js'

const newFolder = temporaryFolders()

const tx = (name: string, code = 0): EventTx => ({
  bytes: utf8ToBytes(name),
  code,
  events: [event('transfer', { to: name })],
})
const hashOf = (name: string) => sha256(utf8ToBytes(name))
const search = (index: TxIndexing, query: string) =>
  index.search({ query, order: 'asc', limit: 100, skip: 0, countTotal: true })

function withoutDisk(start?: StartRunner, options: { waitMsMax?: number; costMax?: number } = {}) {
  const chain = createEventChain(memoryKvDatabase())
  const db = memoryKvDatabase()
  const runner = start ?? indexHere(db, chain.blocks)
  return { chain, index: createTxIndexing({ db, blocks: chain.blocks, log: silentLogger, start: runner, ...options }) }
}

describe('the index', () => {
  it('finds a transaction by its hash from the moment of its block on', async () => {
    const { chain, index } = withoutDisk()
    index.add(chain.add([tx('a'), tx('b')]))
    expect(index.height()).toBe(0)
    expect(index.get(hashOf('b'))).toMatchObject({ height: 1, index: 1, hash: hashOf('b') })
    await index.caughtUp()
    expect(index.height()).toBe(1)
    expect(index.get(hashOf('b'))).toMatchObject({ height: 1, index: 1 })
    expect(index.get(hashOf('c'))).toBeUndefined()
    expect(index.get(new Uint8Array(3))).toBeUndefined()
    await index.close()
  })

  it('is waited for when a start finds it behind the chain: what is in a block is never "not found"', async () => {
    const chain = createEventChain(memoryKvDatabase())
    chain.add([tx('a')])
    chain.add([tx('b')])
    const db = memoryKvDatabase()
    const index = createTxIndexing({ db, blocks: chain.blocks, log: silentLogger, start: indexHere(db, chain.blocks) })
    expect(index.height()).toBe(0)
    expect(await index.get(hashOf('b'))).toMatchObject({ height: 2, index: 0 })
    expect(await index.get(hashOf('c'))).toBeUndefined()
    await index.close()
  })

  it('keeps the success when the same bytes fail later, and shows it when they fail first', async () => {
    const { chain, index } = withoutDisk()
    index.add(chain.add([tx('a'), tx('b', 5)]))
    index.add(chain.add([tx('a', 5), tx('b')]))
    await index.caughtUp()
    expect(index.get(hashOf('a'))).toMatchObject({ height: 1, result: { code: 0 } })
    expect(index.get(hashOf('b'))).toMatchObject({ height: 2, result: { code: 0 } })
    await index.close()
  })

  it('forgets what is pruned', async () => {
    const { chain, index } = withoutDisk()
    for (const name of ['a', 'b', 'c']) index.add(chain.add([tx(name)]))
    await index.caughtUp()
    chain.blocks.prune(3, 10)
    expect(index.get(hashOf('a'))).toBeUndefined()
    expect((await search(index, 'transfer.to EXISTS')).txs.map(({ height }) => height)).toEqual([3])
    expect((await search(index, 'transfer.to EXISTS')).total).toBe(1)
    await index.close()
  })

  it('ends a page that costs too much early, with a cursor, and refuses to count or leave out what does', async () => {
    const { chain, index } = withoutDisk(undefined, { costMax: 1 })
    // Every transaction is looked at, because both conditions must hold for one event.
    const events = (i: number) => [
      event('transfer', { to: 'a', n: String(i) }),
      event('transfer', { to: `b${i % 100}` }),
    ]
    const blocks = Array.from({ length: 30 }, (_, height) =>
      Array.from({ length: 10 }, (_, i) => ({ bytes: utf8ToBytes(`${height} ${i}`), events: events(height * 10 + i) })),
    )
    for (const txs of blocks) index.add(chain.add(txs))
    const request = { order: 'asc', skip: 0 } as const
    const wide = { ...request, query: "transfer.to='a' AND transfer.n>149", limit: 100 } as const
    for (const order of ['asc', 'desc'] as const) {
      const seen: number[] = []
      const sizes: number[] = []
      let from: TxPosition | undefined
      do {
        const page = await index.search({ ...wide, order, countTotal: 'cheaply', from })
        expect(page.total).toBeUndefined()
        seen.push(...page.txs.map(({ height, index: i }) => (height - 1) * 10 + i))
        from = page.next
        sizes.push(page.txs.length)
      } while (from)
      const expected = Array.from({ length: 150 }, (_, i) => 150 + i)
      expect(seen).toEqual(order === 'asc' ? expected : expected.reverse())
      expect(sizes.length).toBeGreaterThan(5)
      expect(sizes, 'also with nothing at all').toContain(0)
    }
    await expect(index.search({ ...wide, countTotal: true })).rejects.toThrow(
      'too much to look at to count all matches',
    )
    await expect(index.search({ ...wide, skip: 200, countTotal: false })).rejects.toThrow('to leave out 200 matches')
    // One condition is counted and leapt through, however little a search may cost.
    const single = { ...request, query: "transfer.to='a'", limit: 2, skip: 297, countTotal: true } as const
    expect(await index.search(single)).toMatchObject({ total: 300, txs: [{ height: 30, index: 7 }, { index: 8 }] })
    await index.close()
  })

  it('says how far it is when a search would wait for too long', async () => {
    const never: StartRunner = () => ({ advance: () => undefined, close: async () => undefined })
    const { chain, index } = withoutDisk(never, { waitMsMax: 20 })
    index.add(chain.add([tx('a')]))
    await expect(search(index, 'transfer.to EXISTS')).rejects.toThrow(
      'the tx index is being built up: up to height 0 of 1',
    )
    expect(index.get(hashOf('a'))).toMatchObject({ height: 1 })
    await index.close()
  })

  it('that has failed says so, finds new transactions by hash, and lets the chain go on', async () => {
    let fail: (error: Error) => void = () => undefined
    const broken: StartRunner = (_, failed) => {
      fail = failed
      return { advance: () => undefined, close: async () => undefined }
    }
    const { chain, index } = withoutDisk(broken)
    index.add(chain.add([tx('a')]))
    const waiting = search(index, 'transfer.to EXISTS')
    fail(new RangeError('no space left'))
    fail(new RangeError('told twice'))
    await expect(waiting).rejects.toThrow('the tx index has stopped: no space left')
    await expect(search(index, 'transfer.to EXISTS')).rejects.toThrow('no space left')
    index.add(chain.add([tx('b')]))
    expect(index.get(hashOf('b'))).toMatchObject({ height: 2 })
    await index.close()
  })

  it('ends searches before its files are closed', async () => {
    const { chain, index } = withoutDisk()
    index.add(chain.add(Array.from({ length: 3000 }, (_, i) => tx(`t${i}`))))
    await index.caughtUp()
    const running = search(index, "transfer.to CONTAINS 'zzz'")
    const ended = expect(running).rejects.toThrow('the node is stopping')
    await index.close()
    await ended
    await expect(search(index, 'transfer.to EXISTS')).rejects.toThrow('the node is stopping')
    expect(() => index.get(hashOf('t1'))).toThrow('the node is stopping')
  })
})

/** A chain on disk, and its index opened as the node does it. */
function onDisk() {
  const dataDir = newFolder()
  const db = openKvDatabase(join(dataDir, 'blocks'))
  const chain: EventChain = createEventChain(db)
  const listeners = new Set<BlockListener>()
  const onBlock = (listener: BlockListener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const warnings: string[] = []
  const log = { ...silentLogger, warn: (_: object, text: string) => void warnings.push(text) }
  return {
    folder: join(dataDir, 'tx_index'),
    warnings,
    open: () => openTxIndex({ dataDir, engine: { blocks: chain.blocks, onBlock }, log }),
    add(...txs: readonly EventTx[]) {
      const committed = chain.add(txs)
      for (const listener of listeners) listener(committed)
    },
    prune: (height: number) => chain.blocks.prune(height, height),
    close: () => db.close(),
  }
}

const found = async (index: TxIndexing) => (await search(index, 'transfer.to EXISTS')).txs.map(({ height }) => height)

describe('the index in its own thread', () => {
  it('follows the chain, and after a restart takes in what it has missed', async () => {
    const disk = onDisk()
    disk.add(tx('before'))
    const first = await disk.open()
    disk.add(tx('a'), tx('b'))
    expect(await found(first)).toEqual([1, 2, 2])
    await first.close()
    for (let i = 0; i < 50; i++) disk.add(tx(`missed ${i}`))
    const second = await disk.open()
    disk.add(tx('c'))
    expect(await found(second)).toEqual([1, 2, 2, ...Array.from({ length: 51 }, (_, i) => i + 3)])
    expect((await search(second, "transfer.to='missed 49'")).txs).toMatchObject([{ height: 52, index: 0 }])
    expect(second.height()).toBe(53)
    await second.close()
    await disk.close()
    expect(disk.warnings).toEqual([])
  })

  it('goes on behind blocks that were pruned before it had taken them', async () => {
    const disk = onDisk()
    const index = await disk.open()
    disk.add(tx('first'))
    await index.caughtUp()
    // More than the thread takes in meanwhile.
    for (let i = 0; i < 15; i++) disk.add(...Array.from({ length: 300 }, (_, n) => tx(`t${i} ${n}`)))
    disk.prune(16)
    disk.add(tx('last'))
    expect(new Set(await found(index))).toEqual(new Set([16]))
    expect((await search(index, "transfer.to='last'")).txs).toMatchObject([{ height: 17 }])
    await index.close()
    await disk.close()
  })

  it('is built again when it is lost', async () => {
    const disk = onDisk()
    for (const name of ['a', 'b']) disk.add(tx(name))
    const first = await disk.open()
    await first.caughtUp()
    await first.close()
    clearIndexFolder(disk.folder)
    const second = await disk.open()
    expect(await found(second)).toEqual([1, 2])
    await second.close()
    await disk.close()
  })

  it('is built again when the machine went down while it was written: then it may not even be opened', async () => {
    const disk = onDisk()
    disk.add(tx('a'))
    const first = await disk.open()
    await first.caughtUp()
    await first.close()
    writeFileSync(join(disk.folder, 'in-use'), 'another boot')
    writeFileSync(join(disk.folder, 'data.mdb'), new Uint8Array(40_000).fill(170))
    const second = await disk.open()
    expect(await found(second)).toEqual([1])
    expect(disk.warnings).toEqual([expect.stringContaining('the machine went down')])
    await second.close()
    await disk.close()
  })

  it.each([
    ['cut off', (file: string) => truncateSync(file, 10_000)],
    ['something else', (file: string) => writeFileSync(file, new Uint8Array(40_000).fill(170))],
  ])('is built again when its file is %s', async (_, damage) => {
    const disk = onDisk()
    for (let i = 0; i < 20; i++) disk.add(...Array.from({ length: 50 }, (_, n) => tx(`${i} ${n}`)))
    const first = await disk.open()
    await first.caughtUp()
    await first.close()
    damage(join(disk.folder, 'data.mdb'))
    const second = await disk.open()
    expect((await search(second, "transfer.to='7 7'")).total).toBe(1)
    expect(disk.warnings).toEqual(['the tx index is damaged; it is built again from the blocks'])
    await second.close()
    await disk.close()
  })

  it('is built again when its rows are of an older version', async () => {
    const disk = onDisk()
    disk.add(tx('a'))
    mkdirSync(disk.folder)
    const old = openKvDatabase(disk.folder)
    old.batch([[Uint8Array.of(13), Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1)]], { sync: false })
    await old.close()
    const index = await disk.open()
    expect(await found(index)).toEqual([1])
    expect(disk.warnings).toEqual([expect.stringContaining('of another version')])
    await index.close()
    await disk.close()
  })

  it('that could not be written is built again at the next start', async () => {
    const disk = onDisk()
    disk.add(tx('a'))
    const first = await disk.open()
    await first.caughtUp()
    await first.close()
    markIndexBroken(disk.folder)
    const second = await disk.open()
    expect(await found(second)).toEqual([1])
    expect(disk.warnings).toEqual([expect.stringContaining('could not be read or written')])
    await second.close()
    await disk.close()
  })

  it('is built again when it knows more than the chain', async () => {
    const longer = onDisk()
    for (const name of ['a', 'b', 'c']) longer.add(tx(name))
    const its = await longer.open()
    await its.caughtUp()
    await its.close()
    await longer.close()
    const disk = onDisk()
    disk.add(tx('x'))
    cpSync(longer.folder, disk.folder, { recursive: true })
    const index = await disk.open()
    expect(await found(index)).toEqual([1])
    expect((await search(index, "transfer.to='x'")).total).toBe(1)
    expect(disk.warnings).toEqual([expect.stringContaining('knows blocks that the chain does not have')])
    await index.close()
    await disk.close()
  })
})
