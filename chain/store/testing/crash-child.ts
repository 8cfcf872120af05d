import { writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { bytesToHex } from '@coin/base/bytes'
import { openMultiStore } from '../disk-multi-store.js'
import { commitBlock, crashStores } from './crash-blocks.js'

// `crash-child.js <folder> <seed> <snapshotLogBytes> <first height>` commits block after block until it is killed, and prints each
// height and app hash when the store says that it is durable. What ends it otherwise is printed as `failed <code> <message>`.
const [path, seed, snapshotLogBytes, firstHeight] = process.argv.slice(2) as [string, string, string, string]

function fail(error: unknown): void {
  const { code, message } = error as { code?: unknown; message?: unknown }
  writeSync(1, `failed ${String(code)} ${String(message)}\n`)
  process.exit(1)
}

try {
  const store = openMultiStore({
    path,
    stores: crashStores,
    historyBlocks: 30,
    snapshotLogBytes: Number(snapshotLogBytes),
    onFailure: (error) => writeSync(1, `onFailure ${error.message}\n`),
  })
  for (let height = store.height === 0 ? Number(firstHeight) : store.height + 1; ; height++) {
    const appHash = commitBlock(store, Number(seed), height)
    writeSync(1, `${height} ${bytesToHex(appHash)}\n`)
    // Sometimes the thread that writes the values is waited for, sometimes it falls behind.
    if (height % 7 < 3) await setImmediate()
  }
} catch (error) {
  fail(error)
}
