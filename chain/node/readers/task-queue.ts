import type { ReaderJob, ReaderResult } from './reader-jobs.js'

/** A query and who waits for its answer. */
export interface Task {
  job: ReaderJob
  readonly runsContracts: boolean
  /** Ascending with arrival. */
  readonly order: number
  /** Ends the task when it has waited too long. */
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
    this.#queueOf(task).push(task)
  }

  /** In front of all others. */
  putBack(tasks: readonly Task[]): void {
    for (const task of [...tasks].reverse()) this.#queueOf(task).unshift(task)
  }

  /** Those that run no contracts, and some that are settled. */
  get plainSize(): number {
    return this.#plain.length
  }

  /** The first, and if that runs no contracts up to `count` in all that run none. */
  take(count: number, mayRunContracts: boolean): readonly Task[] {
    const plain = firstWaiting(this.#plain)
    const contract = mayRunContracts ? firstWaiting(this.#contracts) : undefined
    if (contract !== undefined && !(plain !== undefined && plain.order < contract.order)) {
      this.#contracts.shift()
      return [contract]
    }
    return this.#plain.splice(0, count).filter((task) => !task.isSettled)
  }

  #queueOf(task: Task): Task[] {
    return task.runsContracts ? this.#contracts : this.#plain
  }
}

function firstWaiting(queue: Task[]): Task | undefined {
  while (queue[0]?.isSettled === true) queue.shift()
  return queue[0]
}
