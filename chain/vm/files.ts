import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Bytes } from '@coin/base/bytes'

/** The little that the code store needs of a disk. Names are relative paths with `/`. */
export interface FilePort {
  read(name: string): Bytes | undefined
  /** All or nothing, also when the machine stops in between. */
  write(name: string, bytes: Bytes): void
  /** Does nothing when the file is absent. */
  remove(name: string): void
}

/** Flushes a file or folder to the disk; a new or renamed file is found after a power loss only when its folder is. */
function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Files below `root`, which is made if it is not there. */
export function diskFiles(root: string): FilePort {
  const base = resolve(root)
  return {
    read(name) {
      const path = join(base, name)
      if (!existsSync(path)) return undefined
      const buffer = readFileSync(path)
      return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
    },
    write(name, bytes) {
      const path = join(base, name)
      const folder = dirname(path)
      const firstMade = mkdirSync(folder, { recursive: true })
      const temporary = `${path}.tmp`
      writeFileSync(temporary, bytes, { flush: true })
      renameSync(temporary, path)
      flush(folder)
      for (let made = folder; firstMade !== undefined && made.length >= firstMade.length; made = dirname(made)) {
        flush(dirname(made))
      }
    },
    remove(name) {
      rmSync(join(base, name), { force: true })
    },
  }
}

/** The same in memory, for tests and for nodes that keep nothing. */
export function memoryFiles(): FilePort {
  const files = new Map<string, Bytes>()
  return {
    read: (name) => files.get(name)?.slice(),
    write: (name, bytes) => void files.set(name, bytes.slice()),
    remove: (name) => void files.delete(name),
  }
}

/** The files of another thread: read as they are, never written. What the code store would cache, it makes anew. */
export function readOnlyFiles(files: FilePort): FilePort {
  return { read: files.read, write() {}, remove() {} }
}
