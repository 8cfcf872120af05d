import type { Clock } from '@coin/base/clock'
import type { TimeNs } from '../application.js'
import type { Timer } from '../embedded/pacemaker.js'

/** A clock that stands still until told otherwise, and the timers that hang on it. */
export interface SimulatedTime {
  readonly clock: Clock
  readonly timer: Timer
  /** Lets time pass, running what falls due, in order. */
  advance(ms: number): void
  /** Timers that wait. */
  pending(): number
}

const nsPerMs = 1_000_000n

export function simulateTime(startNs: TimeNs): SimulatedTime {
  let nowNs = startNs
  let waiting: { readonly at: TimeNs; readonly callback: () => void }[] = []
  return {
    clock: { nowNs: () => nowNs },
    timer(delayMs, callback) {
      const entry = { at: nowNs + BigInt(Math.ceil(delayMs)) * nsPerMs, callback }
      waiting.push(entry)
      return () => {
        waiting = waiting.filter((other) => other !== entry)
      }
    },
    advance(ms) {
      const end = nowNs + BigInt(ms) * nsPerMs
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).sort((a, b) => (a.at < b.at ? -1 : 1))[0]
        if (!next) break
        waiting = waiting.filter((other) => other !== next)
        if (next.at > nowNs) nowNs = next.at
        next.callback()
      }
      nowNs = end
    },
    pending: () => waiting.length,
  }
}
