/** Our own bug: nothing that a user sends may cause it. Whoever catches it stops the node. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

/** Stops with `message` when what the code relies on is not so. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}

/** For branches that the types rule out. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable value ${String(value)}`)
}
