import { runCli } from '../cli/program.js'
import type { Environment } from '../config/environment.js'
import { nodeErrors } from '../errors.js'

export interface CliResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process with the given environment and lines of input. */
export async function runInProcess(
  words: readonly string[],
  environment: Environment = {},
  input: readonly string[] = [],
): Promise<CliResult> {
  const out: string[] = []
  const err: string[] = []
  const lines = [...input]
  const code = await runCli(words, {
    environment,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    ask: async (question) => {
      err.push(question)
      const line = lines.shift()
      if (line === undefined) throw nodeErrors.cancelled(`no input for "${question}"`)
      return line
    },
    readAll: async () => lines.splice(0).join('\n'),
    close: () => {},
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
