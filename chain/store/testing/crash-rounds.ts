import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { assert } from '@coin/base/assert'
import { bytesToHex } from '@coin/base/bytes'
import { createRandom } from '@coin/base/testing/random'
import { openMultiStore } from '../disk-multi-store.js'
import type { KvRead } from '../kv.js'
import { memoryMultiStore } from '../memory-multi-store.js'
import type { MultiStore } from '../multi-store.js'
import { commitBlock, crashStores } from './crash-blocks.js'

export interface CrashRounds {
  readonly path: string
  readonly seed: number
  readonly rounds: number
  readonly firstHeight: number
  readonly snapshotLogBytes: number
  /** Of the time from the first block to the kill. */
  readonly lifeMsMax: number
}

/** Height and app hash as the child acknowledged them, and whatever else it said. */
export function parseOutput(output: string): { readonly acknowledged: Map<number, string>; readonly rest: string[] } {
  const acknowledged = new Map<number, string>()
  const rest: string[] = []
  // The last line may be cut off.
  for (const line of output.split('\n').slice(0, -1)) {
    const [, height, hash] = /^(\d+) ([0-9a-f]{64})$/.exec(line) ?? []
    if (height === undefined) rest.push(line)
    else acknowledged.set(Number(height), hash!)
  }
  return { acknowledged, rest }
}

/** Runs a child that commits blocks, kills it at a random moment and answers what it had acknowledged. */
async function liveAndDie({ path, seed, snapshotLogBytes, firstHeight }: CrashRounds, lifeMs: number): Promise<string> {
  const script = new URL('./crash-child.js', import.meta.url).pathname
  const args = [script, path, seed, snapshotLogBytes, firstHeight].map(String)
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let output = ''
  child.stdout.on('data', (data: Buffer) => {
    output += data
  })
  await Promise.race([once(child.stdout, 'data'), exited])
  await setTimeout(lifeMs)
  child.kill('SIGKILL')
  await exited
  return output
}

/**
 * Kills a chain again and again. After each kill the store is opened here: it has every acknowledged block and at most one more,
 * its app hashes are those of a twin in memory that repeats the blocks, and so are its values, now and at an older height.
 * Answers the number of blocks and of acknowledged ones.
 */
export async function playCrashes(options: CrashRounds): Promise<{ blocks: number; acknowledged: number }> {
  const random = createRandom(options.seed)
  const twin = memoryMultiStore({ stores: crashStores, historyBlocks: 30 })
  let total = 0
  for (let round = 0; round < options.rounds; round++) {
    const { acknowledged, rest } = parseOutput(await liveAndDie(options, random.int(options.lifeMsMax)))
    assert(rest.length === 0, `round ${round}: ${rest.join('; ')}`)
    const { path, snapshotLogBytes } = options
    const store = openMultiStore({ path, stores: crashStores, historyBlocks: 30, snapshotLogBytes })
    try {
      checkRound(store, twin, acknowledged, options)
    } finally {
      await store.close()
    }
    total += acknowledged.size
  }
  return { blocks: twin.height - options.firstHeight + 1, acknowledged: total }
}

function checkRound(
  store: MultiStore,
  twin: MultiStore,
  acknowledged: Map<number, string>,
  options: CrashRounds,
): void {
  const last = Math.max(twin.height, ...acknowledged.keys())
  const next = last === 0 ? options.firstHeight : last + 1
  assert(store.height === last || store.height === next, `acknowledged ${last}, found ${store.height}`)
  while (twin.height < store.height) {
    const height = twin.height === 0 ? options.firstHeight : twin.height + 1
    const appHash = bytesToHex(commitBlock(twin, options.seed, height))
    const told = acknowledged.get(height)
    assert(told === appHash || (told === undefined && height > last), `height ${height}: ${told}, expected ${appHash}`)
  }
  assert(bytesToHex(store.appHash) === bytesToHex(twin.appHash), `app hash at ${store.height}`)
  const { earliest, latest } = store.available()
  for (const height of new Set([latest, Math.max(earliest, latest - 7)])) {
    for (const name of crashStores) {
      const same = contents(store.at(height).store(name)) === contents(twin.at(height).store(name))
      assert(same, `values of ${name} at ${height}`)
    }
  }
}

function contents(store: KvRead): string {
  const entries = [...store.iterate(undefined, undefined)]
  return entries.map(([key, value]) => `${bytesToHex(key)}=${bytesToHex(value)}`).join()
}
