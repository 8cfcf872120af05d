import type { Read } from './context.js'
import type { Module } from './module.js'

/** One thing that a module says must always be true. */
export interface InvariantCheck {
  readonly module: string
  readonly name: string
  /** What is not as it must be; absent when all is well. */
  readonly broken?: string
}

/** Asks every invariant of every module. Reads all of their state: seconds for millions of balances. */
export function checkInvariants(ctx: Read, modules: readonly Module[]): readonly InvariantCheck[] {
  return modules.flatMap((module) =>
    Object.entries(module.invariants ?? {}).map(([name, check]): InvariantCheck => {
      const broken = check(ctx)
      return { module: module.name, name, ...(broken !== undefined && { broken }) }
    }),
  )
}
