import { AssertionError } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { CommitVote, ConsensusParams, Misbehavior, TimeNs } from '@coin/engine/application'
import type { KvRead, KvWrite, StateBranch, StateRead } from '@coin/store/kv'
import { type AttributesOf, EventLog } from './events.js'
import { GasMeter } from './gas.js'
import { GasKvRead, GasKvWrite } from './gas-kv.js'

/** Why the state machine runs. `check` and `recheck` run the ante steps only; `simulate` runs all and keeps nothing. */
export type ExecMode = 'genesis' | 'block' | 'finalize' | 'check' | 'recheck' | 'simulate' | 'query'

/** The block that is executed; for checks, simulations and queries the last committed one. */
export interface BlockInfo {
  readonly chainId: string
  /** 0 during genesis. */
  readonly height: number
  readonly time: TimeNs
  /** Empty where no block is executed. */
  readonly hash: Bytes
  readonly proposerAddress: Bytes
  readonly lastCommit: readonly CommitVote[]
  readonly misbehavior: readonly Misbehavior[]
}

/** The transaction that runs. One object per run: a module may key a WeakMap by it to remember things for the run. */
export interface TxInfo {
  readonly bytes: Bytes
  /** sha256 of the bytes. */
  readonly hash: Bytes
  /** Position in its block, counting transactions whose ante steps passed; absent in simulations. x/wasm sets it. */
  readonly index: number | undefined
}

/** What every step may see: one height's state, and who is asking. Every store access is paid from `gas`. */
export interface Read {
  readonly block: BlockInfo
  readonly height: number
  /** Header time, nanoseconds since the Unix epoch. */
  readonly time: TimeNs
  readonly chainId: string
  readonly mode: ExecMode
  readonly gas: GasMeter
  readonly tx: TxInfo | undefined
  readonly consensusParams: ConsensusParams
  /** The store mounted under `name`, metered. */
  store(name: string): KvRead
  /** The same state, paid from another meter. */
  withGas(gas: GasMeter): Read
}

/** What a step that changes state may do besides. */
export interface Write extends Read {
  readonly events: EventLog
  store(name: string): KvWrite
  /** Appends an event; attributes in the order of the object's keys. */
  emit(type: string, attributes: AttributesOf): void
  /**
   * Runs `run` all or nothing: when it throws, its writes are undone, its events dropped, and the error goes on to the
   * caller. Gas stays consumed. An `AssertionError` goes through untouched: the node stops.
   *
   * @example
   * ctx.branch((inner) => bank.send(inner, from, to, coins))
   */
  branch<T>(run: (ctx: Write) => T): T
  /** The same state with another meter, another place for events, or more known of the transaction. */
  with(change: ContextChange): Write
}

export interface ContextChange {
  readonly gas?: GasMeter
  readonly events?: EventLog
  readonly tx?: TxInfo
}

interface ReadParts {
  readonly block: BlockInfo
  readonly mode: ExecMode
  readonly consensusParams: ConsensusParams
  readonly gas?: GasMeter
  readonly tx?: TxInfo | undefined
}

/** The stores of one state as paid from one meter; contexts that differ in nothing else share it. */
class MeteredStores<Store extends KvRead> {
  readonly gas: GasMeter
  readonly #open: (name: string, gas: GasMeter) => Store
  readonly #opened = new Map<string, Store>()

  constructor(gas: GasMeter, open: (name: string, gas: GasMeter) => Store) {
    this.gas = gas
    this.#open = open
  }

  get(name: string): Store {
    let store = this.#opened.get(name)
    if (store === undefined) {
      store = this.#open(name, this.gas)
      this.#opened.set(name, store)
    }
    return store
  }

  paidFrom(gas: GasMeter): MeteredStores<Store> {
    return gas === this.gas ? this : new MeteredStores(gas, this.#open)
  }
}

class Context<Store extends KvRead> {
  readonly block: BlockInfo
  readonly mode: ExecMode
  readonly consensusParams: ConsensusParams
  readonly tx: TxInfo | undefined
  protected readonly stores: MeteredStores<Store>

  constructor(stores: MeteredStores<Store>, parts: ReadParts) {
    this.stores = stores
    this.block = parts.block
    this.mode = parts.mode
    this.consensusParams = parts.consensusParams
    this.tx = parts.tx
  }

  get gas(): GasMeter {
    return this.stores.gas
  }

  get height(): number {
    return this.block.height
  }

  get time(): TimeNs {
    return this.block.time
  }

  get chainId(): string {
    return this.block.chainId
  }

  store(name: string): Store {
    return this.stores.get(name)
  }
}

class ReadContext extends Context<KvRead> implements Read {
  withGas(gas: GasMeter): Read {
    return new ReadContext(this.stores.paidFrom(gas), this)
  }
}

class WriteContext extends Context<KvWrite> implements Write {
  readonly events: EventLog
  readonly #state: StateBranch

  constructor(state: StateBranch, stores: MeteredStores<KvWrite>, parts: ReadParts, events: EventLog) {
    super(stores, parts)
    this.#state = state
    this.events = events
  }

  emit(type: string, attributes: AttributesOf): void {
    this.events.emit(type, attributes)
  }

  branch<T>(run: (ctx: Write) => T): T {
    const mark = this.#state.mark()
    const events = this.events.child()
    try {
      const result = run(new WriteContext(this.#state, this.stores, this, events))
      this.events.push(events.events)
      return result
    } catch (error) {
      if (!(error instanceof AssertionError)) this.#state.revert(mark)
      throw error
    }
  }

  withGas(gas: GasMeter): Write {
    return this.with({ gas })
  }

  with({ gas = this.gas, events = this.events, tx = this.tx }: ContextChange): Write {
    const { block, mode, consensusParams } = this
    const parts = { block, mode, consensusParams, tx }
    return new WriteContext(this.#state, this.stores.paidFrom(gas), parts, events)
  }
}

/** For queries: nothing in it can write. */
export function createRead(state: StateRead, parts: ReadParts): Read {
  const open = (name: string, gas: GasMeter) => new GasKvRead(state.store(name), gas)
  return new ReadContext(new MeteredStores(parts.gas ?? new GasMeter(), open), parts)
}

/** For genesis, blocks and transactions, over uncommitted changes. */
export function createWrite(state: StateBranch, parts: ReadParts & { readonly events?: EventLog }): Write {
  const open = (name: string, gas: GasMeter) => new GasKvWrite(state.store(name), gas)
  const stores = new MeteredStores(parts.gas ?? new GasMeter(), open)
  return new WriteContext(state, stores, parts, parts.events ?? new EventLog())
}
