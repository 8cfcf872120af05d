import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { type Logger, silentLogger } from '@coin/base/logger'
import { storeErrors } from './errors.js'
import { syncFolder } from './files.js'
import { FlatValues } from './flat-values.js'
import { lockFolder } from './folder-lock.js'
import type { Forest } from './forest.js'
import { checkAvailable, checkNext, historyBlocksDefault, whileCurrent } from './history.js'
import { Journal } from './journal.js'
import type { StateBranch, StateRead } from './kv.js'
import type { MultiStore, Proof, ProofPath } from './multi-store.js'
import type { ChangeSet } from './overlay.js'
import { finishProof } from './proof.js'
import { type BlockRecord, encodeRecord } from './record.js'
import { type Restored, restore } from './restore.js'
import { removeSnapshotsBefore, writeSnapshotInThread } from './snapshot.js'
import { numberStores, storesFile, valuesFolder } from './store-numbers.js'
import { openWal, type Wal } from './wal.js'

/** Runs one stage of a commit; the bench takes the time around it. */
export type StoreMeasure = <T>(
  stage: 'encode' | 'treeSet' | 'treeHash' | 'treeSave' | 'wal' | 'post',
  run: () => T,
) => T

/** About 10 s of replaying full blocks at start. */
const snapshotLogBytesDefault = 64 * 1024 * 1024
/** Nearly empty blocks take 0.1 to 0.3 ms each to replay: 64 MiB of them would be a minute. */
const snapshotBlocksDefault = 20_000

export interface DiskMultiStoreOptions {
  /** A folder of its own, made when it is not there. */
  readonly path: string
  /** Stores that are mounted. One may be added later; none is ever taken away. */
  readonly stores: readonly string[]
  /** Blocks whose state stays readable behind the last one. Default 100. */
  readonly historyBlocks?: number
  /** A snapshot of the trees is written when the log has grown by this much since the last one. Default 64 MiB. */
  readonly snapshotLogBytes?: number
  /** Also after this many blocks, because a small one takes its time as well. Default 20,000. */
  readonly snapshotBlocks?: number
  readonly logger?: Logger
  readonly measure?: StoreMeasure
  /** The state cannot be written any more: stop the node. */
  onFailure?(error: Error): void
}

/**
 * Opens the state in `path`, brought up to the last block that was made durable. Throws `locked`, `corruptLog`, `corruptSnapshot`,
 * `unknownStore`, `unknownFormat`.
 */
export function openMultiStore(options: DiskMultiStoreOptions): MultiStore {
  const { path, stores, historyBlocks = historyBlocksDefault, logger = silentLogger } = options
  mkdirSync(path, { recursive: true })
  const unlock = lockFolder(path)
  let values: FlatValues | undefined
  try {
    const folders = { snapshots: join(path, 'snapshots'), log: join(path, 'log'), values: valuesFolder(path) }
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
    const numbers = numberStores(storesFile(path), stores)
    const onFailure = (error: Error) => {
      logger.error({ error: error.message }, 'the state cannot be written')
      options.onFailure?.(error)
    }
    values = new FlatValues({ path: folders.values, numbers, historyBlocks, onFailure })
    for (const folder of [folders.values, path]) syncFolder(folder)
    const wal = openWal(folders.log)
    const restored = restore({ stores, historyBlocks, snapshots: folders.snapshots, wal, values, logger })
    if (restored.logBytes === 0) wal.rotate() // the snapshot has it all: this segment can go with the next one
    return new DiskMultiStore({ ...options, historyBlocks, logger }, { ...folders, values, wal, unlock }, restored)
  } catch (error) {
    if (values === undefined) unlock()
    else void values.close().finally(unlock)
    throw error
  }
}

interface Parts {
  /** The folder of the snapshots. */
  readonly snapshots: string
  readonly wal: Wal
  readonly values: FlatValues
  readonly unlock: () => void
}

class DiskMultiStore implements MultiStore {
  readonly #parts: Parts
  readonly #forest: Forest
  readonly #historyBlocks: number
  readonly #snapshotLogBytes: number
  readonly #snapshotBlocks: number
  readonly #log: Logger
  readonly #measure: StoreMeasure
  #height: number
  #appHash: Bytes
  #staged: { readonly record: BlockRecord; readonly layers: ReadonlyMap<string, ChangeSet> } | undefined
  #snapshotHeight: number
  #snapshotting: Promise<void> | undefined
  /** Bytes and blocks of log since the last snapshot was begun. */
  #logBytes: number
  #logBlocks: number
  #closing: Promise<void> | undefined

  constructor(
    options: DiskMultiStoreOptions & { readonly historyBlocks: number; readonly logger: Logger },
    parts: Parts,
    restored: Restored,
  ) {
    this.#parts = parts
    this.#historyBlocks = options.historyBlocks
    this.#snapshotLogBytes = options.snapshotLogBytes ?? snapshotLogBytesDefault
    this.#snapshotBlocks = options.snapshotBlocks ?? snapshotBlocksDefault
    this.#log = options.logger
    this.#measure = options.measure ?? ((_stage, run) => run())
    this.#forest = restored.forest
    this.#height = restored.height
    this.#appHash = restored.appHash
    this.#snapshotHeight = restored.snapshotHeight
    this.#logBytes = restored.logBytes
    this.#logBlocks = restored.logBlocks
  }

  get height(): number {
    return this.#height
  }

  get appHash(): Bytes {
    return this.#appHash
  }

  committed(): StateRead {
    return this.#parts.values
  }

  at(height: number): StateRead {
    checkAvailable(height, this.available())
    const latest = this.#height
    const view = height === latest ? this.#parts.values : this.#parts.values.at(height)
    return whileCurrent(
      height,
      (name) => view.store(name),
      () => this.#height === latest,
    )
  }

  available(): { readonly earliest: number; readonly latest: number } {
    return { earliest: Math.max(this.#forest.earliest(), this.#parts.values.earliest()), latest: this.#height }
  }

  branch(): StateBranch {
    return new Journal(this.#parts.values)
  }

  stage(branch: StateBranch, height: number): Bytes {
    assert(branch instanceof Journal, 'only a branch of this store can be staged')
    checkNext(this.#height, height)
    this.#staged = undefined
    this.#forest.rollback()
    const changes = branch.changes(this.#forest.trees.keys())
    this.#measure('treeSet', () => this.#forest.apply(changes))
    const appHash = this.#measure('treeHash', () => this.#forest.workingHash(height))
    this.#staged = { record: { height, previous: this.#height, appHash, changes }, layers: branch.end() }
    return appHash
  }

  commit(): void {
    const { wal, values } = this.#parts
    assert(this.#staged !== undefined, 'nothing is staged')
    const { record, layers } = this.#staged
    if (values.failure !== undefined)
      throw storeErrors.diskFailed(`the values are not written any more: ${values.failure.message}`)
    const bytes = this.#measure('encode', () => encodeRecord(record))
    this.#measure('wal', () => wal.append(record.height, bytes))
    // From here on the block has happened.
    this.#logBytes += bytes.length
    this.#logBlocks++
    this.#measure('treeSave', () => this.#forest.save(record.height, record.height - this.#historyBlocks))
    this.#measure('post', () => values.push(record, bytes, layers))
    this.#staged = undefined
    this.#height = record.height
    this.#appHash = record.appHash
    if (this.#logBytes >= this.#snapshotLogBytes || this.#logBlocks >= this.#snapshotBlocks) this.#startSnapshot()
  }

  get written(): number {
    return this.#parts.values.written
  }

  onWritten(listener: (height: number) => void): () => void {
    return this.#parts.values.listeners.add(listener)
  }

  prove(height: number, store: string, key: Bytes): Proof {
    const path = this.provePath(height, store, key)
    const values = this.at(height).store(store)
    return finishProof(path, (held) => values.get(held))
  }

  provePath(height: number, store: string, key: Bytes): ProofPath {
    checkAvailable(height, this.available())
    return this.#forest.provePath(height, store, key)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#snapshotting
    this.#parts.wal.close()
    await this.#parts.values.close().finally(this.#parts.unlock)
  }

  /**
   * Writes the trees of the last height in a thread of its own. The log keeps what came after the snapshot before this one, should
   * this one be damaged one day.
   */
  #startSnapshot(): void {
    if (this.#snapshotting !== undefined) return
    const { snapshots, wal, values } = this.#parts
    const height = this.#height
    const before = this.#snapshotHeight
    const unpins = [...this.#forest.trees.values()].map((tree) => tree.pin(height))
    const sources = [...this.#forest.trees].map(([name, tree]) => ({ name, source: tree.source(height) }))
    this.#logBytes = 0
    this.#logBlocks = 0
    wal.rotate()
    this.#snapshotting = writeSnapshotInThread({ path: snapshots, height, appHash: this.#appHash, sources })
      .then(() => {
        this.#snapshotHeight = height
        removeSnapshotsBefore(snapshots, before)
        wal.removeBefore(Math.min(before, values.written) + 1)
        this.#log.info({ height }, 'snapshot of the state written')
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
