import { emptyBytes } from '@coin/base/bytes'
import { expect, it } from 'vitest'
import { emptyBlock } from './chain-state.js'
import { collectionsOf } from './collections.js'
import { createWrite } from './context.js'
import { uint64Key } from './keys.js'
import { paginate } from './pagination.js'
import { consensusParamsOf } from './testing/contexts.js'
import { createMapStore } from './testing/map-store.js'
import { uint64Value } from './values.js'

it('gives a client no more at once than the node can hold, and the key of the rest', () => {
  const numbers = collectionsOf('s').map(1, uint64Key, uint64Value)
  const branch = createMapStore(['s']).branch()
  const contextOf = (mode: 'query' | 'finalize') =>
    createWrite(branch, { block: emptyBlock('test-1'), mode, consensusParams: consensusParamsOf(-1n) })
  for (let n = 0n; n < 100_010n; n++) numbers.set(contextOf('finalize'), n, n)
  const page = (key: Uint8Array, mode: 'query' | 'finalize' = 'query') =>
    paginate(
      contextOf(mode),
      numbers,
      { key, offset: 0n, limit: 2n ** 64n - 1n, countTotal: key.length === 0, reverse: false },
      (n) => n,
    )
  const first = page(emptyBytes)
  expect([first.items.length, first.items.at(-1), first.pagination.total]).toEqual([100_000, 99_999n, 100_010n])
  const rest = page(first.pagination.nextKey)
  expect(rest.items).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n].map((n) => 100_000n + n))
  expect(rest.pagination.nextKey).toEqual(emptyBytes)
  expect(page(emptyBytes, 'finalize').items.length).toBe(100_010)
})
