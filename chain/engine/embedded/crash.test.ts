import { bytesToHex } from '@coin/base/bytes'
import { memoryKvDatabase } from '@coin/store/kv-database'
import { describe, expect, it } from 'vitest'
import { doubleVote } from '../testing/double-vote.js'
import { type Disks, emptyDisks, openEngine, testKey } from '../testing/open-engine.js'
import { simulateTime } from '../testing/simulated-time.js'
import { createTally } from '../testing/tally-application.js'
import { verifyChain } from '../testing/verify-chain.js'
import { memorySignState } from './signer.js'

class Killed extends Error {}

/** Counts everything that leaves a trace outside the process, and dies before or after one of them. */
function killAt(step: number, when: 'before' | 'after') {
  let done = 0
  return {
    done: () => done,
    step<T>(run: () => T): T {
      done++
      if (done === step && when === 'before') throw new Killed()
      const result = run()
      if (done === step && when === 'after') throw new Killed()
      return result
    },
  }
}

function wrap(disks: Disks, killer: ReturnType<typeof killAt>) {
  const app = createTally(disks.tally)
  return {
    disks: {
      ...disks,
      db: {
        ...disks.db,
        batch: (...args: Parameters<Disks['db']['batch']>) => killer.step(() => disks.db.batch(...args)),
      },
      signState: { load: disks.signState.load, save: (state: never) => killer.step(() => disks.signState.save(state)) },
    },
    app: {
      ...app,
      initChain: (request: never) => killer.step(() => app.initChain(request)),
      finalizeBlock: (request: never) => killer.step(() => app.finalizeBlock(request)),
      commit: () => killer.step(() => app.commit()),
    },
  }
}

const blocks = 6

/** Makes blocks with transactions until `blocks` are there or the process is killed. */
async function live(disks: Disks, killer: ReturnType<typeof killAt>, accepted: Map<number, string>): Promise<boolean> {
  const wrapped = wrap(disks, killer)
  try {
    const { engine, send } = openEngine({
      disks: wrapped.disks,
      time: simulateTime(1_700_000_000_000_000_000n + BigInt(accepted.size) * 1_000_000_000n),
      dependencies: { app: wrapped.app },
    })
    engine.onBlock(({ block, blockId }) => accepted.set(block.header.height, bytesToHex(blockId.hash)))
    while (engine.blocks.height() < blocks) {
      const next = engine.blocks.height() + 1
      if (next > 3) engine.addEvidence(doubleVote(engine, testKey, 2)) // known after the first time, whatever was lost
      await send(`once=${next}`)
      await send(`k${next}=1`)
      engine.produceBlock()
    }
    return true
  } catch (error) {
    if (error instanceof Killed) return false
    throw error
  }
}

describe('a kill of the process', () => {
  it.each(['before', 'after'] as const)('%s any step loses no accepted block and breaks no chain', async (when) => {
    const whole = killAt(0, when)
    await live(emptyDisks(), whole, new Map())
    const steps = whole.done()
    expect(steps).toBeGreaterThan(5 * blocks)
    for (let step = 1; step <= steps; step++) {
      const disks = emptyDisks()
      const accepted = new Map<number, string>()
      expect(await live(disks, killAt(step, when), accepted), `step ${step}`).toBe(false)
      expect(await live(disks, killAt(0, when), accepted), `after step ${step}`).toBe(true)
      expectWhole(disks, accepted)
    }
  })

  it('twice in a row, during recovery too, is survived as well', async () => {
    for (let first = 3; first <= 20; first += 2) {
      for (let second = 1; second <= 5; second++) {
        const disks = emptyDisks()
        const accepted = new Map<number, string>()
        await live(disks, killAt(first, 'after'), accepted)
        await live(disks, killAt(second, 'before'), accepted)
        await live(disks, killAt(0, 'after'), accepted)
        expectWhole(disks, accepted)
      }
    }
  })

  it('is noticed by this test when a write is lost', async () => {
    const disks: Disks = { db: memoryKvDatabase(), signState: memorySignState(), tally: emptyDisks().tally }
    const forgetful = { ...disks, db: { ...disks.db, batch: () => {} } }
    await expect(live(forgetful, killAt(0, 'after'), new Map())).rejects.toThrow()
  })
})

function expectWhole(disks: Disks, accepted: ReadonlyMap<number, string>): void {
  const { engine } = openEngine({ disks })
  expect(engine.blocks.height()).toBe(blocks)
  expect(verifyChain(engine.blocks, 'tally-1')).toBe(blocks)
  for (const [height, hash] of accepted) expect(bytesToHex(engine.blocks.meta(height)!.blockId.hash)).toBe(hash)
  expect(disks.tally.height).toBe(blocks)
  const evidence = Array.from({ length: blocks }, (_, i) => engine.blocks.block(i + 1)!.evidence.length)
  expect(evidence).toEqual([0, 0, 0, 1, 0, 0])
}
