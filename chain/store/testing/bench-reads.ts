import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import { createRandom } from '@coin/base/testing/random'
import { sha256 } from '@coin/wire/sha256'
import { openMultiStore } from '../disk-multi-store.js'
import { finishProof } from '../proof.js'
import { openStateReads, type StateReads } from '../state-reads.js'
import { whenWritten } from './uniform-blocks.js'

// What reads from another thread cost: `node chain/store/dist/testing/bench-reads.js [keys]`, default 1,000,000. Then 110 blocks of
// 4,000 updates each, and the same reads at the last height and behind it.

const count = Number(process.argv[2] ?? 1_000_000)
const random = createRandom(5)
const alive = setInterval(() => {}, 1000) // the writer alone does not keep the process
const path = mkdtempSync(join(tmpdir(), 'coin-bench-reads-'))

function say(what: string, runs: number, run: () => void): void {
  const begin = performance.now()
  for (let left = runs; left > 0; left--) run()
  const us = ((performance.now() - begin) * 1000) / runs
  process.stdout.write(`${what}: ${us.toFixed(us < 100 ? 2 : 0)} us, ${Math.round(1e6 / us)} a second\n`)
}

/** Keys as bank keeps balances: prefix, length, address, denom. */
function balanceKey(i: number): Bytes {
  const key = new Uint8Array(27)
  key.set([2, 20])
  key.set(sha256(utf8ToBytes(String(i))).subarray(0, 20), 2)
  key.set(utf8ToBytes('ucoin'), 22)
  return key
}

function measure(reads: StateReads): void {
  const any = () => balanceKey(random.int(count))
  const chosen = Array.from({ length: 100_000 }, any)
  let next = 0
  const key = () => chosen[next++ % chosen.length]!
  const latest = reads.refresh()
  const bank = reads.committed().store('bank')
  say('get of a random key', 200_000, () => bank.get(key()))
  say('first 10 entries from a random key', 20_000, () => {
    let left = 10
    for (const _entry of bank.iterate(key(), undefined)) if (--left === 0) break
  })
  say('refresh', 50_000, () => reads.refresh())
  say('refresh and 12 gets', 20_000, () => {
    reads.refresh()
    const store = reads.committed().store('bank')
    for (let left = 12; left > 0; left--) store.get(key())
  })
  for (const back of [1, 10, 100]) {
    reads.refresh()
    const begin = performance.now()
    reads
      .at(latest - back)
      .store('bank')
      .get(key())
    process.stdout.write(`${back} back, the first get of this thread: ${(performance.now() - begin).toFixed(2)} ms\n`)
    say(`${back} back, a view and a get`, 300, () =>
      reads
        .at(latest - back)
        .store('bank')
        .get(key()),
    )
    const old = reads.at(latest - back).store('bank')
    say(`${back} back, a get`, 20_000, () => old.get(key()))
    say(`${back} back, first 10 entries from a random key`, 300, () => {
      let left = 10
      for (const _entry of old.iterate(key(), undefined)) if (--left === 0) break
    })
  }
}

const store = openMultiStore({ path, stores: ['bank', 'wasm'], snapshotLogBytes: Number.POSITIVE_INFINITY })
const commit = async (keys: Iterable<number>) => {
  const branch = store.branch()
  for (const i of keys) branch.store('bank').set(balanceKey(i), utf8ToBytes(String(random.int(1e12))))
  store.stage(branch, store.height + 1)
  store.commit()
  await whenWritten(store, store.height)
}
try {
  for (let from = 0; from < count; from += 50_000)
    await commit(Array.from({ length: Math.min(50_000, count - from) }, (_, i) => from + i))
  for (let block = 0; block < 110; block++) await commit(Array.from({ length: 4000 }, () => random.int(count)))
  const reads = openStateReads({ path })
  measure(reads)
  say('provePath of a random key', 5000, () => store.provePath(store.height - 1, 'bank', balanceKey(random.int(count))))
  const proven = store.provePath(store.height - 1, 'bank', balanceKey(1))
  say('finishProof', 5000, () => finishProof(proven, (key) => key))
  await reads.close()
} finally {
  await store.close()
  clearInterval(alive)
  rmSync(path, { recursive: true, force: true })
}
