import type { Bytes } from '@coin/base/bytes'
import type { RootDatabase } from 'lmdb'

/**
 * Runs one call into a database. Native code does not survive that its thread is ended in the middle of it: the whole process aborts. A
 * thread that is ended from outside learns by this when it must not be.
 */
export type RunCall = <T>(call: () => T) => T

const plainCalls = ['get', 'getBinary', 'doesExist', 'ensureReadTxn', 'resetReadTxn', 'close'] as const
const rangeCalls = ['getRange', 'getKeys'] as const

type Methods = Record<string, (...args: readonly unknown[]) => unknown>

/** Lets every read of `db` go through `run`. */
export function guardCalls(db: RootDatabase<Bytes, Bytes>, run: RunCall): void {
  const methods = db as unknown as Methods
  for (const name of plainCalls) {
    const call = methods[name]!.bind(db)
    methods[name] = (...args) => run(() => call(...args))
  }
  for (const name of rangeCalls) {
    const call = methods[name]!.bind(db)
    methods[name] = (...args) => guardRange(run(() => call(...args)) as Iterable<unknown>, run)
  }
}

function guardRange(range: Iterable<unknown>, run: RunCall): Iterable<unknown> {
  return {
    [Symbol.iterator]() {
      const iterator = run(() => range[Symbol.iterator]())
      return {
        next: () => run(() => iterator.next()),
        return: (value?: unknown) => run(() => iterator.return?.(value) ?? { done: true, value }),
      }
    },
  }
}
