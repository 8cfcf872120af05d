import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

export interface ClientJob {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Asked for in turn. */
  readonly paths: readonly string[]
}

export interface ClientResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const { port, connections, seconds, paths } = workerData as ClientJob
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const timesMs: number[] = []
let next = 0

function ask(): Promise<void> {
  const path = paths[next++ % paths.length]!
  const begin = process.hrtime.bigint()
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent }, (response) => {
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
      })
      response.on('end', () => {
        if (response.statusCode !== 200 || length === 0) return reject(new RangeError(`status ${response.statusCode}`))
        timesMs.push(Number(process.hrtime.bigint() - begin) / 1e6)
        resolve()
      })
    }).on('error', reject)
  })
}

async function askUntil(end: bigint): Promise<void> {
  while (process.hrtime.bigint() < end) await ask()
}

async function run(durationSeconds: number): Promise<number> {
  const begin = process.hrtime.bigint()
  const end = begin + BigInt(Math.round(durationSeconds * 1e9))
  await Promise.all(Array.from({ length: connections }, () => askUntil(end)))
  return Number(process.hrtime.bigint() - begin) / 1e9
}

await run(1) // warm
timesMs.length = 0
const spent = await run(seconds)
const sorted = timesMs.sort((a, b) => a - b)
const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
const result: ClientResult = {
  requests: sorted.length,
  perSecond: sorted.length / spent,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
}
parentPort?.postMessage(result)
agent.destroy()
