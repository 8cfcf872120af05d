import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder } from '@coin/store/folder-lock'
import type { HomePaths } from './paths.js'

/**
 * Throws the store's `locked`, which names the process, when a node runs in this home folder. Whoever removes or replaces what
 * belongs to a node asks this first.
 */
export function requireStopped({ dataDir }: HomePaths): void {
  const state = join(dataDir, 'state')
  if (existsSync(state)) lockFolder(state)()
}
