import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read, Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import type { AddressCodec } from '@coin/wire/addresses'
import type { Coins } from '@coin/wire/coins'
import { timestampToNs } from '@coin/wire/time'
import { type Allowance, unpackAllowance } from './allowances.js'
import { errors } from './errors.js'
import type { AccountsPort, BankPort } from './ports.js'
import { expiries, expiryKey, grants } from './state.js'

export interface FeegrantOptions {
  readonly accounts: AccountsPort
  readonly bank: BankPort
  readonly addresses: AddressCodec
}

/** The only writer of fee grants. What throws has to be in a branch. */
export interface FeegrantKeeper {
  readonly addresses: AddressCodec
  /** Reads whether there is a grant; absent when not. */
  get(ctx: Read, granter: Bytes, grantee: Bytes): Allowance | undefined
  /** Throws `notFound`. */
  require(ctx: Read, granter: Bytes, grantee: Bytes): Allowance
  /** Opens the grantee's account if there is none. Throws `invalidRequest` for a second grant and for one that has ended. */
  grant(ctx: Write, granter: Bytes, grantee: Bytes, allowance: Allowance): void
  /** Throws `notFound`. */
  revoke(ctx: Write, granter: Bytes, grantee: Bytes): void
  /** Throws unless `granter` lets `grantee` pay this fee for messages of these types; otherwise the allowance is reduced. */
  useGrantedFees(ctx: Write, granter: Bytes, grantee: Bytes, fee: Coins, msgTypeUrls: readonly string[]): void
  /** Removes grants whose time is over, the oldest first, at most `countMax`. */
  prune(ctx: Write, countMax: number): void
}

export function createFeegrantKeeper({ accounts, bank, addresses }: FeegrantOptions): FeegrantKeeper {
  const parties = (granter: Bytes, grantee: Bytes) => ({
    granter: addresses.encode(granter),
    grantee: addresses.encode(grantee),
  })

  function get(ctx: Read, granter: Bytes, grantee: Bytes): Allowance | undefined {
    const grant = grants.get(ctx, [grantee, granter])
    return grant === undefined ? undefined : unpackAllowance(grant.allowance)
  }

  function require(ctx: Read, granter: Bytes, grantee: Bytes): Allowance {
    const allowance = get(ctx, granter, grantee)
    if (allowance === undefined) throw sdkErrors.notFound('fee-grant not found')
    return allowance
  }

  function store(ctx: Write, granter: Bytes, grantee: Bytes, allowance: Allowance): void {
    grants.set(ctx, [grantee, granter], { ...parties(granter, grantee), allowance: allowance.pack() })
  }

  function openAccount(ctx: Write, grantee: Bytes): void {
    if (accounts.get(ctx, grantee) !== undefined) return
    if (bank.isBlocked(grantee)) {
      throw sdkErrors.unauthorized(`${addresses.encode(grantee)} is not allowed to receive funds`)
    }
    accounts.create(ctx, grantee)
  }

  function grant(ctx: Write, granter: Bytes, grantee: Bytes, allowance: Allowance): void {
    if (get(ctx, granter, grantee) !== undefined) throw sdkErrors.invalidRequest('fee allowance already exists')
    openAccount(ctx, grantee)
    if (allowance.expiration !== undefined) {
      const expiration = timestampToNs(allowance.expiration)
      if (expiration < ctx.time) throw sdkErrors.invalidRequest('expiration is before current block time')
      expiries.set(ctx, [expiration, [grantee, granter]], true)
    }
    store(ctx, granter, grantee, allowance)
    ctx.emit('set_feegrant', parties(granter, grantee))
  }

  function revoke(ctx: Write, granter: Bytes, grantee: Bytes): void {
    const { expiration } = require(ctx, granter, grantee)
    grants.remove(ctx, [grantee, granter])
    // The SDK takes the addresses the wrong way round here, so the entry of the queue stays, and ends a later grant of the same
    // accounts at its time. State and gas are to be the same.
    if (expiration !== undefined) expiries.remove(ctx, [timestampToNs(expiration), [granter, grantee]])
    ctx.emit('revoke_feegrant', parties(granter, grantee))
  }

  /** The transaction fails all the same, but as there it has paid for the removal. */
  function use<T>(ctx: Write, granter: Bytes, grantee: Bytes, run: () => T): T {
    try {
      return run()
    } catch (error) {
      const isExpired =
        error instanceof CodedError && error.codespace === 'feegrant' && error.code === errors.feeLimitExpired.code
      if (isExpired) revoke(ctx, granter, grantee)
      throw error
    }
  }

  function useGrantedFees(
    ctx: Write,
    granter: Bytes,
    grantee: Bytes,
    fee: Coins,
    msgTypeUrls: readonly string[],
  ): void {
    const left = use(ctx, granter, grantee, () => require(ctx, granter, grantee).use(ctx, fee, msgTypeUrls))
    if (left === undefined) {
      revoke(ctx, granter, grantee)
      ctx.emit('use_feegrant', parties(granter, grantee))
      return
    }
    ctx.emit('use_feegrant', parties(granter, grantee))
    // As there: what is about to be replaced is read once more, and paid for.
    grants.get(ctx, [grantee, granter])
    store(ctx, granter, grantee, left)
    ctx.emit('update_feegrant', parties(granter, grantee))
  }

  return { addresses, get, require, grant, revoke, useGrantedFees, prune }
}

/** An allowance may still be used in a block of exactly its time. */
function prune(ctx: Write, countMax: number): void {
  const ended: (readonly [bigint, readonly [Bytes, Bytes]])[] = []
  for (const [key] of expiries.entries(ctx, { start: new Uint8Array(0), end: expiryKey.prefix(ctx.time) })) {
    ended.push(key)
    if (ended.length === countMax) break
  }
  for (const key of ended) {
    expiries.remove(ctx, key)
    grants.remove(ctx, key[1])
  }
}
