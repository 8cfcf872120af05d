import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { Account, Vesting } from '@coin/runtime/account'
import type { UnorderedNonces } from '@coin/runtime/ante/step'
import type { Read, Write } from '@coin/runtime/context'
import { prefixEnd } from '@coin/runtime/keys'
import { type AddressCodec, moduleAddress } from '@coin/wire/addresses'
import { type Coins, noCoins } from '@coin/wire/coins'
import type { Params } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'
import { paramsDefault } from './params.js'
import { accounts, nextAccountNumber, nonceKey, params, unorderedNonces } from './state.js'
import { lockedCoins, secondsOf, trackDelegation, trackUndelegation } from './vesting.js'

/** What a module account may do: `minter`, `burner`, `staking`. */
export type Permissions = readonly string[]

export interface AuthOptions {
  readonly addresses: AddressCodec
  /** Every module that has an account, by name. */
  readonly permissions: Readonly<Record<string, Permissions>>
  /** Whether transactions without a sequence are taken. Part of consensus: all nodes of a chain have the same. */
  readonly takesUnordered?: boolean
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
  /** A new account without key, with the next account number; stored, also in the place of another. */
  create(ctx: Write, address: Bytes): Account
  /** The same for an account with a schedule. `vestingOf` runs when the number is taken. */
  createVesting(ctx: Write, address: Bytes, vestingOf: () => Vesting): Account
  /** What the account may not spend at the block's time; none for an account that does not exist. */
  locked(ctx: Read, address: Bytes): Coins
  /**
   * Notes in a vesting account that `amount` is delegated, of a `balance` (of the same denoms) before. False when the account does
   * not exist; nothing happens to accounts of other kinds.
   */
  trackDelegation(ctx: Write, address: Bytes, balance: Coins, amount: Coins): boolean
  /** The opposite. */
  trackUndelegation(ctx: Write, address: Bytes, amount: Coins): boolean
  /** `undefined` where unordered transactions are not taken. */
  readonly unordered: UnorderedNonces | undefined
  /** Forgets the nonces whose timeout is not after the block's time. */
  removeExpiredNonces(ctx: Write): void
  /** 20 bytes, or `undefined` for a name that has no account here. */
  moduleAddress(name: string): Bytes | undefined
  /** The module's account; created on first use. Asserts that the name is known. */
  moduleAccount(ctx: Write, name: string): { readonly address: Bytes; readonly account: Account }
}

export function createAuthKeeper({ addresses, permissions, takesUnordered = false }: AuthOptions): AuthKeeper {
  const moduleAddresses = new Map(Object.keys(permissions).map((name) => [name, moduleAddress(name)]))

  function get(ctx: Read, address: Bytes): Account | undefined {
    return accounts.get(ctx, address)
  }

  function set(ctx: Write, address: Bytes, account: Account): void {
    accounts.set(ctx, address, account)
  }

  function open(ctx: Write, address: Bytes, more: () => Pick<Account, 'module' | 'vesting'> = () => ({})): Account {
    const accountNumber = nextAccountNumber.next(ctx)
    const account = { address: addresses.encode(address), pubKey: undefined, accountNumber, sequence: 0n, ...more() }
    set(ctx, address, account)
    return account
  }

  function track(ctx: Write, address: Bytes, change: (vesting: Vesting) => Vesting): boolean {
    const account = get(ctx, address)
    if (account === undefined) return false
    const { vesting } = account
    if (isScheduled(vesting)) set(ctx, address, { ...account, vesting: change(vesting) })
    return true
  }

  function moduleAccount(ctx: Write, name: string) {
    const address = moduleAddresses.get(name)
    assert(address !== undefined, `module account ${name} does not exist`)
    const known = get(ctx, address)
    if (known !== undefined) {
      assert(known.module !== undefined, `account of ${name} is not a module account`)
      return { address, account: known }
    }
    return { address, account: open(ctx, address, () => ({ module: { name, permissions: permissions[name]! } })) }
  }

  return {
    addresses,
    moduleNames: [...moduleAddresses.keys()].sort(),
    params: (ctx) => params.get(ctx) ?? paramsDefault,
    get,
    has: (ctx, address) => accounts.has(ctx, address),
    set,
    create: (ctx, address) => open(ctx, address),
    createVesting: (ctx, address, vestingOf) => open(ctx, address, () => ({ vesting: vestingOf() })),
    locked(ctx, address) {
      const vesting = get(ctx, address)?.vesting
      return vesting === undefined ? noCoins : lockedCoins(vesting, secondsOf(ctx.time))
    },
    trackDelegation: (ctx, address, balance, amount) =>
      track(ctx, address, (vesting) => trackDelegation(vesting, secondsOf(ctx.time), balance, amount)),
    trackUndelegation: (ctx, address, amount) => track(ctx, address, (vesting) => trackUndelegation(vesting, amount)),
    unordered: takesUnordered ? { use: useNonce } : undefined,
    removeExpiredNonces,
    moduleAddress: (name) => moduleAddresses.get(name),
    moduleAccount,
  }
}

/** A bare `BaseVestingAccount`, which only a genesis can hold, has no schedule: bank treats it as any account. */
function isScheduled(vesting: Vesting | undefined): vesting is Vesting {
  return vesting !== undefined && vesting.kind !== 'base'
}

function useNonce(ctx: Write, signer: Bytes, timeoutNs: bigint): boolean {
  if (unorderedNonces.has(ctx, [timeoutNs, signer])) return false
  unorderedNonces.set(ctx, [timeoutNs, signer], true)
  return true
}

function removeExpiredNonces(ctx: Write): void {
  const end = prefixEnd(nonceKey.prefix(ctx.time))
  const expired = [...unorderedNonces.entries(ctx, end === undefined ? {} : { end })]
  for (const [nonce] of expired) unorderedNonces.remove(ctx, nonce)
}
