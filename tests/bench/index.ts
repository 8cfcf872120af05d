import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@coin/base/logger'
import { createTxIndexing, type TxIndexing } from '@coin/node/index/index-thread'
import { createIndexer } from '@coin/node/index/indexer'
import type { TxPosition, TxSearch } from '@coin/node/ports'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { type IndexChain, parties, sendAction, writeIndexChain } from './index-chain.js'
import { table } from './report.js'

const whole = (value: number) => Math.round(value).toLocaleString('en-US')

/** What is asked, and what it is called in the table. */
interface Shape {
  readonly name: string
  readonly query: string
}

function shapesOf(height: number): readonly Shape[] {
  const { collector, busy, rare, shop } = parties
  const [low, high] = [Math.floor(height * 0.3), Math.floor(height * 0.6)]
  return [
    { name: 'all match', query: `coin_received.receiver='${collector}'` },
    { name: 'half match', query: `message.sender='${busy}'` },
    { name: '1 in 1000', query: `message.sender='${rare}'` },
    {
      name: 'half, heights from a to b',
      query: `message.sender='${busy}' AND tx.height>=${low} AND tx.height<=${high}`,
    },
    { name: 'heights from a to b', query: `tx.height>=${low} AND tx.height<=${high}` },
    { name: 'EXISTS, all', query: 'tx.fee EXISTS' },
    { name: 'all AND 1 in 1000', query: `message.action='${sendAction}' AND tx.fee_payer='${rare}'` },
    { name: 'half AND 1 in 1000, none in both', query: `message.sender='${busy}' AND tx.fee_payer='${rare}'` },
    {
      name: 'half AND half, 1 in 10,000 in both',
      query: `tx.fee_payer='${busy}' AND coin_received.receiver='${shop}'`,
    },
    { name: 'the same, both in one event', query: `transfer.sender='${busy}' AND transfer.recipient='${shop}'` },
    { name: 'CONTAINS, few values', query: "message.action CONTAINS 'MsgSend'" },
    { name: 'CONTAINS, 50,000 values, none', query: "transfer.recipient CONTAINS 'nobody'" },
    { name: 'number, 1000 values, 1 in 10', query: 'transfer.amount>900' },
    { name: 'number, 1000 values, 1 in 1000', query: 'transfer.amount>999' },
  ]
}

/** Ways to ask for a page of 100. */
interface Page {
  readonly name: string
  readonly request: Pick<TxSearch, 'order' | 'skip' | 'countTotal'> & { readonly from?: TxPosition }
}

function pagesOf(height: number, run: number): readonly Page[] {
  const at = { height: Math.floor(height * (0.1 + 0.08 * (run % 10))), index: 0 }
  return [
    { name: 'first, up', request: { order: 'asc', skip: 0, countTotal: false } },
    { name: 'first, down', request: { order: 'desc', skip: 0, countTotal: false } },
    { name: 'by cursor, up', request: { order: 'asc', skip: 0, countTotal: false, from: at } },
    { name: 'by cursor, down', request: { order: 'desc', skip: 0, countTotal: false, from: at } },
    { name: 'first, counted', request: { order: 'desc', skip: 0, countTotal: 'cheaply' } },
    { name: 'page 200, counted', request: { order: 'asc', skip: 19_900, countTotal: 'cheaply' } },
  ]
}

async function timeShape(index: TxIndexing, { name, query }: Shape, runs: number): Promise<string[][]> {
  const times = new Map<string, number[]>()
  const last = new Map<string, string>()
  for (let run = -1; run < runs; run++) {
    for (const { name: way, request } of pagesOf(index.height(), run)) {
      const begin = performance.now()
      const answer = await index.search({ query, limit: 100, ...request }).catch((error: Error) => error.message)
      const took = performance.now() - begin
      if (run < 0) continue // warm
      times.set(way, [...(times.get(way) ?? []), took])
      last.set(way, typeof answer === 'string' ? 'refused' : describe(answer))
    }
  }
  return [...times].map(([way, all]) => {
    all.sort((a, b) => a - b)
    const at = (part: number) => `${all[Math.floor((all.length - 1) * part)]!.toFixed(1)}`
    return [name, way, at(0.5), at(0.99), last.get(way)!]
  })
}

function describe({ txs, next, total }: Awaited<ReturnType<TxIndexing['search']>>): string {
  const size = txs.length < 100 && next ? `${txs.length}, goes on` : `${txs.length}`
  return total === undefined ? size : `${size} of ${whole(total)}`
}

/** Builds the index of `count` sends and times searches in it; answers the report. */
export async function benchIndex(options: { count: number; perBlock: number; runs: number }): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coin-bench-index-'))
  const written = writeIndexChain(dataDir, options.count, options.perBlock)
  try {
    const path = join(dataDir, 'tx_index')
    const db = openKvDatabase(path)
    const seconds = buildIndex(written, db)
    const bytes = statSync(join(path, 'data.mdb')).size
    const index = createTxIndexing({
      db,
      blocks: written.chain.blocks,
      log: silentLogger,
      start: () => ({ advance: () => undefined, close: async () => undefined }),
    })
    const rows = []
    for (const shape of shapesOf(index.height())) rows.push(...(await timeShape(index, shape, options.runs)))
    await index.close()
    await db.close()
    return [
      `${whole(options.count)} transactions of nine events in ${whole(index.height())} blocks: indexed at ` +
        `${whole(options.count / seconds)} a second, ${whole(bytes / options.count)} bytes each on disk. Pages of 100, ms:`,
      table([['query', 'page', 'p50', 'p99', 'found'], ...rows]),
    ].join('\n')
  } finally {
    await written.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Seconds that it took. */
function buildIndex({ chain }: IndexChain, db: ReturnType<typeof openKvDatabase>): number {
  const begin = performance.now()
  const indexer = createIndexer(db, chain.blocks)
  indexer.indexUpTo(chain.blocks.height())
  return (performance.now() - begin) / 1000
}

if (process.argv[1]?.endsWith('bench/index.js')) {
  const [count = 1_000_000, perBlock = 20, runs = 30] = process.argv.slice(2).map(Number)
  process.stdout.write(`${await benchIndex({ count, perBlock, runs })}\n`)
}
