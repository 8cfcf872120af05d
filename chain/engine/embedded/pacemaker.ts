import type { Clock } from '@coin/base/clock'
import type { TimeNs } from '../application.js'

/** Runs `callback` once, `delayMs` later; the returned function cancels. `setTimeout` in the node, simulated in tests. */
export type Timer = (delayMs: number, callback: () => void) => () => void

export interface PacemakerOptions {
  /**
   * From the beginning of one block to that of the next. Executing it is part of that time: a full block does not delay the next one
   * as it would with CometBFT's `timeout_commit`, which only begins after it. A block that takes longer is followed at once.
   */
  readonly blockTimeMs: number
  /** Begin a block as soon as transactions wait instead of at the next block time. */
  readonly blockAtOnce: boolean
  /** Blocks without transactions too. Off, a block comes only for transactions and, once after them, for the new app hash. */
  readonly createEmptyBlocks: boolean
}

export interface PacemakerDependencies {
  readonly clock: Clock
  readonly timer: Timer
  /** No block before it. */
  readonly genesisTime: TimeNs
  /** Transactions or evidence wait for a block. */
  hasWork(): boolean
  /** The last block changed the state, and no block says so yet. */
  needsProofBlock(): boolean
  /** Makes a block; false ends production. */
  produce(): boolean
}

export interface Pacemaker {
  start(): void
  stop(): void
  /** Something waits for a block that did not wait before. */
  onAvailable(): void
}

const nsPerMs = 1_000_000n

/** Decides when blocks are made. */
export function createPacemaker(options: PacemakerOptions, dependencies: PacemakerDependencies): Pacemaker {
  const { clock, timer, genesisTime, hasWork, needsProofBlock, produce } = dependencies
  let cancel: (() => void) | undefined
  let running = false
  /** Time of the next regular block. */
  let dueNs = 0n

  function schedule(): void {
    cancel?.()
    cancel = undefined
    if (!running) return
    const waits = hasWork()
    if (!waits && !options.createEmptyBlocks && !needsProofBlock()) return
    const at = waits && options.blockAtOnce ? clock.nowNs() : dueNs
    const start = at > genesisTime ? at : genesisTime
    const delayNs = start - clock.nowNs()
    cancel = timer(delayNs > 0n ? Number((delayNs + nsPerMs - 1n) / nsPerMs) : 0, tick)
  }

  function tick(): void {
    cancel = undefined
    if (!running) return
    dueNs = clock.nowNs() + BigInt(options.blockTimeMs) * nsPerMs
    running = produce() && running
    schedule()
  }

  return {
    start() {
      if (running) return
      running = true
      schedule()
    },
    stop() {
      running = false
      cancel?.()
      cancel = undefined
    },
    onAvailable() {
      if (running && (options.blockAtOnce || !options.createEmptyBlocks)) schedule()
    },
  }
}
