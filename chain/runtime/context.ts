import { AssertionError } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { CommitVote, ConsensusParams, Misbehavior, TimeNs } from '@coin/engine/application'
import type { KvRead, KvWrite, StateBranch, StateRead } from '@coin/store/kv'
import { EventLog } from './events.js'
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
  emit(type: string, attributes: Readonly<Record<string, string>>): void
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
  readonly tx?: TxInfo | undefined
}

interface ReadParts {
  readonly block: BlockInfo
  readonly mode: ExecMode
  readonly consensusParams: ConsensusParams
  readonly gas?: GasMeter
  readonly tx?: TxInfo | undefined
}

class ReadContext implements Read {
  readonly block: BlockInfo
  readonly mode: ExecMode
  readonly consensusParams: ConsensusParams
  readonly gas: GasMeter
  readonly tx: TxInfo | undefined
  readonly #state: StateRead
  readonly #stores = new Map<string, KvRead>()

  constructor(state: StateRead, parts: ReadParts) {
    this.#state = state
    this.block = parts.block
    this.mode = parts.mode
    this.consensusParams = parts.consensusParams
    this.gas = parts.gas ?? new GasMeter()
    this.tx = parts.tx
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

  store(name: string): KvRead {
    let store = this.#stores.get(name)
    if (store === undefined) {
      store = new GasKvRead(this.#state.store(name), this.gas)
      this.#stores.set(name, store)
    }
    return store
  }

  withGas(gas: GasMeter): Read {
    return new ReadContext(this.#state, { ...this.parts(), gas })
  }

  protected parts(): ReadParts {
    const { block, mode, consensusParams, gas, tx } = this
    return { block, mode, consensusParams, gas, tx }
  }
}

class WriteContext extends ReadContext implements Write {
  readonly events: EventLog
  readonly #state: StateBranch
  readonly #stores = new Map<string, KvWrite>()

  constructor(state: StateBranch, parts: ReadParts & { readonly events?: EventLog }) {
    super(state, parts)
    this.#state = state
    this.events = parts.events ?? new EventLog()
  }

  override store(name: string): KvWrite {
    let store = this.#stores.get(name)
    if (store === undefined) {
      store = new GasKvWrite(this.#state.store(name), this.gas)
      this.#stores.set(name, store)
    }
    return store
  }

  emit(type: string, attributes: Readonly<Record<string, string>>): void {
    this.events.emit(type, attributes)
  }

  branch<T>(run: (ctx: Write) => T): T {
    const mark = this.#state.mark()
    const events = new EventLog()
    try {
      const result = run(this.with({ events }))
      this.events.push(...events.events)
      return result
    } catch (error) {
      if (!(error instanceof AssertionError)) this.#state.revert(mark)
      throw error
    }
  }

  override withGas(gas: GasMeter): Write {
    return this.with({ gas })
  }

  with(change: ContextChange): Write {
    return new WriteContext(this.#state, { ...this.parts(), events: this.events, ...change })
  }
}

/** For queries: nothing in it can write. */
export function createRead(state: StateRead, parts: ReadParts): Read {
  return new ReadContext(state, parts)
}

/** For genesis, blocks and transactions, over uncommitted changes. */
export function createWrite(state: StateBranch, parts: ReadParts & { readonly events?: EventLog }): Write {
  return new WriteContext(state, parts)
}
