import type { Measure } from '@coin/engine/embedded/mempool'
import type { StoreMeasure } from '@coin/store/disk-multi-store'

/** Time spent per stage, in nanoseconds of wall clock on the main thread. */
export interface Stages {
  readonly measure: Measure
  readonly storeMeasure: StoreMeasure
  /** Microseconds per transaction of each stage, in the order they were first seen. */
  perTx(count: number): readonly { readonly stage: string; readonly us: number }[]
  reset(): void
}

export function createStages(): Stages {
  const spent = new Map<string, bigint>()
  function timed<T>(stage: string, run: () => T): T {
    const begin = process.hrtime.bigint()
    try {
      return run()
    } finally {
      spent.set(stage, (spent.get(stage) ?? 0n) + process.hrtime.bigint() - begin)
    }
  }
  return {
    measure: (stage, _count, run) => timed(`engine ${stage}`, run),
    storeMeasure: (stage, run) => timed(`store ${stage}`, run),
    perTx: (count) => [...spent].map(([stage, ns]) => ({ stage, us: Number(ns) / 1000 / count })),
    reset: () => spent.clear(),
  }
}
