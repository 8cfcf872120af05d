import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { endThread, newEndFlags } from './ending.js'

/** A thread that does nothing but calls of ten milliseconds, as native code that must not be ended; says when it is in one. */
const program = `
const { parentPort, workerData: { flags, inside, module } } = require('node:worker_threads')
import(module).then(({ createEnding }) => {
  const ending = createEnding(flags)
  const spin = (ms) => { for (const end = performance.now() + ms; performance.now() < end; ); }
  parentPort.on('message', (message) => {
    if (message === 'close') return parentPort.close()
    ending.mayEnd(() => {
      for (let n = 0; n < message.calls; n++) {
        ending.run(() => {
          Atomics.store(inside, 0, 1)
          ending.run(() => spin(message.spinMs))
          Atomics.store(inside, 0, 0)
        })
      }
      for (; message.isEndless; );
    })
    parentPort.postMessage('done')
  })
  parentPort.postMessage('ready')
})
`

function start() {
  const flags = newEndFlags()
  const inside = new Int32Array(new SharedArrayBuffer(4))
  const module = new URL('./ending.js', import.meta.url).href
  const worker = new Worker(program, { eval: true, workerData: { flags, inside, module } })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const told = (what: string) =>
    new Promise<void>((resolve) => worker.on('message', (message) => message === what && resolve()))
  return {
    worker,
    inside,
    told,
    end() {
      worker.postMessage('close')
      return endThread(worker, flags, exited)
    },
  }
}

describe('a thread that is ended', () => {
  it('is never in the middle of a call', async () => {
    for (let round = 0; round < 10; round++) {
      const { worker, inside, told, end } = start()
      await told('ready')
      worker.postMessage({ calls: 10_000, spinMs: 10 })
      while (Atomics.load(inside, 0) === 0) await new Promise(setImmediate)
      await end()
      expect(Atomics.load(inside, 0)).toBe(0)
    }
  })

  it('may be in the middle of anything else, or do nothing', async () => {
    const endless = start()
    await endless.told('ready')
    endless.worker.postMessage({ calls: 1, spinMs: 1, isEndless: true })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await endless.end()
    const idle = start()
    await idle.told('ready')
    idle.worker.postMessage({ calls: 1, spinMs: 1 })
    await idle.told('done')
    await idle.end()
    const fresh = start()
    await fresh.end()
  })
})
