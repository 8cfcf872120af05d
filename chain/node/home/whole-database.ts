import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nodeErrors } from '../errors.js'

const pageBytes = 4096
const lmdbMagic = 0xbeefc0de
const noPage = 2n ** 64n - 1n

/** Throws `badFile` when LMDB must not open the file `path`. */
export function requireWholeDatabase(path: string): void {
  const damage = databaseDamage(path)
  if (damage !== undefined) throw nodeErrors.badFile(`${path} ${damage}`)
}

/** As `requireWholeDatabase`, for what a start opens: a file that is not there, or still empty, is made. */
export function requireUsableDatabases(folders: readonly string[]): void {
  for (const path of folders.map((folder) => join(folder, 'data.mdb')))
    if (existsSync(path) && statSync(path).size > 0) requireWholeDatabase(path)
}

/**
 * Why LMDB must not open the file: it takes what it finds for granted, and would end the whole process. Looks at the two pages in
 * front: the sign of the format, and that the roots of the newer state are within the file.
 */
export function databaseDamage(path: string): string | undefined {
  const file = openSync(path, 'r')
  try {
    const pages = BigInt(Math.floor(fstatSync(file).size / pageBytes))
    const view = new DataView(new ArrayBuffer(2 * pageBytes))
    if (readSync(file, view, 0, 2 * pageBytes, 0) < 2 * pageBytes) return 'is cut off'
    const states = [0, pageBytes].map((page) => ({
      magic: view.getUint32(page + 24, true),
      // Behind the two databases' fields: padding, flags, depth, three page counts, entries, root.
      roots: [page + 48 + 40, page + 96 + 40].map((at) => view.getBigUint64(at, true)),
      transaction: view.getBigUint64(page + 152, true),
    }))
    const newest = states.reduce((a, b) => (a.transaction >= b.transaction ? a : b))
    const isInside = (root: bigint) => root === noPage || root < pages
    if (!states.every(({ magic }) => magic === lmdbMagic)) return 'is no LMDB database'
    return newest.roots.every(isInside) ? undefined : 'is cut off: its newest state lies behind its end'
  } finally {
    closeSync(file)
  }
}
