import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type RolledBack, rollbackChain, rollbackTarget } from '@coin/engine/embedded/rollback'
import { lockFolder } from '@coin/store/folder-lock'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { rollbackState } from '@coin/store/rollback'
import { nodeErrors } from '../errors.js'
import { clearIndexFolder } from '../index/index-folder.js'
import { signStateFile } from './key-files.js'
import type { HomePaths } from './paths.js'

/**
 * Takes the chain of a home folder one block back: state and results, with `hard` the block too. The application goes first, so a crash in
 * between leaves a chain that starts, or that can be rolled back again. The tx index is removed: it is built again at the next start.
 * Throws the store's `locked` while a node runs, and its or the engine's errors, which have changed nothing.
 */
export async function rollback({ dataDir, privValidatorState }: HomePaths, hard: boolean): Promise<RolledBack> {
  const state = join(dataDir, 'state')
  if (!existsSync(state) || !existsSync(join(dataDir, 'blocks')))
    throw nodeErrors.noState(`${dataDir} has no chain to go back in`)
  const unlock = lockFolder(state)
  try {
    const db = openKvDatabase(join(dataDir, 'blocks'))
    try {
      const target = rollbackTarget(db)
      if (hard) requireSignable(privValidatorState, target + 1)
      await rollbackState(state, target)
      const result = rollbackChain(db, hard)
      clearIndexFolder(join(dataDir, 'tx_index'))
      return result
    } finally {
      await db.close()
    }
  } finally {
    unlock()
  }
}

/** The block that takes the place of a removed one is signed in a later round; heights below are never signed again. */
function requireSignable(path: string, next: number): void {
  const signed = signStateFile(path).load()?.height ?? 0
  if (signed <= next) return
  throw nodeErrors.badFile(
    `${path} says that height ${signed} was signed, and the next block would be ${next}, which this validator refuses to sign: ` +
      'only the last block can be removed. If nobody else has seen these blocks, set the height there to that of the next block',
  )
}
