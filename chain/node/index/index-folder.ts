import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@coin/base/logger'

/**
 * The index is written without waiting for the disk, so a power failure may leave a database that cannot even be opened
 * safely. A killed process does no harm. This file says in which boot of the machine the folder was last in use; a clean end
 * removes it.
 */
const markName = 'in-use'

/** Makes the folder ready to be opened; empties it when the machine went down while it was in use. Returns the end of the use. */
export function useIndexFolder(path: string, bootId: string, log: Logger): () => void {
  const mark = join(path, markName)
  if (existsSync(mark) && (bootId === '' || readFileSync(mark, 'utf8') !== bootId)) {
    log.warn({ path }, 'the machine went down while the tx index was written; it is built again from the blocks')
    clearIndexFolder(path)
  }
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFileSync(mark, bootId)
  return () => rmSync(mark, { force: true })
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
