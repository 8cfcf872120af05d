import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playCrashes } from './testing/crash-rounds.js'

it('loses no acknowledged block to three kills', async () => {
  const path = mkdtempSync(join(tmpdir(), 'coin-crash-'))
  try {
    const options = { path, seed: 1, rounds: 3, firstHeight: 41, snapshotLogBytes: 100_000, lifeMsMax: 400 }
    const { blocks, acknowledged } = await playCrashes(options)
    expect(acknowledged).toBeGreaterThan(3) // few on a busy machine
    expect(blocks).toBeLessThanOrEqual(acknowledged + 3)
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
})
