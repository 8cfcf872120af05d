import type { Measure } from '@coin/engine/embedded/mempool'
import type { StoreMeasure } from '@coin/store/disk-multi-store'

/** Time spent per stage: wall clock on the main thread. What stages inside a stage took is theirs alone. */
export interface Stages {
  readonly measure: Measure
  readonly storeMeasure: StoreMeasure
  /** Microseconds per transaction of each stage, in the order they were first seen. */
  perTx(count: number): readonly StageTime[]
  reset(): void
}

export interface StageTime {
  readonly stage: string
  readonly us: number
}

export function createStages(): Stages {
  const spent = new Map<string, number>()
  /** Of the stages that ended inside the one that runs. */
  let inner = 0
  function timed<T>(stage: string, run: () => T): T {
    const outer = inner
    inner = 0
    const begin = process.hrtime.bigint()
    try {
      return run()
    } finally {
      const ns = Number(process.hrtime.bigint() - begin)
      spent.set(stage, (spent.get(stage) ?? 0) + ns - inner)
      inner = outer + ns
    }
  }
  return {
    measure: (stage, _count, run) => timed(stage, run),
    storeMeasure: (stage, run) => timed(stage, run),
    perTx: (count) => [...spent].map(([stage, ns]) => ({ stage, us: ns / 1000 / count })),
    reset: () => spent.clear(),
  }
}
