import type { ReaderJob, ReaderResult } from './reader-jobs.js'

/** A query and who waits for its answer. */
export interface Task {
  job: ReaderJob
  readonly runsContracts: boolean
  /** Ascending with arrival. */
  readonly order: number
  /** Ends the task, whatever it waits for. */
  timer: NodeJS.Timeout | undefined
  isSettled: boolean
  resolve(result: ReaderResult): void
  reject(error: Error): void
}

/** First in, first out, except that those that run contracts can be passed over. Settled tasks are left out. */
export class TaskQueue {
  readonly #plain: Task[] = []
  readonly #contracts: Task[] = []

  add(task: Task): void {
    const queue = task.runsContracts ? this.#contracts : this.#plain
    queue.push(task)
  }

  take(mayRunContracts: boolean): Task | undefined {
    const plain = firstWaiting(this.#plain)
    const contract = mayRunContracts ? firstWaiting(this.#contracts) : undefined
    if (plain === undefined) return contract && this.#contracts.shift()
    if (contract === undefined) return this.#plain.shift()
    return plain.order < contract.order ? this.#plain.shift() : this.#contracts.shift()
  }
}

function firstWaiting(queue: Task[]): Task | undefined {
  while (queue[0]?.isSettled === true) queue.shift()
  return queue[0]
}
