import { Worker } from 'node:worker_threads'
import { silentLogger } from '@coin/base/logger'
import { createGateway } from '@coin/node/rest/gateway'
import { createAppQueries } from '@coin/node/services/app-queries'
import { openBenchChain } from './bench-chain.js'
import type { ClientJob, ClientResult } from './query-client.js'
import { nextBlock } from './sends.js'

export interface QueriesResult extends ClientResult {
  readonly connections: number
}

/**
 * Balance queries over REST on loopback: the node's own gateway, keep-alive connections, the client in a thread of this process.
 * The addresses are walked through, more than are asked for in a block, so that no answer comes from the gateway's cache.
 */
export async function benchQueries(options: { seconds: number }): Promise<QueriesResult> {
  const bench = await openBenchChain({ senders: 1, idle: 100_000 })
  const { chain, idle } = bench
  const app = createAppQueries(chain.app)
  const gateway = createGateway({ host: '127.0.0.1', port: 0 }, { services: new Map(), app, log: silentLogger })
  try {
    chain.engine.start()
    await nextBlock(chain)
    const { port } = await gateway.listen()
    const job: ClientJob = {
      port,
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
    await gateway.close()
    await bench.close()
  }
}

if (process.argv[1]?.endsWith('bench/queries.js')) {
  const result = await benchQueries({ seconds: Number(process.argv[2] ?? 10) })
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
