import { assert } from '@coin/base/assert'
import { treeErrors } from './tree.js'

/** The saved versions of a tree that are still readable, oldest first, and what keeps them. */
export class VersionLog<T> {
  readonly #versions: number[] = []
  readonly #values = new Map<number, T>()
  readonly #pins: number[] = []
  /** Versions below are not wanted any more. */
  #wantedFrom = 0

  /** 0 when nothing was saved. */
  get latest(): number {
    return this.#versions.at(-1) ?? 0
  }

  get earliest(): number {
    return this.#versions[0] ?? 0
  }

  append(version: number, value: T): void {
    assert(version > this.latest, `version ${version} after ${this.latest}`)
    this.#versions.push(version)
    this.#values.set(version, value)
  }

  has(version: number): boolean {
    return this.#values.has(version)
  }

  /** Throws `versionUnavailable`, naming the range that is there. */
  require(version: number): T {
    const value = this.#values.get(version)
    if (value !== undefined) return value
    const range = this.latest === 0 ? 'nothing was saved' : `from ${this.earliest} to ${this.latest} is there`
    throw treeErrors.versionUnavailable(`version ${version}: ${range}`)
  }

  /**
   * Versions below `version` go, except the latest and what pins hold. Returns the values that came to be or passed the
   * oldest place, each once in its life: whatever those versions replaced is out of reach now.
   */
  releaseBefore(version: number): readonly T[] {
    this.#wantedFrom = Math.max(this.#wantedFrom, version)
    const limit = Math.min(this.#wantedFrom, this.latest, ...this.#pins)
    let drop = 0
    while (drop < this.#versions.length && this.#versions[drop]! < limit) drop++
    const passed = this.#versions.slice(1, drop + 1).map((passing) => this.#values.get(passing)!)
    for (const gone of this.#versions.splice(0, drop)) this.#values.delete(gone)
    return drop === 0 ? [] : passed
  }

  /** Keeps `version` and all after it until the returned function is called; that hands what it let go to `onRelease`. */
  pin(version: number, onRelease: (passed: readonly T[]) => void): () => void {
    this.require(version)
    this.#pins.push(version)
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#pins.splice(this.#pins.indexOf(version), 1)
      onRelease(this.releaseBefore(0))
    }
  }
}
