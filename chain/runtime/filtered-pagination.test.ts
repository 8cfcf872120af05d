import { describe, expect, it } from 'vitest'
import { collectionsOf } from './collections.js'
import { paginateFiltered } from './filtered-pagination.js'
import { pairKey, uint64Key } from './keys.js'
import { testWrite } from './testing/contexts.js'
import { intValue } from './values.js'

const key = pairKey(uint64Key, uint64Key)
const numbers = collectionsOf('test').map(7, key, intValue)
const request = (fields: object) => ({
  key: new Uint8Array(0),
  offset: 0n,
  limit: 0n,
  countTotal: false,
  reverse: false,
  ...fields,
})

describe('pages of what passes a filter', () => {
  const ctx = testWrite(['test'])
  for (let n = 1n; n <= 30n; n++) numbers.set(ctx, [n % 2n, n], n)
  const prefix = key.prefix(1n)
  const filter = (_: unknown, n: bigint) => n % 3n === 0n
  const page = (fields?: object) =>
    paginateFiltered(ctx, numbers, fields && request(fields), (_, n) => Number(n), { prefix, filter })

  it('hold them in order, with their number', () => {
    expect(page()).toEqual({ items: [3, 9, 15, 21, 27], pagination: { nextKey: new Uint8Array(0), total: 5n } })
    expect(page({ reverse: true, limit: 2n }).items).toEqual([27, 21])
    expect(page({ offset: 3n, limit: 9n, countTotal: true })).toMatchObject({
      items: [21, 27],
      pagination: { total: 5n },
    })
    expect(page({ offset: 9n, limit: 9n, countTotal: true })).toMatchObject({ items: [], pagination: { total: 5n } })
  })

  it.each([false, true])('follow each other by their keys (reverse: %s)', (reverse) => {
    const seen: number[] = []
    let next: Uint8Array = new Uint8Array(0)
    do {
      const { items, pagination } = page({ key: next, limit: 2n, reverse })
      seen.push(...items)
      next = pagination.nextKey
    } while (next.length > 0)
    expect(seen).toEqual(reverse ? [27, 21, 15, 9, 3] : [3, 9, 15, 21, 27])
  })

  it('refuse a key and an offset at once', () => {
    expect(() => page({ key: Uint8Array.of(1), offset: 1n })).toThrow('either offset or key is expected')
  })
})
