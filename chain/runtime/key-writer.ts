import { type Bytes, utf8ToBytes } from '@coin/base/bytes'

const firstSize = 256

/**
 * Where keys are put together: their parts are written one behind the other, and only the whole becomes an array. Used as a
 * stack, so that a codec may encode another key while it writes its own.
 */
export class KeyWriter {
  #bytes = new Uint8Array(firstSize)
  #length = 0

  /** Where the next key begins; pass it to `take`. */
  get length(): number {
    return this.#length
  }

  /** What was written since `start`, as an array of its own; the writer goes back there. */
  take(start: number): Bytes {
    const key = this.#bytes.slice(start, this.#length)
    this.#length = start
    return key
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
  }

  raw(part: Bytes): void {
    this.#reserve(part.length)
    this.#bytes.set(part, this.#length)
    this.#length += part.length
  }

  /** UTF-8. */
  text(value: string): void {
    const start = this.#length
    this.#reserve(value.length)
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i)
      if (code > 0x7f) {
        this.#length = start
        this.raw(utf8ToBytes(value))
        return
      }
      this.#bytes[this.#length++] = code
    }
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}
