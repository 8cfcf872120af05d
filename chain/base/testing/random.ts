/** A seeded stream of numbers (mulberry32), so that a failure can be played again from the seed it prints. */
export interface Random {
  readonly seed: number
  /** 0 <= n < below. */
  int(below: number): number
  pick<T>(from: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return (word ^ (word >>> 14)) >>> 0
  }
  const int = (below: number) => next() % below
  return { seed, int, pick: (from) => from[int(from.length)]! }
}
