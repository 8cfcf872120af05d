import { storeNames } from '@coin/app/app'
import type { Bytes } from '@coin/base/bytes'
import { simulatedTx } from '@coin/runtime/simulate'
import { SimulateRequest } from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { unavailable } from '../services/service-errors.js'
import { toFailure } from '../threads/calls.js'
import { isRawSimulation, ownMemory, type ReaderJob, storeOfPath } from './reader-jobs.js'
import type { ReaderPoolOptions } from './reader-pool.js'

const simulateMethod = '/cosmos.tx.v1beta1.Service/Simulate'

/** Asks the thread that makes blocks for what it must add before a reader can do the job; undefined: nothing. */
export function completeJob(
  job: ReaderJob,
  ports: Pick<ReaderPoolOptions, 'height' | 'pendingFor' | 'provePath'>,
): (() => Promise<ReaderJob>) | undefined {
  const tx = simulatedTxOf(job)
  if (tx !== undefined) return async () => ({ ...job, pending: await ports.pendingFor(ownMemory(tx)) })
  const store = job.kind === 'abci' && job.request.prove ? storeOfPath(job.request.path) : undefined
  return job.kind === 'abci' && store !== undefined ? () => withPath(job, store, ports) : undefined
}

function simulatedTxOf(job: ReaderJob): Bytes | undefined {
  if (job.kind === 'abci' && isRawSimulation(job.request.path)) return job.request.data
  const [method, request] = job.kind === 'abci' ? [job.request.path, job.request.data] : [job.method, job.request]
  if (method !== simulateMethod) return undefined
  try {
    return simulatedTx(SimulateRequest.decode(request))
  } catch {
    return undefined // the reader says what is wrong with it
  }
}

/**
 * The proof is of one height: where none is asked for, of the last that clients know of. The reader looks first whether the request
 * makes sense, and says so.
 */
async function withPath(
  job: Extract<ReaderJob, { kind: 'abci' }>,
  store: string,
  { height: latest, provePath }: Pick<ReaderPoolOptions, 'height' | 'provePath'>,
): Promise<ReaderJob> {
  const { data: key } = job.request
  const height = job.request.height === 0 ? latest() : job.request.height
  const request = { ...job.request, height }
  try {
    if (!storeNames.includes(store) || key.length === 0 || height <= 1)
      throw unavailable(`height ${height} has no proof`)
    return { ...job, request, path: await provePath(height, store, ownMemory(key)) }
  } catch (error) {
    return { ...job, request, path: toFailure(error) }
  }
}
