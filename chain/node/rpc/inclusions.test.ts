import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import type { BlockListener } from '@coin/engine/embedded/engine'
import { memoryKvDatabase } from '@coin/store/kv-database'
import { sha256 } from '@coin/wire/sha256'
import { describe, expect, it } from 'vitest'
import { createEventChain } from '../testing/event-chain.js'
import { createInclusions } from './inclusions.js'

const bytes = utf8ToBytes('tx')
const hash = sha256(bytes)
const name = bytesToHex(hash).toUpperCase()

function open() {
  const chain = createEventChain(memoryKvDatabase())
  const listeners = new Set<BlockListener>()
  const waiting = new Set<string>()
  const inclusions = createInclusions({
    consensus: {
      areWaiting: (hashes: readonly Uint8Array[]) => ({
        height: chain.blocks.height(),
        waiting: hashes.map((asked) => waiting.has(bytesToHex(asked))),
      }),
    } as never,
    onBlock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  const addBlock = (...txs: readonly Uint8Array[]) => {
    const committed = chain.add(txs.map((it) => ({ bytes: it, code: 4 })))
    for (const listener of listeners) listener(committed)
  }
  return { inclusions, waiting, listeners, addBlock }
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
