import { memoryKvDatabase } from '@coin/store/kv-database'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { event } from '../testing/event-chain.js'
import { type Place, placeOf } from './places.js'
import { decodeRow, encodeRow } from './posting-rows.js'
import { createPostingWriter } from './posting-writer.js'
import { openPostings } from './postings.js'
import { txTables as tables } from './tables.js'

const values = ['a', 'b', 'c', 'd']

/** Blocks of transactions, each with some of the values. */
const anyBlocks = fc.array(fc.array(fc.subarray(values), { maxLength: 4 }), { minLength: 1, maxLength: 20 })

describe('a row of a posting list', () => {
  it('is read as it was written', () => {
    const rows = [
      { height: 7, start: 7, before: 0, positions: [0] },
      { height: 7, start: 6, before: 1, positions: [0, 1, 127, 128, 16_384, 1_000_000] },
      { height: 2 ** 33, start: 1, before: 2 ** 40, positions: Array.from({ length: 10_000 }, (_, i) => 3 * i) },
    ]
    for (const row of rows) expect(decodeRow(row.height, encodeRow(row))).toEqual(row)
  })
})

describe('a posting list', () => {
  it('counts and finds the n-th place as a list in memory does, however its runs were cut', () => {
    const property = fc.property(
      anyBlocks,
      fc.constantFrom(1, 2, 3, 100),
      fc.array(fc.tuple(fc.nat(22), fc.nat(22), fc.nat(12), fc.constantFrom(undefined, ...values)), { minLength: 10 }),
      (blocks, runsMax, questions) => {
        const db = memoryKvDatabase()
        const writer = createPostingWriter(db, tables, () => true, runsMax)
        const model = new Map<string | undefined, Place[]>()
        blocks.forEach((txs, at) => {
          txs.forEach((held, index) => {
            writer.add(
              index,
              held.map((value) => event('t', { k: value })),
            )
            const place = placeOf(at + 1, index)
            for (const name of [undefined, ...held]) {
              const places = model.get(name) ?? []
              if (name !== undefined || held.length > 0) model.set(name, [...places, place])
            }
          })
          db.batch(writer.finish(at + 1), { sync: false })
        })
        for (const [from, to, skip, value] of questions) {
          const within = (model.get(value) ?? []).filter((it) => it >= placeOf(from, 0) && it < placeOf(to + 1, 0))
          const source = () => ({ db, tables, meter: { spent: 0 } })
          for (const order of ['asc', 'desc'] as const) {
            const list = openPostings(source(), order, 't.k', value)
            const ordered = order === 'asc' ? within : [...within].reverse()
            expect(list.count({ from, to })).toBe(within.length)
            expect(list.nth(skip, { from, to })).toBe(ordered[skip])
            const start = order === 'asc' ? placeOf(from, 0) : placeOf(to, 3)
            const next = (model.get(value) ?? []).filter((it) => (order === 'asc' ? it >= start : it <= start))
            expect(list.seek(start)).toBe(order === 'asc' ? next[0] : next.at(-1))
          }
        }
      },
    )
    fc.assert(property, { numRuns: 200 })
  })

  it('that nobody has written is empty', () => {
    const list = openPostings({ db: memoryKvDatabase(), tables, meter: { spent: 0 } }, 'asc', 'a.b', 'c')
    expect([list.seek(0), list.count({ from: 0, to: 9 }), list.nth(0, { from: 0, to: 9 })]).toEqual([
      undefined,
      0,
      undefined,
    ])
  })
})
