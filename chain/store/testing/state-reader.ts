import { parentPort, workerData } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import { createRandom } from '@coin/base/testing/random'
import type { StateRead } from '../kv.js'
import { openStateReads } from '../state-reads.js'
import { heightShown, type ReaderJob, type ReaderMessage } from './uniform-blocks.js'

// A thread that reads the state of a running multi-store and never goes back to the event loop. Every block of `commitUniform`
// gives all keys the same value, its height, so any mixture of two heights shows.
const { path, stop, isPinned, mostBack } = workerData as ReaderJob
const reads = openStateReads({ path })
const random = createRandom(17)
const seen: number[] = []

const answer = (message: ReaderMessage) => parentPort!.postMessage(message)

function check(state: StateRead, height: number): void {
  const shown = heightShown(state, random.int(2) === 0)
  assert(shown === height, `height ${height} shows ${shown}`)
}

reads.refresh()
let oldReads = 0
while (Atomics.load(stop, 0) === 0) {
  const height = isPinned ? reads.height : reads.refresh()
  if (height > 0) {
    check(reads.committed(), height)
    const { earliest, latest } = reads.available()
    const old = latest - random.int(Math.min(mostBack, latest - earliest) + 1)
    check(reads.at(old), old)
    check(reads.branch(), height)
    if (old < latest) oldReads++
    if (seen.at(-1) === height) continue
    seen.push(height)
    answer({ height })
  }
}
answer({ seen, oldReads })
await reads.close()
