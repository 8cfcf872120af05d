import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import type { BlockListener } from '@coin/engine/embedded/engine'
import { memoryKvDatabase } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'
import { describe, expect, it } from 'vitest'
import { createEventChain } from '../testing/event-chain.js'
import { createInclusions, type InclusionPorts } from './inclusions.js'

const bytes = utf8ToBytes('tx')
const hash = sha256(bytes)
const name = bytesToHex(hash).toUpperCase()

/** Blocks are made (`addBlock`) or, as in a node whose doors are another thread, made first and told of later (`tell`). */
function open(ask?: InclusionPorts['consensus']['areWaiting']) {
  const chain = createEventChain(memoryKvDatabase())
  const listeners = new Set<BlockListener>()
  const waiting = new Set<string>()
  const inclusions = createInclusions({
    consensus: {
      areWaiting:
        ask ??
        ((hashes) => ({
          height: chain.blocks.height(),
          waiting: hashes.map((asked) => waiting.has(bytesToHex(asked))),
        })),
    },
    onBlock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  const makeBlock = (...txs: readonly Uint8Array[]) => chain.add(txs.map((it) => ({ bytes: it, code: 4 })))
  const tell = (committed: ReturnType<typeof makeBlock>) => {
    for (const listener of listeners) listener(committed)
  }
  return {
    inclusions,
    waiting,
    listeners,
    makeBlock,
    tell,
    addBlock: (...txs: Uint8Array[]) => tell(makeBlock(...txs)),
  }
}

describe('who waits for a transaction', () => {
  it('gets its height and result, also when others wait for the same one', async () => {
    const { inclusions, addBlock, listeners } = open()
    const waiters = [inclusions.wait(hash, 1000), inclusions.wait(hash, 1000)]
    addBlock(utf8ToBytes('another'))
    addBlock(utf8ToBytes('another one'), bytes)
    for (const waiter of waiters) {
      expect(await waiter.included).toMatchObject({ height: 2, result: { code: 4 } })
      waiter.end()
    }
    expect(listeners.size).toBe(0)
  })

  it('is told after the time that was given, with the hash to look it up', async () => {
    const { inclusions, listeners } = open()
    const waiter = inclusions.wait(hash, 5)
    await expect(waiter.included).rejects.toThrow(
      `transaction ${name} is in no block after 5 ms: timed out waiting for tx to be included in a block`,
    )
    waiter.end()
    expect(listeners.size).toBe(0)
  })

  it('is told at once when a later block has made it invalid', async () => {
    const { inclusions, addBlock, waiting } = open()
    const waiter = inclusions.wait(hash, 1000)
    addBlock() // CheckTx still runs: not in the mempool yet
    waiting.add(bytesToHex(hash))
    waiter.accepted()
    addBlock()
    waiting.clear()
    addBlock()
    await expect(waiter.included).rejects.toThrow(`transaction ${name}: tx is no longer valid after a later block`)
    waiter.end()
  })

  it('gets its answer also when the mempool lost it to a block that nobody was told of yet', async () => {
    const { inclusions, makeBlock, tell } = open()
    const waiter = inclusions.wait(hash, 1000)
    waiter.accepted()
    const [first, second] = [makeBlock(), makeBlock(bytes)]
    tell(first) // asks, and hears of a mempool after the second block
    await Promise.resolve()
    tell(second)
    expect(await waiter.included).toMatchObject({ height: 2 })
    waiter.end()
  })

  it('is told of its eviction when the blocks up to it are known, and not before', async () => {
    const { inclusions, makeBlock, tell } = open()
    const waiter = inclusions.wait(hash, 1000)
    let outcome = 'waits'
    waiter.included.catch(() => {
      outcome = 'evicted'
    })
    waiter.accepted()
    const made = [makeBlock(), makeBlock(), makeBlock()]
    for (const [index, block] of made.entries()) {
      tell(block)
      await new Promise(setImmediate)
      expect(outcome).toBe(index < 2 ? 'waits' : 'evicted')
    }
    waiter.end()
  })

  it('is told when the thread that makes blocks does not answer any more', async () => {
    const { inclusions, addBlock } = open(() => Promise.reject(new RangeError('the thread has ended')))
    const waiter = inclusions.wait(hash, 1000)
    waiter.accepted()
    addBlock()
    await expect(waiter.included).rejects.toThrow(`transaction ${name}: the thread has ended`)
    waiter.end()
  })

  it('gets the answer of its own transaction among hundreds', async () => {
    const { inclusions, addBlock, listeners } = open()
    const txs = Array.from({ length: 600 }, (_, index) => utf8ToBytes(`tx ${index}`))
    const waiters = txs.map((tx) => inclusions.wait(sha256(tx), 1000))
    for (let from = 0; from < 600; from += 200) addBlock(...txs.slice(from, from + 200))
    const heights = await Promise.all(waiters.map(async ({ included }) => (await included).height))
    expect(heights).toEqual(txs.map((_, index) => 1 + Math.floor(index / 200)))
    for (const waiter of waiters) waiter.end()
    expect(listeners.size).toBe(0)
  })

  it('is asked for once, however many wait for the same transaction', async () => {
    const asked: number[] = []
    const { inclusions, addBlock } = open((hashes) => {
      asked.push(hashes.length)
      return { height: 2, waiting: hashes.map((it) => bytesToHex(it) === bytesToHex(hash)) }
    })
    const waiters = Array.from({ length: 1000 }, () => inclusions.wait(hash, 1000))
    const evicted = inclusions.wait(sha256(hash), 1000)
    for (const waiter of [...waiters, evicted]) waiter.accepted()
    addBlock()
    addBlock()
    await expect(evicted.included).rejects.toThrow('tx is no longer valid')
    expect(asked).toEqual([2, 2])
    for (const waiter of [...waiters, evicted]) waiter.end()
  })

  it('may stop waiting, and nothing is kept', () => {
    const { inclusions, listeners, addBlock } = open()
    const [one, two] = [inclusions.wait(hash, 1000), inclusions.wait(sha256(hash), 1000)]
    one.end()
    expect(listeners.size).toBe(1)
    two.end()
    two.end()
    expect(listeners.size).toBe(0)
    addBlock(bytes)
  })
})
