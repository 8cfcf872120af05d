import { describe, expect, it } from 'vitest'
import { openReaderChain } from '../testing/reader-chain.js'
import { createPendingFor } from './pending-values.js'
import { Turns } from './turns.js'

describe('turns', () => {
  it('let a few works run at one time, in order, also when some fail', async () => {
    const turns = new Turns(3)
    const ends: ((isGood: boolean) => void)[] = []
    const begun: number[] = []
    const works = Array.from({ length: 7 }, (_, n) =>
      turns.take(() => {
        begun.push(n)
        return new Promise<number>((resolve, reject) => ends.push((isGood) => (isGood ? resolve(n) : reject(n))))
      }),
    )
    const outcomes = Promise.allSettled(works)
    for (let ended = 0; ended < 7; ended++) {
      expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6].slice(0, ended + 3))
      ends[ended]!(ended % 2 === 0)
      await new Promise(setImmediate)
    }
    const kinds = (await outcomes).map(({ status }) => status === 'fulfilled')
    expect(kinds).toEqual([true, false, true, false, true, false, true])
    expect(await turns.take(async () => 'free again')).toBe('free again')
  })
})

describe('what a simulation asks of the thread that makes blocks', () => {
  it('is nothing for a transaction that no mempool takes', async () => {
    const asked: number[] = []
    const store = { height: 1, written: 1, onWritten: () => () => undefined }
    const app = {
      pendingFor(tx: Uint8Array) {
        asked.push(tx.length)
        return []
      },
    }
    const pendingFor = createPendingFor(app, store)
    await expect(pendingFor(new Uint8Array(1_048_577))).rejects.toThrow(
      'the transaction has 1048577 bytes, this node takes at most 1048576',
    )
    expect(await pendingFor(new Uint8Array(1_048_576))).toEqual([])
    expect(asked).toEqual([1_048_576])
  })

  it('is asked for a few at a time, and not for clients that wait no more', async () => {
    let asked = 0
    const test = await openReaderChain({
      readers: 2,
      deadlineMs: 300,
      pendingFor: () => {
        asked++
        return new Promise(() => undefined)
      },
    })
    try {
      await test.block()
      const request = { path: '/app/simulate', data: Uint8Array.of(1), height: 0, prove: false }
      const answers = await Promise.all(Array.from({ length: 50 }, () => test.pool.abci(request)))
      expect(answers.map(({ log }) => log)).toEqual(Array(50).fill(expect.stringContaining("this node's limit")))
      expect(asked).toBe(8)
    } finally {
      await test.close()
    }
  })
})

describe('an answer', () => {
  it('comes when clients are told of its block; what names a height does not wait', async () => {
    let told = 0
    const waiting: (() => void)[] = []
    const test = await openReaderChain({
      readers: 2,
      height: () => told,
      reached: (height) => {
        expect(height).toBe(2)
        return new Promise((resolve) => waiting.push(resolve))
      },
    })
    try {
      await test.block()
      await test.block()
      told = 1
      const supply = '/cosmos.bank.v1beta1.Query/TotalSupply'
      const version = { path: '/app/version', data: new Uint8Array(0), prove: false }
      expect(await test.pool.query(supply, new Uint8Array(0), 1)).toMatchObject({ height: 1 })
      expect(await test.pool.abci({ ...version, height: 1e15 })).toMatchObject({ code: 0 })
      const order: string[] = []
      const last = async () =>
        order.push(`answer ${(await test.pool.query(supply, new Uint8Array(0), undefined)).height}`)
      const raw = async () => order.push(`answer ${(await test.pool.abci({ ...version, height: 0 })).height}`)
      const answers = [last(), raw()]
      while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
      order.push('told')
      for (const resolve of waiting) resolve()
      await Promise.all(answers)
      expect(order).toEqual(['told', 'answer 2', 'answer 2'])
    } finally {
      await test.close()
    }
  })
})
