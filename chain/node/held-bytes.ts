import type { ServerResponse } from 'node:http'

/** What is no larger is not counted: the number of connections bounds it, and it is served however much others hold. */
export const smallBytesMax = 65_536
/** A client that has not taken its answer by then does not want it. */
export const takenMsMax = 120_000
/** Nor one that takes nothing for so long. */
const stalledMs = 30_000

/** Of all doors together. */
export const heldBytesMax = 512 * 1024 * 1024

export const tooMuchHeld = 'the node holds too many large requests and answers, try again later'

/**
 * Counts the large requests and answers that the doors hold for their clients: nobody can fill the node's memory by asking for
 * much and taking none of it.
 *
 * @example
 * const release = held.take(answer.length)
 * if (release === undefined) refuse()
 */
export class HeldBytes {
  readonly #max: number
  #bytes = 0

  constructor(max: number) {
    this.#max = max
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Undefined when too much is held already; else what gives the bytes back, once. Whatever its size, something alone is taken. */
  take(bytes: number): (() => void) | undefined {
    if (bytes <= smallBytesMax) return () => undefined
    if (this.#bytes > 0 && this.#bytes + bytes > this.#max) return undefined
    this.#bytes += bytes
    let isHeld = true
    return () => {
      if (isHeld) this.#bytes -= bytes
      isHeld = false
    }
  }

  /** Takes the bytes of an answer until its client has them, or has had time enough. False when too much is held already. */
  takeFor(response: ServerResponse, bytes: number): boolean {
    const release = this.take(bytes)
    if (release === undefined) return false
    // Ends the connection when it passes; the server sets its own again after the answer.
    response.socket?.setTimeout(stalledMs)
    if (bytes <= smallBytesMax) return true
    const timer = setTimeout(() => response.destroy(), takenMsMax)
    response.once('close', () => {
      clearTimeout(timer)
      release()
    })
    return true
  }
}
