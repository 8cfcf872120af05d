import type { Coins } from '@coin/wire/coins'
import type { Any } from '@coin/wire/gen/google/protobuf/any'

/** An account as the ante steps and the modules see it. A change is a new value: `{ ...account, sequence: 1n }`. */
export interface Account {
  /** Bech32, with the chain's prefix. */
  readonly address: string
  /** Absent until the account's first transaction. */
  readonly pubKey: Any | undefined
  /** Unique, given once, part of what is signed. */
  readonly accountNumber: bigint
  /** How many transactions the account has made: the next one signs this number. */
  readonly sequence: bigint
  /** Set for accounts that belong to a module and have no key. */
  readonly module?: { readonly name: string; readonly permissions: readonly string[] }
  /** Set for accounts whose coins are freed over time. */
  readonly vesting?: Vesting
}

/**
 * How the coins of an account become free: all along, at the end, period by period, never. `base` has a schedule of no kind:
 * nothing of it is locked.
 */
export type VestingKind = 'base' | 'continuous' | 'delayed' | 'periodic' | 'permanent'

/** Times are seconds since the Unix epoch, 64 bits with a sign. */
export interface Vesting {
  readonly kind: VestingKind
  /** What was locked at first. */
  readonly original: Coins
  /** Delegated out of what was free, and out of what was still locked. */
  readonly delegatedFree: Coins
  readonly delegatedVesting: Coins
  /** When all is free; 0 for `permanent`. */
  readonly endTime: bigint
  /** Of `continuous` and `periodic`; 0 for the others. */
  readonly startTime: bigint
  /** Of `periodic`, one behind the other; empty for the others. */
  readonly periods: readonly VestingPeriod[]
}

export interface VestingPeriod {
  /** Seconds. */
  readonly length: bigint
  /** What is freed at its end. */
  readonly amount: Coins
}
