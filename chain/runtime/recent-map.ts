interface Kept<V> {
  readonly value: V
  readonly weight: number
}

/**
 * Remembers the entries that were used last, `entriesMax` at most. Kept in two halves: a full young half becomes the old one,
 * whose entries move back when they are used, so that forgetting costs nothing.
 */
export class RecentMap<V> {
  readonly #halfMax: number
  #young = new Map<string, Kept<V>>()
  #youngWeight = 0
  #old = new Map<string, Kept<V>>()

  constructor(entriesMax: number) {
    this.#halfMax = Math.max(1, Math.floor(entriesMax / 2))
  }

  get(key: string): V | undefined {
    const recent = this.#young.get(key)
    if (recent !== undefined) return recent.value
    const found = this.#old.get(key)
    if (found !== undefined) this.set(key, found.value, found.weight)
    return found?.value
  }

  /** An entry of weight 3 takes the room of three. */
  set(key: string, value: V, weight = 1): void {
    if (this.#youngWeight >= this.#halfMax) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngWeight = 0
    }
    this.#youngWeight += weight - (this.#young.get(key)?.weight ?? 0)
    this.#young.set(key, { value, weight })
  }
}
