import type { MessagePort } from 'node:worker_threads'
import { CodedError } from '@coin/base/errors'
import type { Awaitable } from '../ports.js'

/** A thread does so many milliseconds of calls at once; then everything else that is due has its turn, a block for example. */
const sliceMs = 5

/** What one thread does for another: arguments and results are cloned, so they are plain data. */
export type ThreadApi = { readonly [name: string]: (argument: never) => Awaitable<unknown> }

type Argument<Api extends ThreadApi, Name extends keyof Api> = Parameters<Api[Name]>[0]
type Result<Api extends ThreadApi, Name extends keyof Api> = Awaited<ReturnType<Api[Name]>>

/** One message carries all that came up in a turn of the event loop: a message wakes the other thread, a call does not. */
interface Batch {
  readonly calls?: readonly Call[]
  readonly answers?: readonly Answer[]
}

type Call = readonly [id: number, name: string, argument: unknown]
type Answer = readonly [id: number, isGood: boolean, value: unknown]

interface Waiter {
  resolve(value: never): void
  reject(error: Error): void
}

/** A failure as it travels. */
export interface Failure {
  readonly codespace?: string
  readonly code?: number
  readonly message: string
}

export interface Caller<Api extends ThreadApi> {
  /** Rejects with the `CodedError` that the other thread threw, and for anything else there with what `lost` makes of its text. */
  call<Name extends keyof Api & string>(name: Name, argument: Argument<Api, Name>): Promise<Result<Api, Name>>
  /** The other thread is gone: everything that waits is rejected, and so is every call from now on. */
  end(reason: Error): void
}

/**
 * Calls another thread, which serves with `serveCalls`.
 *
 * @example
 * const caller = createCaller<{ double(n: number): number }>(worker, (text) => status('internal', text))
 * await caller.call('double', 4) // 8
 */
export function createCaller<Api extends ThreadApi>(port: MessagePort, lost: (text: string) => Error): Caller<Api> {
  const waiting = new Map<number, Waiter>()
  const settle = (id: number, act: (waiter: Waiter) => void) => {
    const waiter = waiting.get(id)
    waiting.delete(id)
    if (waiter !== undefined) act(waiter)
  }
  const outbox = createOutbox<Call>(
    (calls) => port.postMessage({ calls } satisfies Batch),
    ([id], error) => settle(id, ({ reject }) => reject(error)),
  )
  let lastId = 0
  let ended: Error | undefined
  port.on('message', ({ answers }: Batch) => {
    for (const [id, isGood, value] of answers ?? []) {
      settle(id, ({ resolve, reject }) => {
        if (isGood) resolve(value as never)
        else reject(toError(value as Failure, lost))
      })
    }
  })
  return {
    call(name, argument) {
      if (ended !== undefined) return Promise.reject(ended)
      const id = ++lastId
      outbox.add([id, name, argument])
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
    },
    end(reason) {
      ended ??= reason
      for (const { reject } of waiting.values()) reject(ended)
      waiting.clear()
    },
  }
}

/**
 * Answers the calls that come in on `port`, in order, a few milliseconds of them at once. What is thrown and is no `CodedError`, and
 * an answer that cannot travel, is told to `onBug` and travels as a text.
 */
export function serveCalls(port: MessagePort, api: ThreadApi, onBug: (error: unknown) => void): void {
  const fail = (id: number, error: unknown) => {
    if (!(error instanceof CodedError)) onBug(error)
    outbox.add([id, false, toFailure(error)])
  }
  const outbox = createOutbox<Answer>(
    (answers) => port.postMessage({ answers } satisfies Batch),
    ([id], error) => fail(id, error),
  )
  const answer = ([id, name, argument]: Call) => {
    try {
      const result = api[name]!(argument as never)
      if (result instanceof Promise)
        result.then(
          (value: unknown) => outbox.add([id, true, value]),
          (error: unknown) => fail(id, error),
        )
      else outbox.add([id, true, result])
    } catch (error) {
      fail(id, error)
    }
  }
  const work = createWork(answer)
  port.on('message', ({ calls }: Batch) => work.add(calls ?? []))
}

/** Does one thing after the other, in slices. */
function createWork<T>(act: (item: T) => void): { add(items: readonly T[]): void } {
  let queue: (readonly T[])[] = []
  let done = 0
  let isRunning = false
  function run(): void {
    const end = performance.now() + sliceMs
    while (queue.length > 0) {
      const [items] = queue as [readonly T[]]
      while (done < items.length) {
        act(items[done++]!)
        if (performance.now() < end) continue
        setImmediate(run)
        return
      }
      queue = queue.slice(1)
      done = 0
    }
    isRunning = false
  }
  return {
    add(items) {
      queue.push(items)
      if (isRunning) return
      isRunning = true
      run()
    },
  }
}

/** Gathers what comes up until the event loop has gone through all that is there to read. `refuse` is told what cannot be sent. */
function createOutbox<T>(
  send: (items: readonly T[]) => void,
  refuse: (item: T, error: Error) => void,
): { add(item: T): void } {
  let items: T[] = []
  const deliver = (some: readonly T[]): void => {
    try {
      send(some)
    } catch (error) {
      // One of them cannot be cloned, or all together are too much.
      if (some.length === 1) refuse(some[0]!, error as Error)
      else for (const item of some) deliver([item])
    }
  }
  const flush = () => {
    const all = items
    items = []
    deliver(all)
  }
  return {
    add(item) {
      if (items.length === 0) setImmediate(flush)
      items.push(item)
    },
  }
}

export function toFailure(error: unknown): Failure {
  if (error instanceof CodedError) return { codespace: error.codespace, code: error.code, message: error.message }
  return { message: error instanceof Error ? error.message : String(error) }
}

export function toError({ codespace, code, message }: Failure, lost: (text: string) => Error): Error {
  return codespace === undefined || code === undefined ? lost(message) : new CodedError(codespace, code, message)
}
