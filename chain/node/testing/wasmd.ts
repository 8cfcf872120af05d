import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The reference's command, when it was built (`bash tests/reference/start.sh` does it). */
const binary = fileURLToPath(new URL('../../../../tests/reference/.cache/wasmd', import.meta.url))

export const hasWasmd: boolean = existsSync(binary)
if (!hasWasmd) console.warn('the Go reference is not built: comparisons with it are skipped')

/** Runs it on a home folder with lines of input; answers what it prints on both streams. Throws when it fails. */
export function wasmd(home: string, words: readonly string[], input = ''): string {
  return execFileSync('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', binary, ...words, '--home', home], {
    input,
    encoding: 'utf8',
  })
}
