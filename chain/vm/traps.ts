/** V8's words for a trap to fixed ones, so that texts do not change with the engine's version. */
const traps: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/unreachable/, 'unreachable'],
  [/memory access out of bounds/, 'out of bounds memory access'],
  [/data segment .*out of bounds/, 'out of bounds memory access'],
  [/table initializer|element segment|table .*out of bounds/, 'out of bounds table access'],
  [/table index is out of bounds/, 'undefined element: out of bounds table access'],
  [/null function|signature mismatch/, 'indirect call type mismatch'],
  [/divide by zero|remainder by zero/, 'integer divide by zero'],
  [/divide result unrepresentable/, 'integer overflow'],
  [/float unrepresentable/, 'invalid conversion to integer'],
]

export function explainTrap(message: string): string {
  return traps.find(([pattern]) => pattern.test(message))?.[1] ?? 'trap'
}
