import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { selfTest } from './self-test.js'

const main = fileURLToPath(new URL('./testing/self-test-main.js', import.meta.url))
const run = (...flags: string[]) =>
  execFileSync(process.execPath, [...flags, main], { encoding: 'utf8', stdio: 'pipe' })

it('the self-test passes here, in every compiler of V8', () => {
  selfTest()
  expect(run('--liftoff-only')).toBe('passed')
  expect(run('--no-liftoff')).toBe('passed')
})

it('the self-test says so when the native stack is too small', () => {
  expect(run('--liftoff-only', '--stack-size=300')).toContain('FatalVmError: the native stack overflowed')
})
