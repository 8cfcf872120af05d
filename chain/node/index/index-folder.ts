import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@coin/base/logger'
import { databaseDamage } from '../home/whole-database.js'

/**
 * The index is written without waiting for the disk, so a power failure may leave a database that cannot even be opened
 * safely. A killed process does no harm. This file says in which boot of the machine the folder was last in use; a clean end
 * removes it.
 */
const markName = 'in-use'
const brokenMark = 'broken'

/** Makes the folder ready to be opened; empties it when the machine went down while it was in use. Returns the end of the use. */
export function useIndexFolder(path: string, bootId: string, log: Logger): () => void {
  const mark = join(path, markName)
  const rebuild = (why: string) => {
    log.warn({ path }, `${why}; it is built again from the blocks`)
    clearIndexFolder(path)
  }
  const usedIn = existsSync(mark) ? readFileSync(mark, 'utf8') : undefined
  if (usedIn === brokenMark) rebuild('the tx index could not be read or written')
  else if (usedIn !== undefined && (bootId === '' || usedIn !== bootId))
    rebuild('the machine went down while the tx index was written')
  else if (!isWholeDatabase(join(path, 'data.mdb'))) rebuild('the tx index is damaged')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFileSync(mark, bootId)
  return () => rmSync(mark, { force: true })
}

/** The next use of the folder begins with an empty one. */
export function markIndexBroken(path: string): void {
  writeFileSync(join(path, markName), brokenMark)
}

function isWholeDatabase(path: string): boolean {
  return !existsSync(path) || databaseDamage(path) === undefined
}

/** Everything in the index comes from the blocks: it may be thrown away while nobody has it open. */
export function clearIndexFolder(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** Changes when the machine starts anew; empty where the system does not tell: then every use that did not end counts as lost. */
export function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
