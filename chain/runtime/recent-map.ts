/**
 * Remembers the entries that were used last, `entriesMax` at most. Kept in two halves: a full young half becomes the old one,
 * whose entries move back when they are used, so that forgetting costs nothing.
 */
export class RecentMap<V> {
  readonly #halfMax: number
  #young = new Map<string, V>()
  #old = new Map<string, V>()

  constructor(entriesMax: number) {
    this.#halfMax = Math.max(1, Math.floor(entriesMax / 2))
  }

  get(key: string): V | undefined {
    const recent = this.#young.get(key)
    if (recent !== undefined) return recent
    const found = this.#old.get(key)
    if (found !== undefined) this.set(key, found)
    return found
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#halfMax) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }
}
