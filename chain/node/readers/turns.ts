/** Lets at most `max` works run at one time; the others wait for their turn, in order. */
export class Turns {
  readonly #max: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(max: number) {
    this.#max = max
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running === this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#running++
    try {
      return await work()
    } finally {
      // Who comes next takes the place over.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}
