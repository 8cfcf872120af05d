import { silentLogger } from '@coin/base/logger'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import { memoryKvDatabase } from '@coin/store/kv-database'
import { describe, expect, it } from 'vitest'
import { createEventChain, type EventTx } from '../testing/event-chain.js'
import { createTxIndexing, indexHere } from './index-thread.js'

function open() {
  const chain = createEventChain(memoryKvDatabase())
  const db = memoryKvDatabase()
  let reads = 0
  const blocks: BlockReads = {
    ...chain.blocks,
    txResult(height, index) {
      reads++
      return chain.blocks.txResult(height, index)
    },
  }
  const index = createTxIndexing({ db, blocks, log: silentLogger, start: indexHere(db, chain.blocks) })
  return { add: (txs: readonly EventTx[]) => index.add(chain.add(txs)), index, reads: () => reads }
}

const page = { query: 'a.n EXISTS', order: 'asc', skip: 0, countTotal: true } as const
const events = [{ type: 'a', attributes: [{ key: 'n', value: '1', index: true }] }]

describe('what one search may take', () => {
  it('is a page of a bounded size', async () => {
    const { add, index } = open()
    for (let block = 0; block < 4; block++)
      add(Array.from({ length: 10 }, (_, n) => ({ bytes: new Uint8Array(1_000_000).fill(10 * block + n), events })))
    await expect(index.search({ ...page, limit: 40 })).rejects.toThrow(
      'the page has more than 33554432 bytes of transactions; ask for fewer at once',
    )
    const { txs, total } = await index.search({ ...page, limit: 30 })
    expect([txs.length, total]).toEqual([30, 40])
    await index.close()
  })

  it('is a small part of each turn of the event loop, however many search at once', async () => {
    const { add, index, reads } = open()
    const two = [...events, { type: 'a', attributes: [{ key: 'm', value: '2', index: true }] }]
    for (let block = 0; block < 6; block++)
      add(Array.from({ length: 50 }, (_, n) => ({ bytes: Uint8Array.of(block, n), events: two })))
    await index.caughtUp()
    // Each transaction is read: the lists do not say whether one event has both.
    const slow = { ...page, query: "a.n = '1' AND a.m = '2'", limit: 10 }
    const searches = Array.from({ length: 300 }, () => index.search(slow))
    await expect(index.search(slow)).rejects.toThrow('too many searches at once')
    let most = 0
    let isOver = false
    const all = Promise.all(searches).finally(() => {
      isOver = true
    })
    while (!isOver) {
      const before = reads()
      await new Promise(setImmediate)
      most = Math.max(most, reads() - before)
    }
    expect((await all).every(({ total }) => total === 0)).toBe(true)
    // A slice is some 33, and a few may begin together.
    expect(most).toBeLessThan(500)
    expect(await index.search({ ...page, limit: 1 })).toMatchObject({ total: 300 })
    await index.close()
  })
})
