import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { afterEach, describe, expect, it } from 'vitest'
import { openMultiStore } from './disk-multi-store.js'
import { inspectState } from './inspect.js'
import type { MultiStore } from './multi-store.js'
import { rollbackState } from './rollback.js'

const made: string[] = []
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

/** `onSnapshot` is called when one was written. */
function open(path: string, snapshotBlocks = 1000, onSnapshot = () => {}): MultiStore {
  const info = (_: object, message: string) => message.startsWith('snapshot') && onSnapshot()
  return openMultiStore({ path, stores: ['a', 'b'], snapshotBlocks, logger: { ...silentLogger, info } })
}
const longKey = new Uint8Array(3000).fill(7)

/** A block that sets, changes and deletes, short keys and a long one. */
function makeBlock(store: MultiStore, height: number): void {
  const branch = store.branch()
  const a = branch.store('a')
  a.set(utf8ToBytes(`key ${height}`), utf8ToBytes(`value ${height}`))
  a.set(utf8ToBytes('changed'), utf8ToBytes(String(height)))
  if (height % 3 === 0) a.delete(utf8ToBytes(`key ${height - 2}`))
  if (height % 2 === 0) branch.store('b').set(longKey, utf8ToBytes(String(height)))
  else if (height > 2) branch.store('b').delete(longKey)
  store.stage(branch, height)
  store.commit()
}

function contentsOf(store: MultiStore): readonly string[] {
  return ['a', 'b'].flatMap((name) =>
    [...store.committed().store(name).iterate(undefined, undefined)].map(
      ([key, value]) => `${name} ${bytesToHex(key).slice(0, 40)} ${bytesToHex(value)}`,
    ),
  )
}

const stateOf = (store: MultiStore) => ({ hash: bytesToHex(store.appHash), contents: contentsOf(store) })

/** A state of so many blocks; answers what it was after each. */
async function makeState(blocks: number, snapshotBlocks?: number) {
  const path = mkdtempSync(join(tmpdir(), 'rollback-'))
  made.push(path)
  let onSnapshot = () => {}
  const store = open(path, snapshotBlocks, () => onSnapshot())
  const states = [stateOf(store)]
  for (let height = 1; height <= blocks; height++) {
    makeBlock(store, height)
    states.push(stateOf(store))
    // Without a turn of the event loop the next one would not begin.
    if (snapshotBlocks !== undefined && height % snapshotBlocks === 0) {
      await new Promise<void>((resolve) => {
        onSnapshot = resolve
      })
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await store.close()
  return { path, states }
}

describe('going back', () => {
  it('gives the state before, block by block, over snapshots and log files, and goes on from there', async () => {
    const { path, states } = await makeState(7, 3)
    expect(inspectState(path).snapshots.map(({ height }) => height)).toEqual([3, 6])
    for (const height of [6, 5, 4]) {
      await rollbackState(path, height)
      await rollbackState(path, height) // done already
      const store = open(path)
      expect(store.height).toBe(height)
      expect(stateOf(store)).toEqual(states[height])
      await store.close()
    }
    expect(inspectState(path).snapshots.map(({ height }) => height)).toEqual([3])
    await expect(rollbackState(path, 3)).rejects.toThrow('the log begins at 4')
    const store = open(path)
    for (let height = 5; height <= 7; height++) makeBlock(store, height)
    expect(stateOf(store)).toEqual(states[7])
    await store.close()
  })

  it('refuses more than one block, and the first one', async () => {
    const { path } = await makeState(3)
    await expect(rollbackState(path, 1)).rejects.toThrow('the log ends at 3')
    await rollbackState(path, 2)
    await rollbackState(path, 1)
    await expect(rollbackState(path, 0)).rejects.toThrow('remove the data folder to begin anew')
  })

  it('refuses when what is left could not be opened', async () => {
    const { path, states } = await makeState(10, 3)
    const [oldest] = inspectState(path).snapshots
    rmSync(join(path, 'snapshots', String(oldest!.height).padStart(15, '0')), { recursive: true })
    await rollbackState(path, 9)
    await expect(rollbackState(path, 8)).rejects.toThrow('no good snapshot is that old')
    const store = open(path)
    expect(stateOf(store)).toEqual(states[9])
    await store.close()
  })
})

describe('an inspection', () => {
  it('sees log and snapshots, and changes nothing', async () => {
    const { path, states } = await makeState(7, 3)
    const { stores, log, snapshots, hasValues } = inspectState(path)
    expect({ stores, snapshots, hasValues }).toEqual({
      stores: ['a', 'b'],
      snapshots: [{ height: 3 }, { height: 6 }],
      hasValues: true,
    })
    expect(log).toMatchObject({ before: 3, first: 4, last: 7, blocks: 4, tornBytes: 0 })
    expect(bytesToHex(log.appHash!)).toBe(states[7]!.hash)
    expect(inspectState(path).log).toEqual(log)
  })
})
