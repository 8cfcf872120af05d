import { MessageChannel } from 'node:worker_threads'
import { CodedError } from '@coin/base/errors'
import { afterEach, describe, expect, it } from 'vitest'
import { type Caller, createCaller, serveCalls } from './calls.js'

type Api = {
  double(n: bigint): bigint
  later(bytes: Uint8Array): Promise<Uint8Array>
  refuse(text: string): never
  break(text: string): Promise<never>
  spin(ms: number): void
  leak(argument: unknown): unknown
}

let close: () => void = () => undefined
afterEach(() => close())

function open(): { caller: Caller<Api>; bugs: unknown[]; messages: () => number } {
  const { port1, port2 } = new MessageChannel()
  close = () => port1.close()
  const bugs: unknown[] = []
  let messages = 0
  port2.on('message', () => messages++)
  serveCalls(
    port2,
    {
      double: (n: bigint) => 2n * n,
      later: async (bytes: Uint8Array) => bytes.map((byte) => byte + 1),
      refuse(text: string) {
        throw new CodedError('sdk', 5, text)
      },
      spin(ms: number) {
        for (const end = performance.now() + ms; performance.now() < end; );
      },
      leak: () => () => 'a function cannot be cloned',
      break: (text: string) => Promise.reject(new RangeError(text)),
    },
    (bug) => bugs.push(bug),
  )
  const caller = createCaller<Api>(port1, (text) => new CodedError('grpc', 13, `lost: ${text}`))
  return { caller, bugs, messages: () => messages }
}

describe('calls to another thread', () => {
  it('are answered, also when the answer takes its time', async () => {
    const { caller } = open()
    const answers = await Promise.all([caller.call('later', Uint8Array.of(1, 2)), caller.call('double', 2n ** 70n)])
    expect(answers).toEqual([Uint8Array.of(2, 3), 2n ** 71n])
  })

  it('of one turn travel in one message', async () => {
    const { caller, messages } = open()
    await Promise.all(Array.from({ length: 50 }, (_, n) => caller.call('double', BigInt(n))))
    expect(messages()).toBe(1)
  })

  it('fail as they failed there', async () => {
    const { caller, bugs } = open()
    await expect(caller.call('refuse', 'too little')).rejects.toMatchObject({
      codespace: 'sdk',
      code: 5,
      message: 'too little',
    })
    expect(bugs).toEqual([])
    await expect(caller.call('break', 'bug')).rejects.toMatchObject({ codespace: 'grpc', message: 'lost: bug' })
    expect(bugs).toHaveLength(1)
  })

  it('give way to everything else that is due', async () => {
    const { caller } = open()
    const order: string[] = []
    const calls = Array.from({ length: 40 }, async (_, n) => {
      await caller.call('spin', 2)
      order.push(String(n))
    })
    const timer = setInterval(() => order.push('timer'), 1)
    await Promise.all(calls)
    clearInterval(timer)
    expect(order.filter((name) => name !== 'timer')).toEqual(Array.from({ length: 40 }, (_, n) => String(n)))
    expect(order.filter((name) => name === 'timer').length).toBeGreaterThan(5)
  })

  it('that cannot travel, or whose answer cannot, fail alone', async () => {
    const { caller, bugs } = open()
    const [first, argument, answer, last] = await Promise.allSettled([
      caller.call('double', 1n),
      caller.call('leak', () => 1),
      caller.call('leak', 1),
      caller.call('double', 2n),
    ])
    expect([first, last]).toEqual([
      { status: 'fulfilled', value: 2n },
      { status: 'fulfilled', value: 4n },
    ])
    expect(argument).toMatchObject({ status: 'rejected', reason: { name: 'DataCloneError' } })
    expect(answer).toMatchObject({ status: 'rejected', reason: { codespace: 'grpc' } })
    expect(bugs).toHaveLength(1)
  })

  it('are rejected once the other thread is gone', async () => {
    const { caller } = open()
    const waiting = caller.call('double', 1n)
    caller.end(new CodedError('grpc', 14, 'the node is stopping'))
    await expect(waiting).rejects.toThrow('the node is stopping')
    await expect(caller.call('double', 1n)).rejects.toThrow('the node is stopping')
  })
})
