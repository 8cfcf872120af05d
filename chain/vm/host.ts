import type { Bytes } from '@coin/base/bytes'

/**
 * What a contract call needs from the chain. Every answer carries its price, so charging cannot be forgotten.
 *
 * `gas` is VM gas (SDK gas times the multiplier). Storage and queries are metered by the chain itself: their gas lowers
 * what the contract may still use but is not counted as the VM's own. Address functions are not: their gas is the VM's own.
 *
 * A host function may throw: `OutOfGas` of errors.ts when the chain's meter is exhausted, anything else for a failure.
 * The contract ends there and cannot catch it.
 */
export interface Host {
  readonly storage: HostStorage
  readonly api: HostApi
  readonly querier: HostQuerier
  /** Receives what the contract writes with `debug`; left out, it is dropped. Never part of the state. */
  readonly debug?: (message: string) => void
}

export interface Charged<T> {
  readonly value: T
  /** VM gas, not negative. */
  readonly gas: bigint
}

/** The contract's own key-value store. Keys and values handed over are fresh copies; values returned are not changed. */
export interface HostStorage {
  get(key: Bytes): Charged<Bytes | undefined>
  set(key: Bytes, value: Bytes): Charged<void>
  remove(key: Bytes): Charged<void>
  /** Entries with `start <= key < end`; `undefined` leaves a side open. `start >= end` is an empty range. */
  scan(start: Bytes | undefined, end: Bytes | undefined, order: 'ascending' | 'descending'): Charged<HostIterator>
}

export interface HostIterator {
  /** The next entry, `undefined` at the end. */
  next(): Charged<readonly [key: Bytes, value: Bytes] | undefined>
}

/** An answer that the contract sees either way: `error` is a text for the contract. */
export type Answer<T> = { readonly ok: T } | { readonly error: string }

export interface HostApi {
  /** Bech32 text to raw address. */
  canonicalize(human: string): Charged<Answer<Bytes>>
  /** Raw address to bech32 text. */
  humanize(canonical: Bytes): Charged<Answer<string>>
  /** Whether `human` is an address in its normal form. */
  validate(human: string): Charged<Answer<undefined>>
}

/** Why a query did not reach its target, as cosmwasm-std's `SystemError` names it. */
export type SystemError =
  | { readonly invalid_request: { readonly error: string; readonly request: Bytes } }
  | { readonly invalid_response: { readonly error: string; readonly response: Bytes } }
  | { readonly no_such_contract: { readonly addr: string } }
  | { readonly no_such_code: { readonly code_id: bigint } }
  | { readonly unknown: Record<string, never> }
  | { readonly unsupported_request: { readonly kind: string } }

export type QueryAnswer = { readonly ok: Bytes } | { readonly error: string } | { readonly systemError: SystemError }

export interface HostQuerier {
  /**
   * Answers a raw `QueryRequest` (JSON). `gasLimit` is what the calling contract has left (VM gas).
   * `stackLeft` is what is left of the shared WebAssembly stack budget: pass it on when another contract is queried.
   */
  query(request: Bytes, gasLimit: bigint, stackLeft: number): Charged<QueryAnswer>
}
