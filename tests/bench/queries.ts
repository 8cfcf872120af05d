import { Worker } from 'node:worker_threads'
import { addGenesisAccounts } from '@coin/node/home/genesis-accounts'
import { readGenesisFile, writeGenesisFile } from '@coin/node/home/genesis-file'
import { homePaths } from '@coin/node/home/paths'
import { createTestHome, startNodeProcess } from '../process/node-process.js'
import { idleAddress } from './bench-chain.js'
import type { ClientJob, ClientResult } from './query-client.js'

export interface QueriesResult extends ClientResult {
  readonly connections: number
}

const idleCount = 100_000

/**
 * Balance queries over REST on loopback to a real `coind start`: keep-alive connections, the client in this process.
 * The addresses are walked through, more than are asked for in a block, so that no answer comes from the gateway's cache.
 */
export async function benchQueries(options: { seconds: number }): Promise<QueriesResult> {
  const home = createTestHome('bench-1', 1)
  const idle = Array.from({ length: idleCount }, (_, index) => idleAddress(index))
  const path = homePaths(home.root).genesis
  const { json } = readGenesisFile(path)
  const coins = [{ denom: 'ucoin', amount: 1_000_000n }]
  addGenesisAccounts(
    json,
    idle.map((address) => ({ address, coins })),
  )
  writeGenesisFile(path, json)
  const node = await startNodeProcess(home.root)
  try {
    const job: ClientJob = {
      port: Number(new URL(node.rest).port),
      connections: 32,
      seconds: options.seconds,
      paths: idle.map((address) => `/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=ucoin`),
    }
    const result = await new Promise<ClientResult>((resolve, reject) => {
      const worker = new Worker(new URL('./query-client.js', import.meta.url), { workerData: job })
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    return { ...result, connections: job.connections }
  } finally {
    await node.end('SIGTERM')
    home.remove()
  }
}

if (process.argv[1]?.endsWith('bench/queries.js')) {
  const result = await benchQueries({ seconds: Number(process.argv[2] ?? 10) })
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
