/** Who wants to know of new heights. */
export class HeightListeners {
  readonly #listeners = new Set<(height: number) => void>()

  /** Answers the function that takes the listener away again. */
  add(listener: (height: number) => void): () => void {
    const own = (height: number) => listener(height) // the same function may be added twice
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }

  tell(height: number): void {
    for (const listener of this.#listeners) listener(height)
  }
}
