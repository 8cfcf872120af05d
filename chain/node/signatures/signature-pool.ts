import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { assert } from '@coin/base/assert'
import type { SignatureJob } from '@coin/engine/application'
import { encodeJobs } from './job-batch.js'

/** Checks signatures beside the consensus thread. */
export interface SignaturePool {
  /** One verdict a job, in order. Calls are answered in the order they came in only per worker, not across. */
  verify(jobs: readonly SignatureJob[]): Promise<readonly boolean[]>
  /** Ends the workers; what is under way is rejected. */
  close(): Promise<void>
}

/** Jobs that go to a worker in one message: large enough that posting costs under a microsecond a job. */
const batchJobsMax = 256

interface Waiting {
  readonly jobs: readonly SignatureJob[]
  readonly resolve: (verdicts: readonly boolean[]) => void
  readonly reject: (error: unknown) => void
}

interface Lane {
  readonly worker: Worker
  /** The calls in the batch the worker has now; empty when it is idle. */
  busy: Waiting[]
}

/**
 * Starts `workers` threads (default: one less than the cores, at least one). While a worker is busy, arrivals gather, so batches
 * grow with the load and a lone transaction does not wait.
 */
export function createSignaturePool(options: { readonly workers?: number } = {}): SignaturePool {
  const count = options.workers ?? Math.max(1, availableParallelism() - 1)
  const queue: Waiting[] = []
  let failure: unknown
  const lanes: Lane[] = Array.from({ length: count }, () => ({
    worker: new Worker(new URL('./signature-worker.js', import.meta.url)),
    busy: [],
  }))
  for (const lane of lanes) {
    lane.worker.unref()
    lane.worker.on('message', (verdicts: Uint8Array) => {
      settle(lane, verdicts)
      feed(lane)
    })
    lane.worker.on('error', (error) => fail(error))
  }

  function fail(error: unknown): void {
    failure ??= error
    for (const lane of lanes) for (const waiting of lane.busy.splice(0)) waiting.reject(failure)
    for (const waiting of queue.splice(0)) waiting.reject(failure)
  }

  function feed(lane: Lane): void {
    if (lane.busy.length > 0 || queue.length === 0) return
    let jobs = 0
    let calls = 0
    while (calls < queue.length && (calls === 0 || jobs + queue[calls]!.jobs.length <= batchJobsMax)) {
      jobs += queue[calls]!.jobs.length
      calls++
    }
    lane.busy = queue.splice(0, calls)
    const batch = encodeJobs(lane.busy.flatMap((waiting) => waiting.jobs))
    lane.worker.postMessage(batch, [batch.buffer])
  }

  return {
    verify(jobs) {
      if (jobs.length === 0) return Promise.resolve([])
      if (failure !== undefined) return Promise.reject(failure)
      return new Promise((resolve, reject) => {
        queue.push({ jobs, resolve, reject })
        const idle = lanes.find((lane) => lane.busy.length === 0)
        // Deferred, so that everything that arrives in this turn of the event loop travels in one message.
        if (idle !== undefined) setImmediate(() => lanes.forEach(feed))
      })
    },
    async close() {
      fail(new DOMException('the signature pool is closed', 'AbortError'))
      await Promise.all(lanes.map((lane) => lane.worker.terminate()))
    },
  }
}

/** Hands each call its part of the batch's verdicts. */
function settle(lane: Lane, verdicts: Uint8Array): void {
  let at = 0
  for (const { jobs, resolve } of lane.busy.splice(0)) {
    assert(at + jobs.length <= verdicts.length, 'a signature worker answered fewer verdicts than it was asked for')
    resolve(Array.from(verdicts.subarray(at, at + jobs.length), (verdict) => verdict === 1))
    at += jobs.length
  }
}
