import { Worker } from 'node:worker_threads'
import type { AppSettings } from '../app-settings.js'
import { nodeErrors } from '../errors.js'
import { endThread, newEndFlags } from './ending.js'
import type { LogRecord, ReaderAnswer, ReaderData, ReaderJob, ReaderMessage, ReaderRequest } from './reader-jobs.js'

export interface ReaderListeners {
  /** Once, before the first answer. */
  ready(methods: readonly string[]): void
  answered(answers: readonly ReaderAnswer[], isLast: boolean): void
  log(record: LogRecord): void
  /** The thread is gone, by itself or because it was told to. */
  ended(reason: Error): void
}

/** One thread that answers queries, one at a time. */
export interface Reader {
  /** One batch at a time. */
  ask(jobs: readonly ReaderJob[]): void
  /** How many jobs of the batch it has begun, the last of which it is doing now. It begins no more: the rest is not done. */
  stopAfterCurrent(): number
  /** Ends the thread, in the middle of a query too. */
  terminate(): Promise<void>
  /** Ends the idle thread with its files closed. */
  close(): Promise<void>
}

/** Memory for JavaScript's objects of one reader, MiB; contracts' memories are apart. A query that needs more ends its reader. */
const heapMbMax = 1024

/** More than a batch has jobs, and room to count on. */
const stopped = 1 << 30

/** `startReader`; tests end its readers. */
export type StartReader = typeof startReader

export function startReader(app: AppSettings, listeners: ReaderListeners): Reader {
  const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const ending = newEndFlags()
  const data: ReaderData = { app, begun, ending }
  const worker = new Worker(new URL('./reader-thread.js', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  })
  const tell = (request: ReaderRequest) => worker.postMessage(request)
  let reason: Error | undefined
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      listeners.ended(reason ?? nodeErrors.readerGone(`its thread ended with code ${code}`))
      resolve()
    })
  })
  worker.on('error', (error) => {
    reason = error
  })
  worker.on('message', (message: ReaderMessage) => {
    if (message.kind === 'ready') listeners.ready(message.methods)
    else if (message.kind === 'log') listeners.log(message.record)
    else listeners.answered(message.answers, message.isLast)
  })
  return {
    ask(jobs) {
      Atomics.store(begun, 0, 0)
      tell({ kind: 'jobs', jobs })
    },
    stopAfterCurrent: () => Atomics.exchange(begun, 0, stopped),
    terminate() {
      tell({ kind: 'close' })
      return endThread(worker, ending, exited)
    },
    async close() {
      tell({ kind: 'close' })
      await exited
    },
  }
}
