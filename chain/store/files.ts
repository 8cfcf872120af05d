import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Bytes } from '@coin/base/bytes'

/** Makes new, renamed or removed names of a folder durable. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Writes all bytes, from `position` or where the file stands: `writeSync` may write less than it was given. */
export function writeWhole(fd: number, bytes: Bytes, position?: number): void {
  let at = 0
  while (at < bytes.length) {
    at += writeSync(fd, bytes, at, bytes.length - at, position === undefined ? null : position + at)
  }
}

/** A new file with these bytes, durable when it returns (its name is not: see {@link syncFolder}). */
export function writeFileSynced(path: string, chunks: Iterable<Bytes>): void {
  const fd = openSync(path, 'w')
  try {
    for (const chunk of chunks) writeWhole(fd, chunk)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Replaces a file: after a crash it is the old one or the new one, whole. */
export function replaceFile(path: string, bytes: Bytes): void {
  writeFileSynced(`${path}.new`, [bytes])
  renameSync(`${path}.new`, path)
  syncFolder(dirname(path))
}
