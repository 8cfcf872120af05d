import { expect, it } from 'vitest'
import { describeFuzz, runFuzz } from './fuzz-run.js'

const seed = Number(process.env.COIN_SEED ?? 20261121)
const requests = 100_000

it(`${requests} random requests at all doors harm nothing (seed ${seed})`, { timeout: 600_000 }, async () => {
  const result = await runFuzz({ seed, requests, lanes: 16 })
  const { tally, memory, blocks, longestBlockMs, failures, isAlive, seconds } = result
  const text = describeFuzz(result)
  process.stdout.write(`${text.split('\n').slice(0, 3).join('\n')}\n`)
  expect(isAlive, text).toBe(true)
  expect(tally.internal, text).toEqual([])
  expect(failures, text).toEqual([])
  expect([tally.wrong, tally.cutOff], text).toEqual([[], []])
  expect(blocks, text).toBeGreaterThan(seconds)
  expect(longestBlockMs, text).toBeLessThan(5_000)
  // After a fifth of the requests everything is warm; what comes later would be kept for ever.
  const [, warm = 0] = memory
  expect(memory.at(-1), text).toBeLessThan(warm * 1.25 + 32)
})
