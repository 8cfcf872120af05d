import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@coin/base/logger'

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

const pageBytes = 4096
const lmdbMagic = 0xbeefc0de

/**
 * Whether LMDB may open the file, if there is one: it takes what it finds for granted and would end the whole process. Looks at the two
 * pages in front: the sign of the format, and that the roots of the newer state are within the file.
 */
function isWholeDatabase(path: string): boolean {
  if (!existsSync(path)) return true
  const file = openSync(path, 'r')
  try {
    const pages = Math.floor(fstatSync(file).size / pageBytes)
    const view = new DataView(new ArrayBuffer(2 * pageBytes))
    if (readSync(file, view, 0, 2 * pageBytes, 0) < 2 * pageBytes) return false
    const states = [0, pageBytes].map((page) => ({
      magic: view.getUint32(page + 24, true),
      // Behind the two databases' fields: padding, flags, depth, three page counts, entries, root.
      roots: [page + 48 + 40, page + 96 + 40].map((at) => view.getBigUint64(at, true)),
      transaction: view.getBigUint64(page + 152, true),
    }))
    const newest = states.reduce((a, b) => (a.transaction >= b.transaction ? a : b))
    const isInside = (root: bigint) => root === noPage || root < BigInt(pages)
    return states.every(({ magic }) => magic === lmdbMagic) && newest.roots.every(isInside)
  } finally {
    closeSync(file)
  }
}

const noPage = 2n ** 64n - 1n

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
