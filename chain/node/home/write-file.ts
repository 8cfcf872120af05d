import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file so that a crash leaves the old text or the new one, never a part: beside it, synced, then renamed. Only the
 * owner may read it, for most files here hold keys. Folders on the way are made.
 */
export function writeFileWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.new`
  const file = openSync(beside, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(beside, path)
}

/** JSON as Go's MarshalIndent lays it out, with a newline at the end. */
export function formatJsonFile(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
