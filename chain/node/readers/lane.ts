import type { Reader } from './reader.js'
import type { ReaderAnswer } from './reader-jobs.js'
import type { Task } from './task-queue.js'

/** Answers to tasks of the batch that this lane still has. */
export type TaskAnswer = readonly [task: Task, answer: ReaderAnswer]

/** A reader and the tasks that it has. */
export class Lane {
  readonly reader: Reader
  isReady = false
  runsContracts = false
  /** By their index in the batch. */
  readonly #tasks = new Map<number, Task>()
  #timer: NodeJS.Timeout | undefined

  constructor(reader: Reader) {
    this.reader = reader
  }

  /** How many tasks it has. */
  get size(): number {
    return this.#tasks.size
  }

  get tasks(): readonly Task[] {
    return [...this.#tasks.values()]
  }

  /** Calls `late` when the batch is not done after `lateMs`. */
  start(tasks: readonly Task[], lateMs: number, late: () => void): void {
    for (const [index, task] of tasks.entries()) this.#tasks.set(index, task)
    this.runsContracts = tasks.some((task) => task.runsContracts)
    this.#timer = setTimeout(late, lateMs)
    this.reader.ask(tasks.map(({ job }) => job))
  }

  /** The tasks that are answered, and the lane's no more. After the last ones of a batch it has none. */
  answered(answers: readonly ReaderAnswer[], isLast: boolean): readonly TaskAnswer[] {
    const settled = answers.flatMap((answer): TaskAnswer[] => {
      const task = this.#tasks.get(answer.index)
      this.#tasks.delete(answer.index)
      return task === undefined ? [] : [[task, answer]]
    })
    if (isLast) this.end()
    return settled
  }

  /**
   * Takes back what another reader can do: everything but the task that is running. Of that, answers may be under way or waiting for
   * it; to ask twice does no harm.
   */
  takeBack(lateMs: number, late: () => void): readonly Task[] {
    const running = this.reader.stopAfterCurrent() - 1
    const others = [...this.#tasks].filter(([index]) => index !== running)
    for (const [index] of others) this.#tasks.delete(index)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(late, lateMs)
    return others.map(([, task]) => task)
  }

  /** It has nothing any more; answers what it had. */
  end(): readonly Task[] {
    clearTimeout(this.#timer)
    const { tasks } = this
    this.#tasks.clear()
    this.runsContracts = false
    return tasks
  }
}
