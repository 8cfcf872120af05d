import { statSync } from 'node:fs'
import { utf8ToBytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import { silentLogger } from '@coin/base/logger'
import { memoryKvDatabase } from '@coin/store/kv-database'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { describe, expect, it } from 'vitest'
import { createEventChain, event } from '../testing/event-chain.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { createIndexProgress } from './index-progress.js'
import { createTxIndexing, indexHere } from './index-thread.js'
import { createIndexer } from './indexer.js'
import { hashTable } from './tables.js'

const newFolder = temporaryFolders()
const rowsOf = (db: ReturnType<typeof memoryKvDatabase>) => [...db.iterate(undefined, undefined)]

describe('the indexer', () => {
  it('takes only the events that app.toml names', async () => {
    const chain = createEventChain(memoryKvDatabase())
    chain.add(
      [{ bytes: utf8ToBytes('a'), events: [event('transfer', { to: 'x', from: 'y' })] }],
      [event('b', { n: '1' })],
    )
    const db = memoryKvDatabase()
    const start = indexHere(db, chain.blocks, ['transfer.to'])
    const index = createTxIndexing({ db, blocks: chain.blocks, log: silentLogger, start })
    const request = { order: 'asc', limit: 10, skip: 0, countTotal: true } as const
    const count = async (query: string) => (await index.search({ ...request, query })).total
    expect(await count("transfer.to='x'")).toBe(1)
    expect(await count("transfer.from='y'")).toBe(0)
    expect(await count("transfer.to='x' AND transfer.from='y'")).toBe(0)
    expect(await count('tx.height=1')).toBe(1)
    expect((await index.searchBlocks({ ...request, query: 'b.n EXISTS' })).total).toBe(0)
    await index.close()
  })

  it('removes the rows of pruned blocks, a little at a time, once it is worth it', () => {
    const chain = createEventChain(memoryKvDatabase())
    const add = (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        const events = [event('transfer', { to: i % 2 ? 'odd' : 'even', n: String(i) })]
        chain.add([{ bytes: utf8ToBytes(`${i}`), events }], [event('rewards', { n: String(i) })])
      }
    }
    add(0, 1200)
    const db = memoryKvDatabase()
    const indexer = createIndexer(db, chain.blocks)
    indexer.indexUpTo(1200)
    expect(indexer.sweep()).toBe(false)
    chain.blocks.prune(60, 2000)
    expect(indexer.sweep(), 'of few blocks').toBe(false)
    chain.blocks.prune(1001, 2000)
    let steps = 1
    for (; indexer.sweep(); steps++);
    expect(steps).toBeGreaterThan(2)
    expect(indexer.sweep(), 'twice').toBe(false)

    // What is left is what an index of the blocks that are left has.
    const fresh = memoryKvDatabase()
    createIndexer(fresh, chain.blocks).indexUpTo(1200)
    const isList = (key: Uint8Array) => key[0] === hashTable || (key[0]! >= 15 && key[0]! <= 19 && key[0] !== 17)
    const keys = (of: typeof db) =>
      rowsOf(of).flatMap(([key]) => (isList(key) ? [Buffer.from(key).toString('hex')] : []))
    // Tags were numbered in the same order.
    expect(keys(db)).toEqual(keys(fresh))
  })

  it('and the searches beside it keep no old state of the databases: the files stay as small as their rows', async () => {
    const paths = [newFolder(), newFolder()] as const
    const [chainDb, db] = [openKvDatabase(paths[0]), openKvDatabase(paths[1])]
    const chain = createEventChain(chainDb)
    const start = indexHere(db, chain.blocks)
    const index = createTxIndexing({ db, blocks: chain.blocks, log: silentLogger, start })
    const request = { order: 'desc', limit: 3, countTotal: true } as const
    for (let block = 0; block < 60; block++) {
      const txs = Array.from({ length: 200 }, (_, i) => {
        const events = [event('transfer', { to: `${(block * 7919 + i * 104_729) % 400}`, n: `${block} ${i}` })]
        return { bytes: utf8ToBytes(`${block} ${i}`), events }
      })
      index.add(chain.add(txs))
      for (const query of ["transfer.to='7'", "transfer.to CONTAINS '99'", "transfer.to='7' AND transfer.n EXISTS"])
        await index.search({ ...request, query, skip: 2 })
    }
    await index.close()
    for (const [at, of] of [chainDb, db].entries()) {
      const bytes = rowsOf(of).reduce((sum, [key, value]) => sum + key.length + value.length + 16, 0)
      await of.close()
      expect(statSync(`${paths[at]}/data.mdb`).size).toBeLessThan(4 * bytes + 1_000_000)
    }
  })
})

describe('an index that is far behind', () => {
  function open(start: number, target: number) {
    const lines: [string, object][] = []
    const log: Logger = { ...silentLogger, info: (fields: object, text: string) => void lines.push([text, fields]) }
    let now = 0
    const progress = createIndexProgress({ start, target, waitMsMax: 60_000, log, nowMs: () => now })
    const pass = (ms: number, height: number) => {
      now += ms
      progress.reach(height)
    }
    return { progress, lines, pass }
  }

  it('says in the log how fast it is built and when it will be done', () => {
    const { lines, pass } = open(1000, 11_000)
    pass(1000, 1500)
    pass(5000, 4000)
    pass(1000, 4500)
    pass(13_000, 11_000)
    expect(lines).toEqual([
      ['indexing blocks that were left out', { from: 1001, to: 11_000 }],
      ['building the tx index', { height: 4000, of: 11_000, blocksPerSecond: 500, secondsLeft: 14 }],
      ['the tx index is complete', { height: 11_000, seconds: 20 }],
    ])
  })

  it('refuses searches at once, with how far it is; one that is nearly there is waited for', async () => {
    const { progress, pass } = open(0, 10_000)
    pass(1000, 500)
    await expect(progress.wait(10_000)).rejects.toThrow('being built up: up to height 500 of 10000, about 19 s to go')
    await progress.wait(400)
    pass(19_000, 10_000)
    const waiting = progress.wait(10_001)
    pass(1, 10_001)
    await waiting
    progress.close()
  })
})
