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
}
