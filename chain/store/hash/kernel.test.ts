import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('is built from the committed source', () => {
  const script = fileURLToPath(new URL('../../hash/build.mjs', import.meta.url))
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8', stdio: 'pipe' })).toBe('')
})
