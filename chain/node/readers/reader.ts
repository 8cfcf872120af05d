import { Worker } from 'node:worker_threads'
import { nodeErrors } from '../errors.js'
import type { LogRecord, ReaderData, ReaderJob, ReaderMessage, ReaderRequest } from './reader-jobs.js'

export interface ReaderListeners {
  /** Once, before the first answer. */
  ready(methods: readonly string[]): void
  answered(message: Extract<ReaderMessage, { kind: 'answer' | 'failure' }>): void
  log(record: LogRecord): void
  /** The thread is gone, by itself or because it was told to. */
  ended(reason: Error): void
}

/** One thread that answers queries, one at a time. */
export interface Reader {
  ask(job: ReaderJob): void
  /** Ends the thread, in the middle of a query too. */
  terminate(): Promise<void>
  /** Ends the idle thread with its files closed. */
  close(): Promise<void>
}

/** Memory for JavaScript's objects of one reader, MiB; contracts' memories are apart. A query that needs more ends its reader. */
const heapMbMax = 1024

export function startReader(data: ReaderData, listeners: ReaderListeners): Reader {
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
    else listeners.answered(message)
  })
  return {
    ask: tell,
    async terminate() {
      await worker.terminate()
      await exited
    },
    async close() {
      tell({ kind: 'close' })
      await exited
    },
  }
}
