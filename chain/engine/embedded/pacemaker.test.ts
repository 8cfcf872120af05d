import { describe, expect, it } from 'vitest'
import { createPacemaker } from './pacemaker.js'

const ms = 1_000_000n

/** Makes blocks that take `blockMs` each, on a clock that only they and the timer move; answers when each began, in ms. */
function blocksOf(blockMs: number, count: number): readonly number[] {
  let now = 0n
  const begins: number[] = []
  let due: { at: bigint; run: () => void } | undefined
  const pacemaker = createPacemaker(
    { blockTimeMs: 1000, blockAtOnce: false, createEmptyBlocks: true },
    {
      clock: { nowNs: () => now },
      timer: (delayMs, run) => {
        due = { at: now + BigInt(delayMs) * ms, run }
        return () => {
          due = undefined
        }
      },
      genesisTime: 0n,
      hasWork: () => true,
      needsProofBlock: () => false,
      produce() {
        begins.push(Number(now / ms))
        now += BigInt(blockMs) * ms
        return begins.length < count
      },
    },
  )
  pacemaker.start()
  while (due !== undefined) {
    const { at, run } = due
    due = undefined
    now = at > now ? at : now
    run()
  }
  return begins
}

describe('the time between blocks', () => {
  it('is the block time, however long a block takes within it', () => {
    expect(blocksOf(0, 4)).toEqual([0, 1000, 2000, 3000])
    expect(blocksOf(700, 4)).toEqual([0, 1000, 2000, 3000])
  })

  it('is that of the block when it takes longer', () => {
    expect(blocksOf(1500, 3)).toEqual([0, 1500, 3000])
  })
})
