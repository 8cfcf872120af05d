import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { Account } from '@coin/runtime/account'
import type { Read, Write } from '@coin/runtime/context'
import { type AddressCodec, moduleAddress } from '@coin/wire/addresses'
import type { Params } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'
import { paramsDefault } from './params.js'
import { accounts, nextAccountNumber, params } from './state.js'

/** What a module account may do: `minter`, `burner`, `staking`. */
export type Permissions = readonly string[]

export interface AuthOptions {
  readonly addresses: AddressCodec
  /** Every module that has an account, by name. */
  readonly permissions: Readonly<Record<string, Permissions>>
}

/** The only writer of accounts. */
export interface AuthKeeper {
  readonly addresses: AddressCodec
  /** Module account names, sorted. */
  readonly moduleNames: readonly string[]
  params(ctx: Read): Params
  get(ctx: Read, address: Bytes): Account | undefined
  has(ctx: Read, address: Bytes): boolean
  set(ctx: Write, address: Bytes, account: Account): void
  /** A new account without key, with the next account number; stored. The address must be free. */
  create(ctx: Write, address: Bytes): Account
  /** 20 bytes, or `undefined` for a name that has no account here. */
  moduleAddress(name: string): Bytes | undefined
  /** The module's account; created on first use. Asserts that the name is known. */
  moduleAccount(ctx: Write, name: string): { readonly address: Bytes; readonly account: Account }
}

export function createAuthKeeper({ addresses, permissions }: AuthOptions): AuthKeeper {
  const moduleAddresses = new Map(Object.keys(permissions).map((name) => [name, moduleAddress(name)]))

  function get(ctx: Read, address: Bytes): Account | undefined {
    return accounts.get(ctx, address)
  }

  function set(ctx: Write, address: Bytes, account: Account): void {
    accounts.set(ctx, address, account)
  }

  function open(ctx: Write, address: Bytes, module?: Account['module']): Account {
    const fresh: Account = {
      address: addresses.encode(address),
      pubKey: undefined,
      accountNumber: nextAccountNumber.next(ctx),
      sequence: 0n,
    }
    const account = module === undefined ? fresh : { ...fresh, module }
    set(ctx, address, account)
    return account
  }

  function moduleAccount(ctx: Write, name: string) {
    const address = moduleAddresses.get(name)
    assert(address !== undefined, `module account ${name} does not exist`)
    const known = get(ctx, address)
    if (known !== undefined) {
      assert(known.module !== undefined, `account of ${name} is not a module account`)
      return { address, account: known }
    }
    return { address, account: open(ctx, address, { name, permissions: permissions[name]! }) }
  }

  return {
    addresses,
    moduleNames: [...moduleAddresses.keys()].sort(),
    params: (ctx) => params.get(ctx) ?? paramsDefault,
    get,
    has: (ctx, address) => accounts.has(ctx, address),
    set,
    create: (ctx, address) => open(ctx, address),
    moduleAddress: (name) => moduleAddresses.get(name),
    moduleAccount,
  }
}
