import { CodedError } from '@coin/base/errors'
import { isDatabaseError, isSystemError } from '../errors.js'

export type Level = 'ok' | 'warning' | 'problem'

/** What one check found. */
export interface Finding {
  /** Short name of what was looked at: `disk`. */
  readonly check: string
  readonly level: Level
  /** What is so, with the figures. */
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
}

/** Collects findings; a check that fails is a finding too. */
export interface Findings {
  ok(check: string, text: string): void
  warning(check: string, text: string, advice: string): void
  problem(check: string, text: string, advice: string): void
  /** Runs a check; what it throws of the operator's making is a problem with this advice. Answers undefined then. */
  guard<T>(check: string, advice: string, run: () => T | Promise<T>): Promise<T | undefined>
  list(): readonly Finding[]
}

export function createFindings(): Findings {
  const found: Finding[] = []
  const add = (level: Level) => (check: string, text: string, advice?: string) =>
    void found.push({ check, level, text, ...(advice !== undefined && { advice }) })
  const problem = add('problem')
  return {
    ok: add('ok'),
    warning: add('warning'),
    problem,
    async guard(check, advice, run) {
      try {
        return await run()
      } catch (error) {
        if (isDatabaseError(error)) problem(check, `a database is damaged (${error.message})`, advice)
        else if (error instanceof CodedError || isSystemError(error)) problem(check, error.message, advice)
        else throw error
        return undefined
      }
    },
    list: () => found,
  }
}
