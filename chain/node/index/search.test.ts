import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import type { Event } from '@coin/engine/application'
import { memoryKvDatabase } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TxPosition, TxSearch } from '../ports.js'
import { createEventChain, type EventTx } from '../testing/event-chain.js'
import { createTxIndexing, indexHere, type TxIndexing } from './index-thread.js'
import { createSweep } from './sweep.js'

/** Small words, so that they meet often. */
const types = ['transfer', 'wasm', 'a.b']
const keys = ['amount', 'to', 'n']
const values = ['', 'x', 'yx', '5', '05', '5.0', '7.25', '12ucoin', '-3', '100', 'ü', `long${'x'.repeat(300)}`]

const anyEvent: fc.Arbitrary<Event> = fc.record({
  type: fc.constantFrom(...types, ''),
  attributes: fc.array(
    fc.record({
      key: fc.constantFrom(...keys, ''),
      value: fc.constantFrom(...values),
      index: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
    }),
    { maxLength: 3 },
  ),
})
const anyBlock = fc.record({
  events: fc.array(anyEvent, { maxLength: 2 }),
  txs: fc.array(fc.array(anyEvent, { maxLength: 3 }), { maxLength: 3 }),
})
type AnyBlock = { readonly events: readonly Event[]; readonly txs: readonly (readonly Event[])[] }

/** A condition as text and, written anew here, what it means for one value. */
interface Condition {
  readonly tag: string
  readonly text: string
  readonly test: (value: string) => boolean
}

const number = (value: string) => {
  const digits = /^\d+(\.\d+)?/.exec(value)
  return digits ? Number(digits[0]) : Number.NaN
}
const anyTag = fc.tuple(fc.constantFrom(...types), fc.constantFrom(...keys)).map(([type, key]) => `${type}.${key}`)
const condition = (
  operand: fc.Arbitrary<string>,
  form: (value: string) => string,
  test: (value: string, of: string) => boolean,
) =>
  fc.tuple(anyTag, operand).map(([tag, of]): Condition => {
    return { tag, text: `${tag} ${form(of)}`, test: (value) => test(value, of) }
  })
const anyNumber = fc.constantFrom('0', '5', '7.25', '12', '99.5')
const anyCondition: fc.Arbitrary<Condition> = fc.oneof(
  condition(
    fc.constantFrom(...values),
    (of) => `= '${of}'`,
    (value, of) => value === of,
  ),
  condition(
    anyNumber,
    (of) => `= ${of}`,
    (value, of) => value === of,
  ),
  condition(
    anyNumber,
    (of) => `< ${of}`,
    (value, of) => number(value) < Number(of),
  ),
  condition(
    anyNumber,
    (of) => `<= ${of}`,
    (value, of) => number(value) <= Number(of),
  ),
  condition(
    anyNumber,
    (of) => `> ${of}`,
    (value, of) => number(value) > Number(of),
  ),
  condition(
    anyNumber,
    (of) => `>= ${of}`,
    (value, of) => number(value) >= Number(of),
  ),
  condition(
    fc.constantFrom('', 'x', 'ucoin'),
    (of) => `CONTAINS '${of}'`,
    (value, of) => value.includes(of),
  ),
  condition(
    fc.constant(''),
    () => 'EXISTS',
    () => true,
  ),
)
const anyHeight = fc.tuple(fc.constantFrom('=', '<', '<=', '>', '>='), fc.integer({ min: 0, max: 14 }))
const anyQuery = fc.record({
  conditions: fc.array(anyCondition, { maxLength: 3 }),
  heights: fc.array(anyHeight, { maxLength: 2 }),
})
type AnyQuery = { readonly conditions: readonly Condition[]; readonly heights: readonly (readonly [string, number])[] }

function holds(height: number, [operator, bound]: readonly [string, number]): boolean {
  if (operator === '=') return height === bound
  if (operator === '<') return height < bound
  if (operator === '<=') return height <= bound
  if (operator === '>') return height > bound
  return height >= bound
}

function isMatch(height: number, events: readonly Event[], { conditions, heights }: AnyQuery): boolean {
  const byType = new Map<string, Condition[]>()
  for (const one of conditions) {
    const type = one.tag.slice(0, one.tag.lastIndexOf('.'))
    byType.set(type, [...(byType.get(type) ?? []), one])
  }
  const meets = (event: Event, { tag, test }: Condition) =>
    event.attributes.some((it) => it.index && it.key !== '' && `${event.type}.${it.key}` === tag && test(it.value))
  return (
    heights.every((bound) => holds(height, bound)) &&
    [...byType].every(([type, all]) => events.some((it) => it.type === type && all.every((one) => meets(it, one))))
  )
}

const textOf = ({ conditions, heights }: AnyQuery, heightTag: string) =>
  [...conditions.map(({ text }) => text), ...heights.map(([operator, of]) => `${heightTag}${operator}${of}`)].join(
    ' AND ',
  )

function openChain(blocks: readonly AnyBlock[], costMax?: number) {
  const chain = createEventChain(memoryKvDatabase())
  const db = memoryKvDatabase()
  const open = () =>
    createTxIndexing({
      db,
      blocks: chain.blocks,
      log: silentLogger,
      start: indexHere(db, chain.blocks),
      ...(costMax !== undefined && { costMax }),
    })
  const index = open()
  let count = 0
  const add = (to: TxIndexing, { txs, events }: AnyBlock) => {
    const given = txs.map((it): EventTx => ({ bytes: utf8ToBytes(`tx ${count++}`), events: it }))
    to.add(chain.add(given, events))
  }
  for (const block of blocks) add(index, block)
  return { index, chain, db, open, add, close: index.close }
}

const places = (found: { readonly txs: readonly TxPosition[] }) =>
  found.txs.map(({ height, index }) => ({ height, index }))

describe('a search', () => {
  it('finds what a look at every transaction finds', async () => {
    const property = fc.asyncProperty(
      fc.array(anyBlock, { minLength: 1, maxLength: 12 }),
      fc.array(fc.record({ query: anyQuery, limit: fc.integer({ min: 1, max: 4 }), skip: fc.nat(3), at: fc.nat(40) }), {
        minLength: 8,
        maxLength: 8,
      }),
      fc.constantFrom('asc' as const, 'desc' as const),
      async (blocks, searches, order) => {
        const { index, close } = openChain(blocks)
        const all = blocks.flatMap(({ txs }, at) => txs.map((events, i) => ({ height: at + 1, index: i, events })))
        for (const { query, limit, skip, at } of searches) {
          const text = textOf(query, 'tx.height')
          if (text === '') continue
          const expected = all.filter(({ height, events }) => isMatch(height, events, query))
          if (order === 'desc') expected.reverse()
          const found = await index.search({ query: text, order, limit, skip, countTotal: true })
          const positions = expected.map(({ height, index }) => ({ height, index }))
          expect(places(found)).toEqual(positions.slice(skip, skip + limit))
          expect(found.next).toEqual(positions[skip + limit])
          expect(found.total).toBe(positions.length)

          const from = all[at % Math.max(1, all.length)]
          if (from === undefined) continue
          const isBehind = ({ height, index }: TxPosition) =>
            order === 'asc'
              ? height > from.height || (height === from.height && index >= from.index)
              : height < from.height || (height === from.height && index <= from.index)
          const behind = positions.filter(isBehind)
          for (const countTotal of [true, false]) {
            const page = await index.search({ query: text, order, limit, skip, from, countTotal })
            expect(places(page)).toEqual(behind.slice(skip, skip + limit))
            expect(page.next).toEqual(behind[skip + limit])
            expect(page.total).toBe(countTotal ? positions.length : undefined)
          }
        }
        await close()
      },
    )
    await fc.assert(property, { numRuns: 150 })
  })

  it('of blocks finds what a look at every block finds', async () => {
    const property = fc.asyncProperty(
      fc.array(anyBlock, { minLength: 1, maxLength: 12 }),
      anyQuery,
      fc.constantFrom('asc' as const, 'desc' as const),
      async (blocks, query, order) => {
        const text = textOf(query, 'block.height')
        fc.pre(text !== '')
        const { index, close } = openChain(blocks)
        const expected = blocks.flatMap(({ events }, at) => (isMatch(at + 1, events, query) ? [at + 1] : []))
        if (order === 'desc') expected.reverse()
        const found = await index.searchBlocks({ query: text, order, limit: 3, skip: 1 })
        expect(found).toEqual({ heights: expected.slice(1, 4), total: expected.length })
        await close()
      },
    )
    await fc.assert(property, { numRuns: 100 })
  })

  it('finds each match once by its cursor, however little a search may cost, while blocks come, go, and the node restarts', async () => {
    const property = fc.asyncProperty(
      fc.array(anyBlock, { minLength: 3, maxLength: 24 }),
      anyQuery,
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.record({
        limit: fc.integer({ min: 1, max: 4 }),
        costMax: fc.constantFrom(1, 5000),
        at: fc.nat(24),
        pruned: fc.nat(12),
      }),
      async (blocks, query, order, { limit, costMax, at, pruned }) => {
        const text = textOf(query, 'tx.height')
        fc.pre(text !== '')
        const start = Math.max(1, at % blocks.length)
        const { index: first, chain, db, open, add } = openChain(blocks.slice(0, start), costMax)
        let index = first
        await index.caughtUp()
        const known = blocks.slice(0, start)
        const matches = (upTo = known.length) =>
          known
            .slice(0, upTo)
            .flatMap(({ txs }, i) => txs.map((events, n) => ({ height: i + 1, index: n, events })))
            .filter(({ height, events }) => height >= chain.blocks.base() && isMatch(height, events, query))
            .map(({ height, index: n }) => ({ height, index: n }))
        const before = matches()
        const seen: TxPosition[] = []
        let from: TxSearch['from']
        let searched = 0
        do {
          searched = known.length
          const page = await index.search({ query: text, order, limit, skip: 0, from, countTotal: 'cheaply' })
          expect(page.txs.length).toBeLessThanOrEqual(limit)
          if (page.total !== undefined) expect(page.total).toBe(matches().length)
          seen.push(...places(page))
          from = page.next
          const block = blocks[known.length]
          if (block) {
            known.push(block)
            add(index, block)
          }
          if (seen.length === 2) {
            await index.caughtUp()
            await index.close()
            index = open()
          }
          if (seen.length >= 3 && chain.blocks.prune(pruned, 100) > 0) {
            const sweep = createSweep(db, chain.blocks.base())
            while (sweep.step());
          }
        } while (from)
        if (order === 'desc') before.reverse()
        const base = chain.blocks.base()
        const isThere = ({ height }: TxPosition) => height >= base
        // Upwards the new blocks are found too; downwards they are behind the searcher.
        expect(seen.filter(isThere)).toEqual(order === 'asc' ? matches(searched) : before.filter(isThere))
        expect(new Set(seen.map((place) => JSON.stringify(place))).size).toBe(seen.length)
        await index.close()
      },
    )
    await fc.assert(property, { numRuns: 200 })
  })

  it('walks through all matches by its cursor, each once', async () => {
    const blocks = Array.from({ length: 40 }, (_, at) => ({
      events: [],
      txs: Array.from({ length: at % 3 }, () => [
        { type: 'transfer', attributes: [{ key: 'to', value: at % 2 ? 'a' : 'b', index: true }] },
      ]),
    }))
    const { index, close } = openChain(blocks)
    const request = { query: "transfer.to='a'", limit: 4, skip: 0, countTotal: false } as const
    for (const order of ['asc', 'desc'] as const) {
      const seen: TxPosition[] = []
      let from: TxSearch['from']
      do {
        const page = await index.search({ ...request, order, from })
        seen.push(...places(page))
        from = page.next
      } while (from)
      const expected = blocks.flatMap(({ txs }, at) =>
        at % 2 ? txs.map((_, i) => ({ height: at + 1, index: i })) : [],
      )
      expect(seen).toEqual(order === 'asc' ? expected : expected.reverse())
    }
    await close()
  })

  it('by hash looks at that transaction alone, whatever else is asked', async () => {
    const { index, close } = openChain([
      { events: [], txs: [[{ type: 'a', attributes: [{ key: 'n', value: '1', index: true }] }]] },
    ])
    const hash = bytesToHex(sha256(utf8ToBytes('tx 0')))
    const find = async (query: string) =>
      (await index.search({ query, order: 'asc', limit: 5, skip: 0, countTotal: true })).total
    expect(await find(`tx.hash='${hash}'`)).toBe(1)
    expect(await find(`tx.hash='${hash.toUpperCase()}' AND a.n=1`)).toBe(1)
    expect(await find(`tx.hash='${hash}' AND a.n=2`)).toBe(0)
    expect(await find(`tx.hash='${hash}' AND tx.height>1`)).toBe(0)
    expect(await find(`tx.hash='${'0'.repeat(64)}'`)).toBe(0)
    await expect(find("tx.hash='12'")).rejects.toThrow('64 hexadecimal digits')
    await expect(find("tx.hash CONTAINS '12'")).rejects.toThrow('64 hexadecimal digits')
    await close()
  })

  it('refuses heights that are none, and goes only so far', async () => {
    const { index, close } = openChain([{ events: [], txs: [[]] }])
    const search = (query: string) => index.search({ query, order: 'asc', limit: 1, skip: 0, countTotal: false })
    await expect(search("tx.height='x'")).rejects.toThrow('expected a whole number')
    await expect(search('tx.height>1.5')).rejects.toThrow('expected a whole number')
    await expect(search("tx.height CONTAINS '1'")).rejects.toThrow('expected a whole number')
    await close()
  })
})
