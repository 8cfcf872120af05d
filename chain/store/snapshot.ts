import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Bytes, bytesToHex, equalBytes, hexToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { appHashOf } from './commit-info.js'
import { storeErrors } from './errors.js'
import type { Forest } from './forest.js'
import { dumpSource } from './packed-tree-dump.js'
import type { TreeSource } from './tree.js'
import { syncFolder, writeWhole } from './wal.js'

// snapshots/<height>/<store>.tree   a tree's dump
// snapshots/<height>/manifest.json  written last: {"format": 1, "height", "appHash" (hex), "stores": [names]}
const folderName = /^\d{15}$/
const manifestName = 'manifest.json'
const chunkBytes = 1024 * 1024

interface Manifest {
  readonly format: 1
  readonly height: number
  readonly appHash: string
  readonly stores: readonly string[]
}

/** The trees of one height, in a form that crosses to another thread. */
export interface SnapshotJob {
  /** The folder `snapshots`. */
  readonly path: string
  readonly height: number
  readonly appHash: Bytes
  readonly sources: readonly { readonly name: string; readonly source: TreeSource }[]
}

function folderOf(path: string, height: number): string {
  return join(path, String(height).padStart(15, '0'))
}

/** Heights of the finished snapshots, oldest first. */
export function listSnapshots(path: string): readonly number[] {
  return readdirSync(path)
    .filter((name) => folderName.test(name) && existsSync(join(path, name, manifestName)))
    .map(Number)
    .sort((a, b) => a - b)
}

/** Writes all trees, then gives the folder its name: a snapshot is there whole or not at all. Runs in its own thread. */
export function writeSnapshot({ path, height, appHash, sources }: SnapshotJob): void {
  const temporary = join(path, `writing-${height}`)
  rmSync(temporary, { recursive: true, force: true })
  mkdirSync(temporary)
  for (const { name, source } of sources) writeFile(join(temporary, `${name}.tree`), dumpSource(source))
  const stores = sources.map(({ name }) => name)
  const manifest: Manifest = { format: 1, height, appHash: bytesToHex(appHash), stores }
  writeFile(join(temporary, manifestName), [Buffer.from(JSON.stringify(manifest))])
  syncFolder(temporary)
  renameSync(temporary, folderOf(path, height))
  syncFolder(path)
}

function writeFile(path: string, chunks: Iterable<Bytes>): void {
  const fd = openSync(path, 'w')
  try {
    for (const chunk of chunks) writeWhole(fd, chunk)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Fills the empty trees of `forest`. Throws `corruptSnapshot` when a file is damaged or does not fit the app hash. */
export function loadSnapshot(path: string, height: number, forest: Forest): Bytes {
  const folder = folderOf(path, height)
  try {
    const manifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8')) as Manifest
    const roots = manifest.stores.map((name) => {
      const tree = forest.tree(name)
      const version = tree.load(readChunks(join(folder, `${name}.tree`)))
      return { name, root: tree.rootHash(version) }
    })
    const appHash = hexToBytes(manifest.appHash)
    if (!equalBytes(appHashOf(roots), appHash)) throw storeErrors.corruptSnapshot('the trees do not give its app hash')
    return appHash
  } catch (error) {
    if (!(error instanceof CodedError) && !(error instanceof SyntaxError) && !isFileError(error)) throw error
    throw storeErrors.corruptSnapshot(`${folder}: ${(error as Error).message}`)
  }
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

function* readChunks(path: string): Generator<Bytes> {
  const fd = openSync(path, 'r')
  try {
    while (true) {
      const chunk = new Uint8Array(chunkBytes)
      const length = readSync(fd, chunk)
      if (length === 0) return
      yield chunk.subarray(0, length)
    }
  } finally {
    closeSync(fd)
  }
}

/** Removes the snapshots below `height` and what a crash left half-written. */
export function removeSnapshotsBefore(path: string, height: number): void {
  for (const name of readdirSync(path)) {
    if (folderName.test(name) ? Number(name) < height : name !== `writing-${height}`)
      rmSync(join(path, name), { recursive: true, force: true })
  }
}

/** Runs {@link writeSnapshot} in a thread that ends with it. */
export function writeSnapshotInThread(job: SnapshotJob): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./snapshot-writer.js', import.meta.url), { workerData: job })
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(storeErrors.diskFailed(`the snapshot thread ended with code ${code}`)),
    )
  })
}
