import { emptyBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ReaderListeners } from './reader.js'
import type { ReaderJob } from './reader-jobs.js'
import { createReaderPool, type ReaderPool } from './reader-pool.js'

/** A reader that answers when the test says so. */
interface ToldReader {
  jobs: readonly ReaderJob[]
  isStopped: boolean
  /** Answers these jobs of its batch, by their index. */
  answer(indexes: readonly number[], isLast: boolean): void
}

let readers: ToldReader[]
let pool: ReaderPool

beforeEach(async () => {
  readers = []
  const notAsked = () => Promise.reject(new TypeError('not asked in this test'))
  const app = { dataDir: '', chainId: '', bech32Prefix: 'coin', denom: 'ucoin', minGasPrices: '' }
  const ports = { app, logger: silentLogger, height: () => 1, pendingFor: notAsked, provePath: notAsked }
  pool = await createReaderPool({ ...ports, readers: 2 }, (_, listeners) => startTold(listeners))
})

afterEach(() => pool.close())

function startTold({ ready, answered }: ReaderListeners) {
  const told: ToldReader = {
    jobs: [],
    isStopped: false,
    answer: (indexes, isLast) =>
      answered(
        indexes.map((index) => ({ index, result: { response: emptyBytes, height: index } })),
        isLast,
      ),
  }
  readers.push(told)
  queueMicrotask(() => ready([]))
  return {
    ask(jobs: readonly ReaderJob[]) {
      told.jobs = jobs
    },
    stopAfterCurrent() {
      told.isStopped = true
      return 1 // it is at the first of its batch
    },
    terminate: async () => undefined,
    close: async () => undefined,
  }
}

const ask = (method: string) => Promise.resolve(pool.query(method, emptyBytes, 1)).then(() => method)
const methodsOf = ({ jobs }: ToldReader) => jobs.map((job) => (job.kind === 'abci' ? job.request.path : job.method))

it('many waiting queries are shared out among the readers', async () => {
  await Promise.resolve()
  const answers = ['held', 'held', ...Array.from({ length: 50 }, (_, n) => `q${n}`)].map(ask)
  for (const answer of answers) answer.catch(() => undefined) // most are asked in vain
  const [first, second] = readers as [ToldReader, ToldReader]
  expect([...readers].map((reader) => reader.jobs.length)).toEqual([1, 1])
  first.answer([0], true)
  expect(methodsOf(first)).toEqual(Array.from({ length: 16 }, (_, n) => `q${n}`))
  second.answer([0], true)
  expect(methodsOf(second)).toEqual(Array.from({ length: 16 }, (_, n) => `q${16 + n}`))
  first.answer([0, 1, 2], false)
  expect(await Promise.all(answers.slice(0, 5))).toEqual(['held', 'held', 'q0', 'q1', 'q2'])
})

it('what is behind a slow query in its batch goes to another reader', async () => {
  await Promise.resolve()
  const held = [ask('held'), ask('held')]
  const slow = ask('slow')
  const others = ['a', 'b', 'c'].map(ask)
  const [first, second] = readers as [ToldReader, ToldReader]
  first.answer([0], true)
  expect(methodsOf(first)).toEqual(['slow', 'a'])
  second.answer([0], true)
  second.answer([0], true)
  expect(methodsOf(second)).toEqual(['c'])
  second.answer([0], true)
  expect(await Promise.all([...held, ...others.slice(1)])).toEqual(['held', 'held', 'b', 'c'])
  await expect.poll(() => methodsOf(second)).toEqual(['a'])
  expect([first.isStopped, second.isStopped]).toEqual([true, false])
  second.answer([0], true)
  expect(await others[0]).toBe('a')
  // The slow one comes to its end; its reader is free again.
  first.answer([0], false)
  first.answer([], true)
  expect(await slow).toBe('slow')
  const more = ask('more')
  expect(methodsOf(first)).toEqual(['more'])
  first.answer([0], true)
  expect(await more).toBe('more')
})
