import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '@coin/base/assert'
import { type Bytes, bytesToHex, emptyBytes, equalBytes } from '@coin/base/bytes'
import { type Logger, silentLogger } from '@coin/base/logger'
import { storeErrors } from './errors.js'
import { storesMax } from './flat-layout.js'
import { FlatValues } from './flat-values.js'
import { lockFolder } from './folder-lock.js'
import { Forest } from './forest.js'
import { Journal } from './journal.js'
import type { StateBranch, StateRead } from './kv.js'
import { checkAvailable, historyBlocksDefault } from './memory-multi-store.js'
import type { MultiStore, ProofOp } from './multi-store.js'
import { type BlockRecord, encodeRecord } from './record.js'
import { listSnapshots, loadSnapshot, removeSnapshotsBefore, writeSnapshotInThread } from './snapshot.js'
import { openWal, type Wal } from './wal.js'

/** Runs one stage of a commit; the bench takes the time around it. */
export type StoreMeasure = <T>(
  stage: 'encode' | 'treeSet' | 'treeHash' | 'treeSave' | 'wal' | 'post',
  run: () => T,
) => T

export interface DiskMultiStoreOptions {
  /** A folder of its own, made when it is not there. */
  readonly path: string
  /** Stores that are mounted. One may be added later; none is ever taken away. */
  readonly stores: readonly string[]
  /** Blocks whose state stays readable behind the last one. Default 100. */
  readonly historyBlocks?: number
  /** A snapshot of the trees is written when the log has grown by this much since the last one. Default 64 MiB. */
  readonly snapshotLogBytes?: number
  readonly logger?: Logger
  readonly measure?: StoreMeasure
  /** The state cannot be written any more: stop the node. */
  onFailure?(error: Error): void
}

/**
 * Opens the state in `path`, brought up to the last block that was made durable: the newest snapshot of the trees, then the log.
 * Throws `locked`, `corruptLog`, `corruptSnapshot`, `corruptValues`, `unknownFormat`.
 */
export function openMultiStore(options: DiskMultiStoreOptions): MultiStore {
  mkdirSync(options.path, { recursive: true })
  const unlock = lockFolder(options.path)
  try {
    return new DiskMultiStore(options, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

interface Staged {
  readonly record: BlockRecord
}

class DiskMultiStore implements MultiStore {
  readonly #options: DiskMultiStoreOptions
  readonly #measure: StoreMeasure
  readonly #log: Logger
  readonly #snapshots: string
  readonly #historyBlocks: number
  readonly #forest: Forest
  readonly #values: FlatValues
  readonly #wal: Wal
  readonly #unlock: () => void
  #height = 0
  #appHash: Bytes
  #staged: Staged | undefined
  #snapshotHeight = 0
  #snapshotting: Promise<void> | undefined
  #logBytes = 0

  constructor(options: DiskMultiStoreOptions, unlock: () => void) {
    const { path, stores } = options
    this.#options = options
    this.#unlock = unlock
    this.#measure = options.measure ?? ((_stage, run) => run())
    this.#log = options.logger ?? silentLogger
    this.#historyBlocks = options.historyBlocks ?? historyBlocksDefault
    this.#snapshots = join(path, 'snapshots')
    const logPath = join(path, 'log')
    mkdirSync(this.#snapshots, { recursive: true })
    mkdirSync(logPath, { recursive: true })
    const numbers = numberStores(join(path, 'stores.json'), stores)
    this.#forest = new Forest(stores)
    this.#appHash = this.#forest.workingHash(1)
    this.#forest.rollback()
    this.#values = new FlatValues({
      path: join(path, 'values'),
      numbers,
      historyBlocks: this.#historyBlocks,
      onFailure: (error) => this.#fail(error),
    })
    const { wal, records } = openWal(logPath)
    this.#wal = wal
    this.#loadTrees()
    this.#replay(records)
    if (this.#values.written > this.#height)
      throw storeErrors.corruptValues(
        `the values are of height ${this.#values.written}, the log ends at ${this.#height}`,
      )
  }

  get height(): number {
    return this.#height
  }

  get appHash(): Bytes {
    return this.#appHash
  }

  committed(): StateRead {
    return this.#values
  }

  at(height: number): StateRead {
    checkAvailable(height, this.available())
    return height === this.#height ? this.#values : this.#values.at(height)
  }

  available(): { readonly earliest: number; readonly latest: number } {
    return { earliest: Math.max(this.#forest.earliest(), this.#values.earliest()), latest: this.#height }
  }

  branch(): StateBranch {
    return new Journal(this.#values)
  }

  stage(branch: StateBranch, height: number): Bytes {
    assert(branch instanceof Journal, 'only a branch of this store can be staged')
    assert(this.#height === 0 || height === this.#height + 1, `height ${height} is staged after ${this.#height}`)
    if (this.#staged !== undefined) this.#forest.rollback()
    const changes = branch.changes(this.#forest.trees.keys())
    this.#measure('treeSet', () => this.#forest.apply(changes))
    const appHash = this.#measure('treeHash', () => this.#forest.workingHash(height))
    this.#staged = { record: { height, appHash, changes } }
    return appHash
  }

  commit(): void {
    assert(this.#staged !== undefined, 'nothing is staged')
    const { record } = this.#staged
    const bytes = this.#measure('encode', () => encodeRecord(record))
    this.#measure('wal', () => this.#wal.append(record.height, bytes))
    this.#logBytes += bytes.length
    this.#measure('treeSave', () => this.#forest.save(record.height, record.height - this.#historyBlocks))
    this.#measure('post', () => this.#values.push(record, bytes))
    this.#staged = undefined
    this.#height = record.height
    this.#appHash = record.appHash
    if (this.#logBytes >= (this.#options.snapshotLogBytes ?? 64 * 1024 * 1024)) this.#startSnapshot()
  }

  prove(height: number, store: string, key: Bytes): { value: Bytes | undefined; ops: readonly ProofOp[] } {
    const state = this.at(height).store(store)
    const ops = this.#forest.prove(height, store, key, (neighbour) => state.get(neighbour) ?? emptyBytes)
    return { value: state.get(key), ops }
  }

  async close(): Promise<void> {
    await this.#snapshotting
    this.#wal.close()
    await this.#values.close()
    this.#unlock()
  }

  #fail(error: Error): void {
    this.#log.error({ error: error.message }, 'the state cannot be written')
    this.#options.onFailure?.(error)
  }

  #loadTrees(): void {
    const height = listSnapshots(this.#snapshots).at(-1)
    if (height === undefined) return
    this.#appHash = loadSnapshot(this.#snapshots, height, this.#forest)
    this.#height = this.#snapshotHeight = height
  }

  /** Applies the log to the trees, checking each app hash, and hands the values writer what it has missed. */
  #replay(records: Iterable<BlockRecord>): void {
    const values = this.#values.written
    let seen = 0
    for (const record of records) {
      const { height, appHash, changes } = record
      if (seen !== 0 && height !== seen + 1) throw storeErrors.corruptLog(`height ${height} follows ${seen}`)
      if (seen === 0 && height > Math.min(values, this.#snapshotHeight) + 1 && (values > 0 || this.#snapshotHeight > 0))
        throw storeErrors.corruptLog(
          `begins at height ${height}; the values are of ${values}, the trees of ${this.#snapshotHeight}`,
        )
      seen = height
      if (height > this.#height) {
        this.#forest.apply(changes)
        const found = this.#forest.workingHash(
          height,
          changes.map(({ name }) => name),
        )
        if (!equalBytes(found, appHash)) {
          const hashes = `${bytesToHex(found)}, the log says ${bytesToHex(appHash)}`
          throw storeErrors.corruptLog(`height ${height} gives the app hash ${hashes}`)
        }
        this.#forest.save(height, height - this.#historyBlocks)
        this.#height = height
        this.#appHash = appHash
      }
      const bytes = encodeRecord(record)
      this.#logBytes += bytes.length
      if (height > values) this.#values.push(record, bytes)
    }
    if (seen > 0)
      this.#log.info({ height: this.#height, snapshot: this.#snapshotHeight }, 'state restored from the log')
  }

  /** Writes the trees of the last height in a thread of its own. The log keeps what came before the snapshot before this one. */
  #startSnapshot(): void {
    if (this.#snapshotting !== undefined) return
    const height = this.#height
    const before = this.#snapshotHeight
    const unpins = [...this.#forest.trees.values()].map((tree) => tree.pin(height))
    const sources = [...this.#forest.trees].map(([name, tree]) => ({ name, source: tree.source(height) }))
    this.#logBytes = 0
    this.#wal.rotate()
    this.#snapshotting = writeSnapshotInThread({ path: this.#snapshots, height, appHash: this.#appHash, sources })
      .then(() => {
        this.#snapshotHeight = height
        removeSnapshotsBefore(this.#snapshots, before)
        this.#wal.removeBefore(Math.min(before, this.#values.written) + 1)
        this.#log.info({ height }, 'state snapshot written')
      })
      .catch((error: unknown) =>
        this.#log.warn({ height, error: String(error) }, 'the snapshot failed; the log is kept'),
      )
      .finally(() => {
        for (const unpin of unpins) unpin()
        this.#snapshotting = undefined
      })
  }
}

/** Each store's number in the files, for ever: known ones from `path`, new ones behind them. */
function numberStores(path: string, stores: readonly string[]): ReadonlyMap<string, number> {
  const known = existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as { format: number; stores: string[] })
    : undefined
  if (known !== undefined && known.format !== 1)
    throw storeErrors.unknownFormat(`${path} has format ${known.format}, this program knows 1`)
  const missing = known?.stores.filter((name) => !stores.includes(name)) ?? []
  if (missing.length > 0)
    throw storeErrors.unknownStore(`${path} has ${missing.join(', ')}, which this program does not mount`)
  const all = [...new Set([...(known?.stores ?? []), ...stores])]
  assert(all.length <= storesMax, `at most ${storesMax} stores`)
  if (all.length !== known?.stores.length) {
    writeFileSync(`${path}.new`, JSON.stringify({ format: 1, stores: all }))
    renameSync(`${path}.new`, path)
  }
  return new Map(all.map((name, number) => [name, number]))
}
