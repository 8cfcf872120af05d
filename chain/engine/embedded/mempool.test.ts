import { type Bytes, bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { describe, expect, it } from 'vitest'
import { txHash } from '../comet/hashes.js'
import { defaultConsensusParams } from '../genesis.js'
import { createTally, emptyTallyDisk } from '../testing/tally-application.js'
import { createMempool, defaultMempoolOptions, type MempoolOptions, type Pause, type Preverify } from './mempool.js'

const anyRoom = { bytesMax: 1_000_000, gasMax: -1n }

function open(
  options: Partial<MempoolOptions> = {},
  block = { maxBytes: 10_000n, maxGas: -1n },
  preverify?: Preverify,
  pause?: Pause,
) {
  const disk = emptyTallyDisk()
  const params = { ...defaultConsensusParams, block }
  const fatal: unknown[] = []
  let available = 0
  const pool = createMempool({ ...defaultMempoolOptions, ...options }, params, {
    app: createTally(disk),
    log: silentLogger,
    preverify,
    pause,
    measure: (_stage, _count, run) => run(),
    onFatal: (error) => fatal.push(error),
    onAvailable: () => {
      available++
    },
  })
  const send = (text: string) => pool.submit(utf8ToBytes(text)).checked
  const reap = (limits = anyRoom) => pool.reap(limits).map(bytesToUtf8)
  /** As if a block with these transactions had been committed. */
  const include = (...texts: string[]) => {
    const txs = texts.map((text) => utf8ToBytes(text))
    const results = txs.map((tx) => ({ ...createTally(disk).checkTx(tx, 'new'), code: 0 }))
    for (const text of texts) {
      const once = new URLSearchParams(text).get('once')
      if (once) disk.entries.set(`once/${once}`, '1')
    }
    pool.update(txs.map(txHash), results, params)
  }
  return { pool, send, reap, include, fatal, available: () => available, disk }
}

describe('the mempool', () => {
  it('keeps what passes the check, first come first served, and says when it is no longer empty', async () => {
    const { pool, send, reap, available } = open()
    await Promise.all([send('a=1'), send('b=1'), send('c=1')])
    expect(await send('refuse=1')).toMatchObject({ code: 1, codespace: 'tally', log: 'refused' })
    expect(reap()).toEqual(['a=1', 'b=1', 'c=1'])
    expect([pool.size(), pool.sizeBytes(), available()]).toEqual([3, 9, 1])
    expect(pool.has(txHash(utf8ToBytes('b=1')))).toBe(true)
    expect(pool.list(2).map(bytesToUtf8)).toEqual(['a=1', 'b=1'])
  })

  it('refuses a repeated transaction, also while the first is still checked and after its block', async () => {
    const { send, include } = open()
    const first = send('a=1')
    expect(() => send('a=1')).toThrow('tx already exists in cache')
    await first
    expect(() => send('a=1')).toThrow('tx already exists in cache')
    include('a=1')
    expect(() => send('a=1')).toThrow('tx already exists in cache')
  })

  it('lets a refused transaction try again, unless told to remember it', async () => {
    const { send } = open()
    await send('refuse=1')
    expect((await send('refuse=1')).code).toBe(1)
    const strict = open({ keepInvalidInCache: true })
    await strict.send('refuse=1')
    expect(() => strict.send('refuse=1')).toThrow('tx already exists in cache')
  })

  it('forgets the oldest of the cache', async () => {
    const { send, include } = open({ cacheSize: 2 })
    await send('a=1')
    include('a=1')
    await send('b=1')
    await send('c=1')
    expect((await send('a=1')).code).toBe(0)
  })

  it('is limited in transactions and bytes, those being checked included', async () => {
    const full = open({ size: 2 })
    const checks = [full.send('a=1'), full.send('b=1')]
    expect(() => full.send('c=1')).toThrow(
      'number of txs 2 (max: 2), total txs bytes 6 (max: 1073741824): mempool is full',
    )
    await Promise.all(checks)
    expect(() => full.send('c=1')).toThrow('mempool is full')
    full.include('a=1')
    expect((await full.send('c=1')).code).toBe(0)
    const bytes = open({ txsBytesMax: 5 })
    await bytes.send('a=1')
    expect(() => bytes.send('b=1')).toThrow('mempool is full')
  })

  it('refuses what is larger than allowed or than a block', () => {
    const { send } = open({ txBytesMax: 100 }, { maxBytes: 50n, maxGas: -1n })
    expect(() => send(`a=${'x'.repeat(99)}`)).toThrow('max size is 100, but got 101: Tx too large')
    expect(() => send(`a=${'x'.repeat(60)}`)).toThrow('a block has at most 50 bytes')
  })

  it('refuses what wants more gas than a block has', async () => {
    const { send, pool } = open({}, { maxBytes: -1n, maxGas: 10n })
    await expect(send('a=1&gas=11')).rejects.toThrow('gas wanted 11 is greater than max gas 10')
    expect((await send('a=1&gas=10')).code).toBe(0)
    expect(pool.size()).toBe(1)
  })

  it('gives a block what fits, in bytes and in gas', async () => {
    const { send, reap } = open()
    for (const text of ['a=1&gas=5', 'b=1&gas=5', 'c=1&gas=1']) await send(text)
    expect(reap({ bytesMax: 1000, gasMax: 10n })).toEqual(['a=1&gas=5', 'b=1&gas=5'])
    expect(reap({ bytesMax: 1000, gasMax: 4n })).toEqual([])
    expect(reap({ bytesMax: 22, gasMax: -1n })).toEqual(['a=1&gas=5', 'b=1&gas=5'])
    expect(reap({ bytesMax: 21, gasMax: -1n })).toEqual(['a=1&gas=5'])
  })

  it('checks the rest again after each block and drops what no longer holds', async () => {
    const { send, reap, include } = open()
    for (const text of ['once=x', 'once=x&n=2', 'b=1']) await send(text)
    include('once=x')
    expect(reap()).toEqual(['b=1'])
    const lazy = open({ recheck: false })
    for (const text of ['once=x', 'once=x&n=2']) await lazy.send(text)
    lazy.include('once=x')
    expect(lazy.reap()).toEqual(['once=x&n=2'])
  })

  it('hands an application that throws to the node, and answers everyone who waits', async () => {
    const { pool, send, fatal } = open()
    const crash = send('crash=1')
    await expect(crash).rejects.toThrow('the node has stopped making blocks')
    expect(String(fatal[0])).toContain('the tally crashed')
    const late = send('a=1')
    pool.halt()
    await expect(late).rejects.toThrow('the node has stopped making blocks')
    expect(() => send('b=1')).toThrow('the node has stopped making blocks')
  })
})

describe('checking signatures beforehand', () => {
  it('happens in batches, a few at a time, and keeps the order of arrival', async () => {
    const batches: { size: number; done: () => void }[] = []
    const preverify = (txs: readonly Bytes[]) =>
      new Promise<void>((resolve) => {
        batches.push({ size: txs.length, done: resolve })
      })
    const { send, reap } = open({}, undefined, preverify)
    const checks = Array.from({ length: 600 }, (_, i) => send(`a=${i}`))
    expect(batches.map(({ size }) => size)).toEqual([1, 1, 1, 1])
    batches[1]!.done()
    await Promise.resolve()
    expect(reap()).toEqual([]) // the first batch is not done
    batches[0]!.done()
    await checks[1]
    await Promise.resolve()
    expect(batches.map(({ size }) => size)).toEqual([1, 1, 1, 1, 128, 128])
    for (const batch of batches) batch.done()
    await checks[259]
    await Promise.resolve()
    for (const batch of batches) batch.done()
    await Promise.all(checks)
    expect(reap({ bytesMax: 100_000, gasMax: -1n })).toEqual(Array.from({ length: 600 }, (_, i) => `a=${i}`))
  })

  it('takes large transactions one at a time and lets other work run between them', async () => {
    const steps: string[] = []
    const size = 100_000
    const { send } = open(
      { txBytesMax: size },
      { maxBytes: 1_000_000n, maxGas: -1n },
      async (txs) => void steps.push(`${txs.length} from ${bytesToUtf8(txs[0]!.subarray(0, 3))}`),
      async () => void steps.push('pause'),
    )
    const large = (name: string) => `${name}=1&x=`.padEnd(size, 'x')
    await Promise.all([...'abcde'].map((name) => send(large(name))))
    // More than three would be more bytes than may be under way.
    expect(steps.slice(0, 7)).toEqual([
      ...['1 from a=1', '1 from b=1', '1 from c=1'],
      ...['pause', '1 from d=1', 'pause', '1 from e=1'],
    ])
    expect(steps.filter((step) => step === 'pause')).toHaveLength(5)
  })

  it('that fails leaves the check to the application', async () => {
    const { send } = open({}, undefined, () => Promise.reject(new RangeError('worker')))
    expect((await send('a=1')).code).toBe(0)
  })
})
