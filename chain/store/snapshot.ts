import {
  closeSync,
  existsSync,
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
import { crc32 } from 'node:zlib'
import { type Bytes, bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import { appHashOf } from './commit-info.js'
import { storeErrors } from './errors.js'
import { syncFolder, writeFileSynced } from './files.js'
import type { Forest } from './forest.js'
import { dumpSource } from './packed-tree-dump.js'
import { type TreeSource, treeErrors } from './tree.js'

// snapshots/<height>/<store>.tree   a tree's dump
// snapshots/<height>/manifest.json  written last: {"format": 1, "height", "appHash" (hex), "stores": [{"name", "crc32"}]}
const folderName = /^\d{15}$/
const manifestName = 'manifest.json'
const chunkBytes = 1024 * 1024

interface Manifest {
  readonly format: 1
  readonly height: number
  readonly appHash: string
  /** The checksum is of the store's file: hashes in a tree do not cover the keys as they are written. */
  readonly stores: readonly { readonly name: string; readonly crc32: number }[]
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
  try {
    const stores = sources.map(({ name, source }) => {
      const sum = { crc32: 0 }
      writeFileSynced(join(temporary, `${name}.tree`), summed(dumpSource(source), sum))
      return { name, ...sum }
    })
    const manifest: Manifest = { format: 1, height, appHash: bytesToHex(appHash), stores }
    writeFileSynced(join(temporary, manifestName), [utf8ToBytes(JSON.stringify(manifest))])
    syncFolder(temporary)
    renameSync(temporary, folderOf(path, height))
    syncFolder(path)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true }) // a full disk needs the room
    throw error
  }
}

/** Fills the empty trees of `forest` and answers the app hash. Throws `corruptSnapshot` when anything is damaged or missing. */
export function loadSnapshot(path: string, height: number, forest: Forest): Bytes {
  const folder = folderOf(path, height)
  try {
    const manifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8')) as Manifest
    if (manifest.format !== 1) throw treeErrors.badDump(`format ${manifest.format}, this program knows 1`)
    const roots = manifest.stores.map((store) => {
      const tree = forest.tree(store.name)
      const sum = { crc32: 0 }
      const version = tree.load(summed(readChunks(join(folder, `${store.name}.tree`)), sum))
      if (version !== height) throw treeErrors.badDump(`${store.name} is of height ${version}`)
      if (sum.crc32 !== store.crc32) throw treeErrors.badDump(`${store.name} has another checksum`)
      return { name: store.name, root: tree.rootHash(version) }
    })
    const appHash = appHashOf(roots)
    if (bytesToHex(appHash) !== manifest.appHash) throw treeErrors.badDump('the trees do not give its app hash')
    return appHash
  } catch (error) {
    // Whatever is wrong, from a missing file to a name that nobody knows, came from what is written there.
    throw storeErrors.corruptSnapshot(`${folder}: ${(error as Error).message}`)
  }
}

/** Adds what passes through to a checksum. */
function* summed(chunks: Iterable<Bytes>, sum: { crc32: number }): Generator<Bytes> {
  for (const chunk of chunks) {
    sum.crc32 = crc32(chunk, sum.crc32)
    yield chunk
  }
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

/** Removes the snapshots below `height` and what a crash left half-written. Not while one is being written. */
export function removeSnapshotsBefore(path: string, height: number): void {
  for (const name of readdirSync(path)) {
    if (!folderName.test(name) || Number(name) < height) rmSync(join(path, name), { recursive: true, force: true })
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
