import type { Logger } from '@coin/base/logger'
import { status } from '@coin/runtime/status'

/** How far the index is, and who waits for it. */
export interface IndexProgress {
  reached(): number
  reach(height: number): void
  /** The chain has blocks up to here. */
  aim(height: number): void
  /** Whether it is the first failure. */
  fail(error: Error): boolean
  /**
   * Resolves at this height. Rejects with `unavailable` when that takes too long or will not come, at once while an index that was
   * far behind at the start is built.
   */
  wait(height: number): Promise<void>
  close(): void
  /** Throws `unavailable` after `close`. */
  requireOpen(): void
}

export interface IndexProgressOptions {
  /** Height of the index at the start. */
  readonly start: number
  /** Height of the chain at the start. */
  readonly target: number
  readonly waitMsMax: number
  readonly log: Logger
  /** Milliseconds of some clock that never goes back. */
  readonly nowMs?: () => number
}

/** An index with more blocks than this to go is being built: searches need not wait for it. */
const buildingBlocks = 500
const reportMs = 5000

export function createIndexProgress(options: IndexProgressOptions): IndexProgress {
  const { start, waitMsMax, log } = options
  const nowMs = options.nowMs ?? (() => performance.now())
  const began = nowMs()
  let { target } = options
  let reached = start
  let isBuilding = target - start > buildingBlocks
  let reported = began
  let failure: Error | undefined
  let isClosed = false
  const waiting = new Set<{ readonly height: number; resolve(): void; reject(error: Error): void }>()
  const isStopping = () => status('unavailable', 'the node is stopping')
  if (target > start) log.info({ from: start + 1, to: target }, 'indexing blocks that were left out')

  /** Blocks in a second since the start. */
  const rate = () => (reached - start) / Math.max(0.001, (nowMs() - began) / 1000)
  const secondsLeft = () => (reached === start ? undefined : Math.ceil((target - reached) / rate()))

  const beingBuilt = () => {
    const left = secondsLeft()
    const estimate = left === undefined ? '' : `, about ${left} s to go`
    return status('unavailable', `the tx index is being built up: up to height ${reached} of ${target}${estimate}`)
  }

  function report(): void {
    const seconds = Math.round((nowMs() - began) / 1000)
    if (reached >= target) {
      isBuilding = false
      log.info({ height: reached, seconds }, 'the tx index is complete')
    } else if (nowMs() - reported >= reportMs) {
      reported = nowMs()
      const blocksPerSecond = Math.round(rate())
      log.info({ height: reached, of: target, blocksPerSecond, secondsLeft: secondsLeft() }, 'building the tx index')
    }
  }

  function wait(height: number): Promise<void> {
    if (isClosed) return Promise.reject(isStopping())
    if (failure) return Promise.reject(failure)
    if (reached >= height) return Promise.resolve()
    if (isBuilding) return Promise.reject(beingBuilt())
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer)
        waiting.delete(waiter)
        settle()
      }
      const waiter = { height, resolve: () => end(resolve), reject: (error: Error) => end(() => reject(error)) }
      const timer = setTimeout(() => waiter.reject(beingBuilt()), waitMsMax)
      waiting.add(waiter)
    })
  }

  function rejectAll(error: Error): void {
    for (const { reject } of waiting) reject(error)
  }

  return {
    reached: () => reached,
    reach(height) {
      reached = height
      if (isBuilding) report()
      for (const waiter of waiting) if (waiter.height <= height) waiter.resolve()
    },
    aim(height) {
      target = Math.max(target, height)
    },
    fail(error) {
      if (failure || isClosed) return false
      failure = error
      rejectAll(error)
      return true
    },
    wait,
    close() {
      isClosed = true
      rejectAll(isStopping())
    },
    requireOpen() {
      if (isClosed) throw isStopping()
    },
  }
}
