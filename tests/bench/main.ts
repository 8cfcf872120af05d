import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ProcessorTime } from './processor-time.js'
import type { QueriesResult } from './queries.js'
import { comparedTable, describeMachine, stageTable, table } from './report.js'
import type { SendsResult } from './sends.js'
import type { SwapsResult } from './swaps.js'

const usage = `npm run bench [-- --quick]

Measures the node, each figure in a process of its own: real signatures, commits synced to disk.
  --quick   a tenth of the work: to see that it runs, not to compare`

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Runs one measure in its own process and answers what it prints. */
function measure(file: string, ...args: readonly (string | number)[]): string {
  const path = fileURLToPath(new URL(`./${file}.js`, import.meta.url))
  const run = spawnSync(process.execPath, [path, ...args.map(String)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (run.status !== 0) throw new RangeError(`${file} ended with code ${run.status}:\n${run.stderr}`)
  return run.stdout.trim()
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const ms = (value: number) => `${value.toFixed(1)} ms`
const processorTime = ({ mainUs, allUs }: ProcessorTime) =>
  mainUs === undefined
    ? `${whole(allUs)} us of processor time each`
    : `${whole(mainUs)} us of the main thread's processor time each, ${whole(allUs)} us of all threads'`

function sendsRow({ perSecond, transactions, blocks, latency, processor }: SendsResult): string[] {
  const what = `${whole(transactions)} signed, in ${blocks} blocks; ${processorTime(processor)}`
  return ['bank sends', whole(perSecond), ms(latency.p50Ms), ms(latency.p99Ms), what]
}

function swapsRow({ perSecond, transactions, gasPerSwap, latency, processor }: SwapsResult): string[] {
  const what = `${whole(transactions)} signed, ${whole(gasPerSwap)} gas each; ${processorTime(processor)}`
  return ['AMM swaps', whole(perSecond), ms(latency.p50Ms), ms(latency.p99Ms), what]
}

function queriesRow({ perSecond, requests, connections, p50Ms, p99Ms }: QueriesResult): string[] {
  const what = `${whole(requests)} on ${connections} connections to a real node, client in a process beside`
  return ['REST balance queries', whole(perSecond), ms(p50Ms), ms(p99Ms), what]
}

function main(): void {
  if (process.argv.includes('--help')) {
    say(usage)
    return
  }
  const part = process.argv.includes('--quick') ? 0.1 : 1
  say(describeMachine())
  const sends = JSON.parse(measure('sends', 20_000 * part, 50_000)) as SendsResult
  const swaps = JSON.parse(measure('swaps', 5000 * part)) as SwapsResult
  const queries = JSON.parse(measure('queries', 10 * part)) as QueriesResult
  say(
    `\n${table([['measure', 'per second', 'p50', 'p99', 'of what'], sendsRow(sends), swapsRow(swaps), queriesRow(queries)])}`,
  )
  say(`\nBank sends by stage, wall clock of the main thread:\n\n${comparedTable(sends.stages)}`)
  say(`\nAMM swaps by stage:\n\n${stageTable(swaps.stages)}`)
  say(`\nThe merkle tree alone:\n${measure('tree', ...(part === 1 ? [100_000, 1_000_000] : [100_000]))}`)
  say(`\nThe transaction index:\n${measure('index', 200_000 * part, 20, 20)}`)
  say(`\nThe store on disk:\n${measure('store', ...(part === 1 ? [100_000, 1_000_000] : [100_000]))}`)
}

main()
