import { availableParallelism } from 'node:os'
import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { QueryResult } from '@coin/engine/application'
import { failedQuery } from '@coin/runtime/abci-query'
import { status } from '@coin/runtime/status'
import type { ProofPath } from '@coin/store/multi-store'
import type { PendingValue } from '@coin/store/state-reads'
import type { AppSettings } from '../app-settings.js'
import type { AbciQuery, AppQueries, QueryAnswer } from '../ports.js'
import { unavailable } from '../services/service-errors.js'
import { toError } from '../threads/calls.js'
import { completeJob } from './complete-job.js'
import { Lane } from './lane.js'
import { type StartReader, startReader } from './reader.js'
import { ownMemory, type ReaderAnswer, type ReaderJob, type ReaderResult, runsContracts } from './reader-jobs.js'
import { type Task, TaskQueue } from './task-queue.js'
import { Turns } from './turns.js'

export interface ReaderPoolOptions {
  readonly app: AppSettings
  readonly logger: Logger
  /** The last block that clients are told of; the readers have it or a later one. 0 before the first. */
  height(): number
  /** Done when clients are told of this height: answers do not come before it. Default: they do. */
  readonly reached?: (height: number) => Promise<void>
  /**
   * What the transactions that wait in the mempool have changed of that which this one will read, once the state that they stand
   * upon can be read by other threads: see `createPending`. The thread that makes blocks knows.
   */
  pendingFor(tx: Bytes): Promise<readonly PendingValue[]>
  /** `MultiStore.provePath` of the thread that makes blocks; only asked for stores that are mounted. */
  provePath(height: number, store: string, key: Bytes): Promise<ProofPath>
  /** Threads. Default: one a core, at least two. */
  readonly readers?: number
  /** How long one query may wait for a reader, and then how long it may run. Default 10 s. */
  readonly deadlineMs?: number
  /** Queries that may wait for a reader. Default 10,000. */
  readonly waitingMax?: number
  /** How long queries that run may go on when the pool is closed. Default 1 s. */
  readonly closeMs?: number
}

/**
 * The application in threads of its own. Besides what `AppQueries` says, queries fail with `deadlineExceeded` when they take too long,
 * and with `unavailable` when too many wait or the pool is closed.
 */
export interface ReaderPool extends AppQueries {
  close(): Promise<void>
}

/** Resolves when the first reader answers; rejects, with nothing left open, when it cannot. */
export async function createReaderPool(
  options: ReaderPoolOptions,
  start: StartReader = startReader,
): Promise<ReaderPool> {
  const pool = new Pool(options, start)
  const methods = await pool.open()
  const ask = (job: ReaderJob) => pool.ask(job)
  return {
    height: options.height,
    methods: () => methods,
    query: (method, request, height) => ask({ kind: 'query', method, request, height }) as Promise<QueryAnswer<Bytes>>,
    queryJson: (method, request, height) =>
      ask({ kind: 'queryJson', method, request, height }) as Promise<QueryAnswer<string>>,
    abci: (request) => askAbci(ask, request),
    close: () => pool.close(),
  }
}

async function askAbci(ask: (job: ReaderJob) => Promise<ReaderResult>, request: AbciQuery): Promise<QueryResult> {
  try {
    return (await ask({ kind: 'abci', request })) as QueryResult
  } catch (error) {
    return failedQuery(error)
  }
}

/** A reader that cannot even open its files is tried again after this time. */
const retryMs = 1000

/** Queries that a reader gets at once when many wait: a message costs as much as a query. */
const batchMax = 16

/** Jobs that the thread that makes blocks is asked to complete at one time: more important calls do not stand behind many of them. */
const completingMax = 8

/** After this time the rest of a batch goes to other readers. */
const batchMs = 25

class Pool {
  readonly #options: ReaderPoolOptions
  readonly #start: StartReader
  readonly #lanesMax: number
  readonly #deadlineMs: number
  readonly #waitingMax: number
  readonly #lanes = new Set<Lane>()
  /** Free lanes, the one that was freed last at the end: its caches are warm. */
  #idle: Lane[] = []
  readonly #queue = new TaskQueue()
  readonly #completing = new Turns(completingMax)
  /** Not answered yet: running, waiting, or without something that the thread that makes blocks must add. */
  readonly #tasks = new Set<Task>()
  #order = 0
  #isClosing = false
  #opening: { resolve(methods: readonly string[]): void; reject(error: Error): void } | undefined

  constructor(options: ReaderPoolOptions, start: StartReader) {
    this.#options = options
    this.#start = start
    this.#lanesMax = options.readers ?? Math.max(2, availableParallelism())
    this.#deadlineMs = options.deadlineMs ?? 10_000
    this.#waitingMax = options.waitingMax ?? 10_000
  }

  async open(): Promise<readonly string[]> {
    try {
      return await new Promise((resolve, reject) => {
        this.#opening = { resolve, reject }
        for (let count = 0; count < this.#lanesMax; count++) this.#addLane()
      })
    } catch (error) {
      await this.close()
      throw error
    } finally {
      this.#opening = undefined
    }
  }

  async ask(job: ReaderJob): Promise<ReaderResult> {
    if (this.#isClosing) throw isStopping()
    if (this.#tasks.size - this.#count((lane) => lane.size) >= this.#waitingMax)
      throw unavailable('too many queries, try again')
    const result = await new Promise<ReaderResult>((resolve, reject) => {
      const task = this.#addTask(job, resolve, reject)
      const complete = completeJob(job, this.#options)
      if (complete === undefined) this.#enqueue(task)
      else this.#completing.take(() => this.#complete(task, complete)).catch(task.reject)
    })
    // A reader may have a block that clients have not been told of, and that other threads do not know of yet.
    if (asksForLast(job) && result.height > this.#options.height()) await this.#options.reached?.(result.height)
    return result
  }

  async #complete(task: Task, complete: () => Promise<ReaderJob>): Promise<void> {
    if (task.isSettled) return // it waited too long
    task.job = await complete()
    this.#enqueue(task)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const running = new Set([...this.#lanes].flatMap((lane) => lane.tasks))
    for (const task of this.#tasks) if (!running.has(task)) task.reject(isStopping())
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.closeMs ?? 1000)
    })
    await Promise.race([Promise.all([...this.#lanes].map(({ reader }) => reader.close())), late])
    clearTimeout(timer)
    for (const task of this.#tasks) task.reject(isStopping())
    await Promise.all([...this.#lanes].map(({ reader }) => reader.terminate()))
  }

  #addTask(job: ReaderJob, resolve: Task['resolve'], reject: Task['reject']): Task {
    const end = (settle: () => void) => {
      if (task.isSettled) return
      task.isSettled = true
      clearTimeout(task.timer)
      this.#tasks.delete(task)
      settle()
    }
    const task: Task = {
      job,
      runsContracts: runsContracts(job),
      order: this.#order++,
      timer: undefined,
      isSettled: false,
      resolve: (result) => end(() => resolve(result)),
      reject: (error) => end(() => reject(error)),
    }
    this.#wait(task)
    this.#tasks.add(task)
    return task
  }

  #wait(task: Task): void {
    task.timer = setTimeout(() => task.reject(this.#late('the query waited for a reader')), this.#deadlineMs)
  }

  #enqueue(task: Task): void {
    if (task.isSettled) return
    task.job = withOwnMemory(task.job)
    this.#queue.add(task)
    this.#feed()
  }

  #feed(): void {
    for (let lane = this.#idle.pop(); lane !== undefined; lane = this.#idle.pop()) {
      const contractLanes = this.#count(({ runsContracts }) => Number(runsContracts))
      const count = Math.min(batchMax, Math.ceil(this.#queue.plainSize / this.#lanesMax))
      const tasks = this.#queue.take(count, contractLanes < Math.max(1, this.#lanesMax - 1))
      if (tasks.length === 0) {
        this.#idle.push(lane)
        return
      }
      for (const task of tasks) clearTimeout(task.timer)
      this.#run(lane, tasks)
    }
  }

  #run(lane: Lane, tasks: readonly Task[]): void {
    const end = () => this.#endLate(lane)
    if (tasks.length === 1) {
      lane.start(tasks, this.#deadlineMs, end)
      return
    }
    lane.start(tasks, Math.min(batchMs, this.#deadlineMs), () =>
      this.#putBack(lane.takeBack(Math.max(0, this.#deadlineMs - batchMs), end)),
    )
  }

  #putBack(tasks: readonly Task[]): void {
    const open = tasks.filter((task) => !task.isSettled)
    for (const task of open) this.#wait(task)
    this.#queue.putBack(open)
    this.#feed()
  }

  #endLate(lane: Lane): void {
    for (const task of lane.tasks) {
      const { job } = task
      const query = job.kind === 'abci' ? job.request.path : job.method
      this.#options.logger.warn({ query: query.slice(0, 120), limitMs: this.#deadlineMs }, 'a query took too long')
      task.reject(this.#late('the query ran'))
    }
    void lane.reader.terminate()
  }

  #answer(lane: Lane, answers: readonly ReaderAnswer[], isLast: boolean): void {
    for (const [task, answer] of lane.answered(answers, isLast)) {
      if ('result' in answer) task.resolve(answer.result)
      else {
        const { failure, bug } = answer
        if (bug !== undefined) this.#options.logger.error({ error: bug }, 'a query failed')
        task.reject(toError(failure, (text) => status('internal', text)))
      }
    }
    if (isLast) this.#free(lane)
  }

  #addLane(): void {
    if (this.#isClosing) return
    const lane: Lane = new Lane(
      this.#start(this.#options.app, {
        ready: (methods) => {
          this.#opening?.resolve(methods)
          lane.isReady = true
          this.#free(lane)
        },
        answered: (answers, isLast) => this.#answer(lane, answers, isLast),
        log: ({ level, fields, message }) => this.#options.logger[level](fields, message),
        ended: (reason) => this.#replace(lane, reason),
      }),
    )
    this.#lanes.add(lane)
  }

  #free(lane: Lane): void {
    this.#idle.push(lane)
    this.#feed()
  }

  #replace(lane: Lane, reason: Error): void {
    this.#lanes.delete(lane)
    this.#idle = this.#idle.filter((other) => other !== lane)
    if (this.#isClosing) return
    // Of a batch, only the one that was running can have to do with it.
    const rest = lane.size > 1 ? lane.takeBack(0, () => undefined) : []
    const running = lane.end()
    if (running.length === 0 || !running.every(({ isSettled }) => isSettled)) {
      this.#options.logger.error({ error: reason.stack ?? reason.message }, 'a reader has ended and is replaced')
    }
    for (const task of running)
      task.reject(status('internal', 'the reader of the query has ended; the cause is in the log'))
    this.#putBack(rest)
    if (this.#opening !== undefined) this.#opening.reject(reason)
    else if (lane.isReady) this.#addLane()
    else setTimeout(() => this.#addLane(), retryMs).unref()
  }

  #count(of: (lane: Lane) => number): number {
    let sum = 0
    for (const lane of this.#lanes) sum += of(lane)
    return sum
  }

  #late(what: string): Error {
    return status('deadlineExceeded', `${what} longer than ${this.#deadlineMs} ms, which is this node's limit`)
  }
}

function asksForLast(job: ReaderJob): boolean {
  return job.kind === 'abci' ? job.request.height === 0 : job.height === undefined
}

function isStopping(): Error {
  return unavailable('the node is stopping')
}

function withOwnMemory(job: ReaderJob): ReaderJob {
  return job.kind === 'abci'
    ? { ...job, request: { ...job.request, data: ownMemory(job.request.data) } }
    : { ...job, request: ownMemory(job.request) }
}
