/**
 * Answers to queries of the last state, which cannot change until the next block. Emptied when the height changes; bounded
 * by characters, so a flood of different queries cannot fill the memory.
 */
export class BodyCache {
  readonly #bodies = new Map<string, string>()
  readonly #charsMax: number
  #height = -1
  #chars = 0

  constructor(charsMax: number) {
    this.#charsMax = charsMax
  }

  get(height: number, key: string): string | undefined {
    return height === this.#height ? this.#bodies.get(key) : undefined
  }

  set(height: number, key: string, body: string): void {
    if (height !== this.#height) {
      this.#bodies.clear()
      this.#height = height
      this.#chars = 0
    }
    const size = key.length + body.length
    if (this.#chars + size > this.#charsMax || this.#bodies.has(key)) return
    this.#chars += size
    this.#bodies.set(key, body)
  }
}
