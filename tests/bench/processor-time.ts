import { existsSync, readFileSync } from 'node:fs'

/** Processor time, which other work on the machine changes far less than wall clock. Microseconds per transaction. */
export interface ProcessorTime {
  /** Of the thread that makes blocks; only Linux tells it. */
  readonly mainUs: number | undefined
  /** Of the whole process: signatures, the state's writer and garbage collection beside it. */
  readonly allUs: number
}

const ofMainThread = `/proc/self/task/${process.pid}/schedstat`

function mainThreadUs(): number | undefined {
  return existsSync(ofMainThread) ? Number(readFileSync(ofMainThread, 'utf8').split(' ')[0]) / 1000 : undefined
}

/** Starts counting; the answer tells what was used since, shared among `count` transactions. */
export function startProcessorTime(): (count: number) => ProcessorTime {
  const main = mainThreadUs()
  const all = process.cpuUsage()
  return (count) => {
    const { user, system } = process.cpuUsage(all)
    const mainNow = mainThreadUs()
    const isKnown = main !== undefined && mainNow !== undefined
    return { mainUs: isKnown ? (mainNow - main) / count : undefined, allUs: (user + system) / count }
  }
}
