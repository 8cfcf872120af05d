import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { haveContracts } from './testing/reference.js'
import { tierDigest } from './testing/tier-digest.js'

haveContracts('wasmd-0.60.2/cw20_base.wasm', 'wasmvm-2.3.1/cyberpunk.wasm', 'wasmvm-2.3.1/floaty_2.0.wasm')
const main = fileURLToPath(new URL('./testing/tier-digest-main.js', import.meta.url))
const calls = 150

describe('results, gas and state', () => {
  const expected = tierDigest(false, calls)

  it.each(['--liftoff-only', '--no-liftoff'])('are the same under %s', (flag) => {
    expect(execFileSync(process.execPath, [flag, main, String(calls)], { encoding: 'utf8' })).toBe(expected)
  })

  it('are the same with a new instance for every call', () => {
    expect(tierDigest(true, calls)).toBe(expected)
  })
})
