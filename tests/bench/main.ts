import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { QueriesResult } from './queries.js'
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

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)].join('\n')
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const stageRows = ({ stages }: Pick<SendsResult, 'stages'>) => [
  ['stage', 'us per transaction'],
  ...stages.map(({ stage, us }) => [stage, us.toFixed(1)]),
]

function main(): void {
  if (process.argv.includes('--help')) {
    say(usage)
    return
  }
  const part = process.argv.includes('--quick') ? 0.1 : 1
  const [cpu] = cpus()
  say(
    `${cpu?.model ?? 'unknown processor'} x ${cpus().length}, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`,
  )
  const sends = JSON.parse(measure('sends', 20_000 * part, 50_000)) as SendsResult
  const swaps = JSON.parse(measure('swaps', 5000 * part)) as SwapsResult
  const queries = JSON.parse(measure('queries', 10 * part)) as QueriesResult
  say(
    `\n${table([
      ['measure', 'per second', 'of what'],
      [
        'bank sends',
        whole(sends.perSecond),
        `${whole(sends.transactions)} signed transactions, in ${sends.blocks} blocks`,
      ],
      [
        'AMM swaps',
        whole(swaps.perSecond),
        `${whole(swaps.transactions)} signed transactions, ${whole(swaps.gasPerSwap)} gas each`,
      ],
      [
        'REST balance queries',
        whole(queries.perSecond),
        `${whole(queries.requests)} on ${queries.connections} connections, p50 ${queries.p50Ms.toFixed(2)} ms, p99 ${queries.p99Ms.toFixed(2)} ms`,
      ],
    ])}`,
  )
  say(`\nBank sends by stage, wall clock of the main thread:\n\n${table(stageRows(sends))}`)
  say(`\nAMM swaps by stage:\n\n${table(stageRows(swaps))}`)
  say(`\nThe merkle tree alone:\n${measure('tree', ...(part === 1 ? [100_000, 1_000_000] : [100_000]))}`)
  say(`\nThe store on disk:\n${measure('store', ...(part === 1 ? [100_000, 1_000_000] : [100_000]))}`)
}

main()
