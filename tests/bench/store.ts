import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Bytes, concatBytes } from '@coin/base/bytes'
import { openMultiStore, type StoreMeasure } from '@coin/store/disk-multi-store'
import type { MultiStore } from '@coin/store/multi-store'

// Random reads and updates of a big state in blocks of 4,000, durable at each: `node tests/dist/bench/store.js [keys...]`.

const updatesPerBlock = 4000
const blocks = 40
const stages = ['read', 'write', 'sort', 'treeSet', 'treeHash', 'encode', 'wal', 'treeSave', 'post', 'idle'] as const
type Stage = (typeof stages)[number]

/** Medians over the blocks, in milliseconds on the main thread. `idle` is the turn of the event loop after each block. */
export interface StoreRow {
  readonly keys: number
  readonly total: number
  readonly min: number
  readonly stages: Readonly<Record<Stage, number>>
  /** Until the values of the last block were on disk. */
  readonly drainMs: number
}

/** Time of each stage of the block that is being measured. */
function createTimer() {
  let spent: Partial<Record<Stage, number>> = {}
  let inner = 0
  const measure = <T>(stage: Stage, run: () => T): T => {
    const before = inner
    const begin = process.hrtime.bigint()
    const result = run()
    const ms = Number(process.hrtime.bigint() - begin) / 1e6
    // What stages inside this one took is theirs.
    spent[stage] = (spent[stage] ?? 0) + ms - (inner - before)
    inner = before + ms
    return result
  }
  const take = (): Partial<Record<Stage, number>> => {
    const taken = spent
    spent = {}
    return taken
  }
  return { measure, storeMeasure: measure as StoreMeasure, take }
}

/** Keys as bank keeps balances: prefix, length, address, denom. */
function balanceKey(): Bytes {
  return concatBytes(Uint8Array.of(2, 20), randomBytes(20), Uint8Array.of(117, 99, 111, 105, 110))
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

async function fill(store: MultiStore, keys: readonly Bytes[]): Promise<void> {
  for (let from = 0; from < keys.length; from += 50_000) {
    const branch = store.branch()
    for (const key of keys.slice(from, from + 50_000)) branch.store('bank').set(key, randomBytes(12))
    store.stage(branch, store.height + 1)
    store.commit()
    await setImmediate()
  }
}

async function runBlock(store: MultiStore, keys: readonly Bytes[], timer: ReturnType<typeof createTimer>) {
  const chosen = Array.from({ length: updatesPerBlock }, () => keys[Math.floor(Math.random() * keys.length)]!)
  const values = chosen.map(() => randomBytes(12))
  const { measure } = timer
  const branch = store.branch()
  const bank = branch.store('bank')
  measure('read', () => {
    for (const key of chosen) bank.get(key)
  })
  measure('write', () => {
    for (const [index, key] of chosen.entries()) bank.set(key, values[index]!)
  })
  measure('sort', () => store.stage(branch, store.height + 1))
  store.commit()
  const begin = process.hrtime.bigint()
  await setImmediate()
  const idle = Number(process.hrtime.bigint() - begin) / 1e6
  return { ...timer.take(), idle }
}

export async function benchStore(count: number): Promise<StoreRow> {
  const path = mkdtempSync(join(tmpdir(), 'coin-bench-store-'))
  const timer = createTimer()
  const store = openMultiStore({
    path,
    stores: ['acc', 'bank', 'wasm'],
    snapshotLogBytes: Number.POSITIVE_INFINITY,
    measure: timer.storeMeasure,
  })
  try {
    const keys = Array.from({ length: count }, balanceKey)
    await fill(store, keys)
    timer.take()
    const times: Awaited<ReturnType<typeof runBlock>>[] = []
    for (let block = 0; block < blocks; block++) times.push(await runBlock(store, keys, timer))
    const totals = times.map((time) => stages.reduce((sum, stage) => sum + (time[stage] ?? 0), 0))
    const begin = process.hrtime.bigint()
    await store.close()
    return {
      keys: count,
      total: median(totals),
      min: Math.min(...totals),
      stages: Object.fromEntries(
        stages.map((stage) => [stage, median(times.map((time) => time[stage] ?? 0))]),
      ) as Record<Stage, number>,
      drainMs: Number(process.hrtime.bigint() - begin) / 1e6,
    }
  } finally {
    await store.close()
    rmSync(path, { recursive: true, force: true })
  }
}

const sizes = process.argv.slice(2).map(Number)
if (process.argv[1]?.endsWith('bench/store.js')) {
  for (const size of sizes.length > 0 ? sizes : [100_000, 1_000_000]) {
    const { keys, total, min, stages: split, drainMs } = await benchStore(size)
    const parts = Object.entries(split).map(([stage, ms]) => `${stage} ${ms.toFixed(1)}`)
    console.log(
      `${keys} keys: block of ${updatesPerBlock} reads and updates ${total.toFixed(1)} ms (min ${min.toFixed(1)}; ` +
        `${parts.join(', ')}); values on disk ${drainMs.toFixed(0)} ms later`,
    )
  }
}
