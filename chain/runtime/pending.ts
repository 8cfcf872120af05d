import { type Bytes, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { KvPair, KvRead, KvWrite, Mark, StateBranch, StateRead } from '@coin/store/kv'
import type { PendingValue } from '@coin/store/state-reads'
import { runAnte } from './ante/ante.js'
import { type CheckRunOptions, type CheckState, openCheck } from './check-run.js'
import { createRead, type Read } from './context.js'
import { OutOfGas } from './gas.js'
import { mapKey } from './map-key.js'
import type { Tx } from './tx.js'

/** Reads what earlier transactions may have changed of those who pay for this one, beyond what its ante steps read. */
export type ReadPayers = (ctx: Read, tx: Tx) => void

/**
 * What the transactions that wait in the mempool have changed of that which `bytes` will read: sequences, public keys, balances.
 * Laid over the committed state, it lets another thread simulate as on the mempool's branch. Costs a transaction's ante steps; no
 * message is run, and nothing is kept. None for bytes that are no transaction.
 */
export function pendingFor(
  options: CheckRunOptions & { readonly readPayers: ReadPayers },
  { branch, block }: CheckState,
  committed: StateRead,
  bytes: Bytes,
): readonly PendingValue[] {
  const recorder = new ReadRecorder(branch)
  const mark = branch.mark()
  try {
    const { ctx, tx } = openCheck(options, { branch: recorder, block }, 'simulate', bytes)
    options.readPayers(createRead(recorder, ctx), tx)
    runAnte(options.steps, ctx, tx, () => undefined)
  } catch (error) {
    // What a bad transaction has read by then is what its simulation will read before it fails in the same way.
    if (!(error instanceof CodedError || error instanceof OutOfGas)) throw error
  } finally {
    branch.revert(mark)
  }
  return recorder.changedFrom(committed)
}

/** A branch that remembers which keys were asked for. */
class ReadRecorder implements StateBranch {
  readonly #branch: StateBranch
  readonly #stores = new Map<string, RecordedStore>()

  constructor(branch: StateBranch) {
    this.#branch = branch
  }

  store(name: string): KvWrite {
    let store = this.#stores.get(name)
    if (store === undefined) {
      store = new RecordedStore(this.#branch.store(name))
      this.#stores.set(name, store)
    }
    return store
  }

  mark(): Mark {
    return this.#branch.mark()
  }

  revert(mark: Mark): void {
    this.#branch.revert(mark)
  }

  /** The keys read that the branch, as it is now, has otherwise than `committed`. */
  changedFrom(committed: StateRead): readonly PendingValue[] {
    return [...this.#stores].flatMap(([name, { inner, keys }]) =>
      changesOf(inner, committed.store(name), keys.values()).map((change) => ({ store: name, ...change })),
    )
  }
}

function changesOf(now: KvRead, before: KvRead, keys: Iterable<Bytes>): readonly Omit<PendingValue, 'store'>[] {
  const changes: Omit<PendingValue, 'store'>[] = []
  for (const key of keys) {
    const value = now.get(key)
    const old = before.get(key)
    const isSame = value === undefined || old === undefined ? value === old : equalBytes(value, old)
    if (!isSame) changes.push({ key, value })
  }
  return changes
}

class RecordedStore implements KvWrite {
  readonly inner: KvWrite
  /** By their characters, because arrays of equal bytes are different keys of a map. */
  readonly keys = new Map<string, Bytes>()

  constructor(inner: KvWrite) {
    this.inner = inner
  }

  get(key: Bytes): Bytes | undefined {
    this.#record(key)
    return this.inner.get(key)
  }

  has(key: Bytes): boolean {
    this.#record(key)
    return this.inner.has(key)
  }

  *iterate(start: Bytes | undefined, end: Bytes | undefined, reverse?: boolean): IterableIterator<KvPair> {
    for (const pair of this.inner.iterate(start, end, reverse)) {
      this.#record(pair[0])
      yield pair
    }
  }

  set(key: Bytes, value: Bytes): void {
    this.inner.set(key, value)
  }

  delete(key: Bytes): void {
    this.inner.delete(key)
  }

  #record(key: Bytes): void {
    const text = mapKey(key)
    if (!this.keys.has(text)) this.keys.set(text, key.slice())
  }
}
