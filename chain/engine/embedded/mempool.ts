import type { Bytes } from '@coin/base/bytes'
import type { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import type { Application, ConsensusParams, TxResult } from '../application.js'
import { txHash } from '../comet/hashes.js'
import { txDataBytes } from '../comet/limits.js'
import { mempoolErrors } from '../errors.js'
import { createTxCache, hashKey, type TxCache } from './tx-cache.js'

/** CometBFT's `[mempool]` section of config.toml. */
export interface MempoolOptions {
  /** Transactions waiting, those being checked included. Default 5000. */
  readonly size: number
  /** Bytes of all of them together. Default 1 GiB. */
  readonly txsBytesMax: number
  /** Bytes of one transaction. Default 1 MiB. */
  readonly txBytesMax: number
  /** Transactions remembered to refuse repetitions. Default 10000. */
  readonly cacheSize: number
  /** Check everything that waits again after each block. Default true. */
  readonly recheck: boolean
  readonly keepInvalidInCache: boolean
}

export const defaultMempoolOptions: MempoolOptions = {
  size: 5000,
  txsBytesMax: 1_073_741_824,
  txBytesMax: 1_048_576,
  cacheSize: 10_000,
  recheck: true,
  keepInvalidInCache: false,
}

/** Checks signatures beforehand, for example in worker threads; the application finds the verdicts in its cache. */
export type Preverify = (txs: readonly Bytes[]) => Promise<void>

/** Lets other work run, a block for example: `setImmediate` as a promise. */
export type Pause = () => Promise<void>

export interface Submission {
  /** 32 bytes. */
  readonly hash: Bytes
  /** The application's verdict; code 0 means that the transaction waits for a block. Rejects with a `mempool` error. */
  readonly checked: Promise<TxResult>
}

export interface MempoolReads {
  /** Transactions that wait for a block. */
  size(): number
  sizeBytes(): number
  /** The first `limit` of them, oldest first. */
  list(limit: number): readonly Bytes[]
  has(hash: Bytes): boolean
  /** Checks and keeps a transaction. Throws `tooLarge`, `full`, `inCache` or `halted` at once. */
  submit(tx: Bytes): Submission
}

export interface Mempool extends MempoolReads {
  /** What fits into a block, oldest first. */
  reap(limits: { readonly bytesMax: number; readonly gasMax: bigint }): readonly Bytes[]
  /** Drops what a block has taken, then checks the rest again. Call after the application's commit, before anything else. */
  update(hashes: readonly Bytes[], results: readonly TxResult[], params: ConsensusParams): void
  /** Forgets everything that waits, and that it was seen. What is being checked goes on. */
  flush(): void
  /** Refuses everything from now on; what is being checked is answered with `halted`. */
  halt(): void
}

export interface MempoolDependencies {
  readonly app: Pick<Application, 'checkTx'>
  readonly log: Logger
  readonly preverify?: Preverify | undefined
  /** Between two batches; the default does not wait. */
  readonly pause?: Pause | undefined
  readonly measure: Measure
  /** The application threw: it is broken, and so is the node. */
  onFatal(error: unknown): void
  /** Something waits that did not wait before. */
  onAvailable(): void
}

/**
 * Runs one stage of work; the node's bench and metrics take the time around it. `count` is the transactions it is about. Stages
 * nest: `write` is in `save`, and the state's own are in `finalize` and `commit`.
 */
export type Measure = <T>(stage: Stage, count: number, run: () => T) => T
export type Stage = (typeof stages)[number]
export const stages = [
  'submit', // hash, cache of what was seen
  'prepare', // decoding, sign bytes, their way to the workers
  'checkTx',
  'propose', // choosing, block, header and their hashes
  'sign',
  'save', // encoding block, results and state
  'write', // to disk, synced
  'finalize',
  'resultsHash',
  'commit',
  'update', // of the mempool: what the block took
  'recheck',
  'publish',
] as const

interface Waiting {
  readonly tx: Bytes
  readonly key: string
  readonly gasWanted: number
}

interface Arrival {
  readonly tx: Bytes
  readonly key: string
  readonly resolve: (result: TxResult) => void
  readonly reject: (error: CodedError) => void
}

/**
 * Arrivals are checked in batches; while some are being verified by the workers, later ones gather. Enough are under way that the
 * workers have something to do while a block is made, and the next block finds enough to be worth its four writes to the disk.
 */
const batchMax = 128
const batchesInFlightMax = 4
/**
 * A batch is checked in one go, and a block waits for it. Decoding a transaction of a megabyte that is full of small messages takes
 * up to a quarter of a second, so large ones come one at a time.
 */
const batchBytesMax = 65_536
const batchesInFlightBytesMax = 4 * batchBytesMax

export function createMempool(
  options: MempoolOptions,
  params: ConsensusParams,
  dependencies: MempoolDependencies,
): Mempool {
  return new FifoMempool(options, params, dependencies)
}

class FifoMempool implements Mempool {
  readonly #options: MempoolOptions
  readonly #dependencies: MempoolDependencies
  readonly #cache: TxCache
  readonly #waiting = new Map<string, Waiting>()
  readonly #arrivals: Arrival[] = []
  #limits: ConsensusParams['block']
  #bytes = 0
  #checking = 0
  #checkingBytes = 0
  #batches = 0
  /** Of the batches that are being verified or wait for their check. */
  #batchesBytes = 0
  #halted = false
  #tail: Promise<void> = Promise.resolve()

  constructor(options: MempoolOptions, params: ConsensusParams, dependencies: MempoolDependencies) {
    this.#options = options
    this.#dependencies = dependencies
    this.#limits = params.block
    this.#cache = createTxCache(options.cacheSize)
  }

  size(): number {
    return this.#waiting.size
  }

  sizeBytes(): number {
    return this.#bytes
  }

  list(limit: number): readonly Bytes[] {
    const txs: Bytes[] = []
    for (const { tx } of this.#waiting.values()) {
      if (txs.length >= limit) break
      txs.push(tx)
    }
    return txs
  }

  has(hash: Bytes): boolean {
    return this.#waiting.has(hashKey(hash))
  }

  submit(tx: Bytes): Submission {
    const submission = this.#dependencies.measure('submit', 1, () => this.#arrive(tx))
    this.#startBatches()
    return submission
  }

  #arrive(tx: Bytes): Submission {
    this.#checkRoom(tx)
    const hash = txHash(tx)
    const key = hashKey(hash)
    if (!this.#cache.add(key)) throw mempoolErrors.inCache()
    this.#checking++
    this.#checkingBytes += tx.length
    const checked = new Promise<TxResult>((resolve, reject) => {
      this.#arrivals.push({ tx, key, resolve, reject })
    })
    checked.catch(() => {}) // whoever does not wait for the verdict must not bring the process down
    return { hash, checked }
  }

  reap({ bytesMax, gasMax }: { readonly bytesMax: number; readonly gasMax: bigint }): readonly Bytes[] {
    const txs: Bytes[] = []
    let size = 0
    let gas = 0n
    for (const { tx, gasWanted } of this.#waiting.values()) {
      size += txDataBytes(tx.length)
      gas += BigInt(gasWanted)
      if (size > bytesMax || (gasMax >= 0n && gas > gasMax)) break
      txs.push(tx)
    }
    return txs
  }

  update(hashes: readonly Bytes[], results: readonly TxResult[], params: ConsensusParams): void {
    this.#limits = params.block
    this.#dependencies.measure('update', hashes.length, () => {
      hashes.forEach((hash, i) => {
        const key = hashKey(hash)
        if (results[i]!.code === 0) this.#cache.add(key)
        else if (!this.#options.keepInvalidInCache) this.#cache.remove(key)
        const entry = this.#waiting.get(key)
        if (entry) this.#drop(entry)
      })
    })
    this.#recheck()
  }

  flush(): void {
    this.#waiting.clear()
    this.#bytes = 0
    this.#cache.clear()
  }

  halt(): void {
    this.#halted = true
  }

  #checkRoom(tx: Bytes): void {
    const { size, txsBytesMax, txBytesMax } = this.#options
    if (this.#halted) throw mempoolErrors.halted()
    const count = this.#waiting.size + this.#checking
    const total = this.#bytes + this.#checkingBytes
    if (count >= size || total + tx.length > txsBytesMax)
      throw mempoolErrors.full(`number of txs ${count} (max: ${size}), total txs bytes ${total} (max: ${txsBytesMax})`)
    if (tx.length > txBytesMax) throw mempoolErrors.tooLarge(`max size is ${txBytesMax}, but got ${tx.length}`)
    const { maxBytes } = this.#limits
    if (maxBytes > 0n && BigInt(txDataBytes(tx.length)) > maxBytes)
      throw mempoolErrors.tooLarge(`a block has at most ${maxBytes} bytes, the tx ${tx.length}`)
  }

  #startBatches(): void {
    const { preverify, pause, log, measure } = this.#dependencies
    while (this.#arrivals.length > 0 && this.#hasRoomForBatch()) {
      const { batch, bytes } = this.#takeBatch()
      this.#batches++
      this.#batchesBytes += bytes
      const verify = () => (preverify ? preverify(batch.map(({ tx }) => tx)) : Promise.resolve())
      const verified = measure('prepare', batch.length, verify)
      const ready = verified.catch((error: unknown) => {
        log.warn({ error: String(error) }, 'signatures not checked beforehand; the application checks them itself')
      })
      this.#tail = this.#tail
        .then(() => ready)
        .then(pause)
        .then(() => {
          this.#checkBatch(batch)
          this.#batches--
          this.#batchesBytes -= bytes
          this.#startBatches()
        })
    }
  }

  #hasRoomForBatch(): boolean {
    return this.#batches === 0 || (this.#batches < batchesInFlightMax && this.#batchesBytes < batchesInFlightBytesMax)
  }

  #takeBatch(): { readonly batch: readonly Arrival[]; readonly bytes: number } {
    let bytes = 0
    let count = 0
    for (const { tx } of this.#arrivals) {
      if (count === batchMax || (count > 0 && bytes + tx.length > batchBytesMax)) break
      bytes += tx.length
      count++
    }
    return { batch: this.#arrivals.splice(0, count), bytes }
  }

  #checkBatch(batch: readonly Arrival[]): void {
    this.#dependencies.measure('checkTx', batch.length, () => {
      for (const arrival of batch) {
        this.#checking--
        this.#checkingBytes -= arrival.tx.length
        if (this.#halted) arrival.reject(mempoolErrors.halted())
        else this.#checkArrival(arrival)
      }
    })
  }

  #checkArrival({ tx, key, resolve, reject }: Arrival): void {
    let result: TxResult
    try {
      result = this.#dependencies.app.checkTx(tx, 'new')
    } catch (error) {
      reject(mempoolErrors.halted())
      this.#dependencies.onFatal(error)
      return
    }
    const tooMuchGas = this.#gasProblem(result)
    if (result.code === 0 && !tooMuchGas) {
      const wasEmpty = this.#waiting.size === 0
      this.#waiting.set(key, { tx, key, gasWanted: result.gasWanted })
      this.#bytes += tx.length
      resolve(result)
      if (wasEmpty) this.#dependencies.onAvailable()
      return
    }
    if (!this.#options.keepInvalidInCache) this.#cache.remove(key)
    if (tooMuchGas) reject(tooMuchGas)
    else resolve(result)
  }

  #gasProblem({ code, gasWanted }: TxResult): CodedError | undefined {
    const { maxGas } = this.#limits
    if (code !== 0 || maxGas < 0n || BigInt(gasWanted) <= maxGas) return undefined
    return mempoolErrors.gasTooHigh(`gas wanted ${gasWanted} is greater than max gas ${maxGas}`)
  }

  #recheck(): void {
    if (!this.#options.recheck || this.#waiting.size === 0) return
    this.#dependencies.measure('recheck', this.#waiting.size, () => {
      for (const entry of [...this.#waiting.values()]) {
        const result = this.#dependencies.app.checkTx(entry.tx, 'recheck')
        if (result.code === 0 && !this.#gasProblem(result)) continue
        this.#drop(entry)
        if (!this.#options.keepInvalidInCache) this.#cache.remove(entry.key)
      }
    })
  }

  #drop(entry: Waiting): void {
    this.#waiting.delete(entry.key)
    this.#bytes -= entry.tx.length
  }
}
