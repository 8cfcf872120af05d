import type { MempoolReads } from '@coin/engine/embedded/mempool'
import { expect, it } from 'vitest'
import { createConsensus } from './consensus.js'

const mempoolOf = (txs: readonly Uint8Array[]): Pick<MempoolReads, 'list' | 'size' | 'sizeBytes'> => ({
  list: (limit) => txs.slice(0, limit),
  size: () => txs.length,
  sizeBytes: () => txs.reduce((sum, { length }) => sum + length, 0),
})

function viewOf(txs: readonly Uint8Array[], limit: number) {
  const engine = { mempool: mempoolOf(txs) }
  return createConsensus(engine as never, {} as never).mempool(limit)
}

it('shows no more of the mempool at once than can be copied quickly', async () => {
  const mebibyte = new Uint8Array(1024 * 1024)
  const large = await viewOf(Array<Uint8Array>(100).fill(mebibyte), 100)
  expect([large.txs.length, large.count, large.bytes]).toEqual([8, 100, 100 * mebibyte.length])
  const small = await viewOf(Array<Uint8Array>(5000).fill(new Uint8Array(300)), 100)
  expect([small.txs.length, small.count]).toEqual([100, 5000])
  const huge = await viewOf([new Uint8Array(9 * 1024 * 1024), mebibyte], 100)
  expect(huge.txs.length).toBe(1)
})
