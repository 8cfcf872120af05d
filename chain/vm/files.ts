import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Bytes } from '@coin/base/bytes'

/** The little that the code store needs of a disk. Names are relative paths with `/`. */
export interface FilePort {
  read(name: string): Bytes | undefined
  /** All or nothing, also when the machine stops in between. */
  write(name: string, bytes: Bytes): void
  /** Does nothing when the file is absent. */
  remove(name: string): void
}

/** Files below `root`, which is made if it is not there. */
export function diskFiles(root: string): FilePort {
  return {
    read(name) {
      const path = join(root, name)
      if (!existsSync(path)) return undefined
      const buffer = readFileSync(path)
      return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
    },
    write(name, bytes) {
      const path = join(root, name)
      mkdirSync(dirname(path), { recursive: true })
      const temporary = `${path}.tmp`
      const file = openSync(temporary, 'w')
      try {
        writeSync(file, bytes)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(temporary, path)
    },
    remove(name) {
      rmSync(join(root, name), { force: true })
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
