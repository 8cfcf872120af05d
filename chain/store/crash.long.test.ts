import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { playCrashes } from './testing/crash-rounds.js'

// Snapshots every few blocks, every few hundred, and never.
it.each([20_000, 2_000_000, 1e12])(
  'loses no acknowledged block to twenty kills, a snapshot each %d bytes',
  async (size) => {
    const path = mkdtempSync(join(tmpdir(), 'coin-crash-'))
    try {
      const options = { path, seed: size % 97, rounds: 20, firstHeight: 1, snapshotLogBytes: size, lifeMsMax: 600 }
      const { blocks, acknowledged } = await playCrashes(options)
      expect(acknowledged).toBeGreaterThan(300)
      expect(blocks).toBeLessThanOrEqual(acknowledged + 20)
    } finally {
      rmSync(path, { recursive: true, force: true })
    }
  },
  300_000,
)
