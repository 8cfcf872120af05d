import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { createReadingStores, historyBlocks } from './testing/reading-stores.js'
import { commitUniform, type ReaderJob, type ReaderMessage, whenWritten } from './testing/uniform-blocks.js'

const { newFolder, openStore, openReads, onClose, closeAll } = createReadingStores()

afterEach(closeAll)

describe('a reading thread', () => {
  function startReader(path: string, isPinned: boolean) {
    const stop = new Int32Array(new SharedArrayBuffer(4))
    const job: ReaderJob = { path, stop, isPinned, mostBack: historyBlocks }
    const worker = new Worker(new URL('./testing/state-reader.js', import.meta.url), { workerData: job })
    const ended = once(worker, 'exit') // rejects with what the thread throws
    onClose(() => {
      Atomics.store(stop, 0, 1)
      return ended
    })
    const failed = ended.then((): never => {
      throw new RangeError('the thread has ended')
    })
    failed.catch(() => {})
    let last = 0
    worker.on('message', (message: ReaderMessage) => {
      if ('height' in message) last = message.height
    })
    /** Resolves when the thread has read a height from `height` on. */
    const whenRead = async (height: number) => {
      while (last < height) await Promise.race([once(worker, 'message'), failed])
    }
    /** Ends the thread and answers what it has seen. */
    const stopped = async () => {
      Atomics.store(stop, 0, 1)
      for (;;) {
        const [message] = (await Promise.race([once(worker, 'message'), failed])) as [ReaderMessage]
        if ('seen' in message) return message
      }
    }
    return { worker, whenRead, stopped }
  }

  it('sees each height whole while blocks are written, never goes back, and finds old ones as they were', async () => {
    const path = newFolder()
    const disk = openStore(path)
    commitUniform(disk, 1)
    await whenWritten(disk, 1)
    const { whenRead, stopped } = startReader(path, false)
    for (let height = 2; height <= 60; height++) {
      commitUniform(disk, height)
      if (height % 6 === 0) {
        await whenWritten(disk, height)
        await whenRead(height)
      }
    }
    const { seen, oldReads } = await stopped()
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(seen.length).toBeGreaterThan(9)
    expect(seen.at(-1)).toBe(60)
    expect(oldReads).toBeGreaterThan(5)
  })

  it('that is terminated in the middle of a read holds nothing: the file stops growing', async () => {
    const path = newFolder()
    const disk = openStore(path, { historyBlocks: 3 })
    const size = () => statSync(join(path, 'values', 'data.mdb')).size
    let height = 0
    const commitAll = async (count: number) => {
      for (const end = height + count; height < end; ) {
        commitUniform(disk, ++height)
        await whenWritten(disk, height)
      }
      return size()
    }
    const before = await commitAll(20)
    const { worker, whenRead } = startReader(path, true)
    await whenRead(20)
    const pinned = await commitAll(40)
    expect(pinned).toBeGreaterThan(before + 20 * 4096)
    await worker.terminate()
    const freed = await commitAll(60)
    expect(freed).toBeLessThanOrEqual(pinned + 40 * 4096)
    const reads = openReads(path)
    expect(reads.refresh()).toBe(120)
  })
})
