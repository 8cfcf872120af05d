import { type Bytes, bytesToHex, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { AuthorizationKinds } from '@coin/runtime/authorization'
import type { Read, Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { attribute, EventLog, withAttributes } from '@coin/runtime/events'
import type { MsgRouter } from '@coin/runtime/msg-router'
import { plainAddress } from '@coin/runtime/plain-address'
import type { AddressCodec } from '@coin/wire/addresses'
import type { Grant } from '@coin/wire/gen/cosmos/authz/v1beta1/authz'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { formatTimestamp, nsToTimestamp, type Timestamp, timestampToNs } from '@coin/wire/time'
import { type Authorization, unpackAuthorization } from './authorization.js'
import { errors } from './errors.js'
import { dequeue, enqueue } from './grant-queue.js'
import type { AccountsPort, BankPort } from './ports.js'
import { grantKey, grants } from './state.js'

export interface AuthzOptions {
  readonly accounts: AccountsPort
  readonly bank: BankPort
  readonly addresses: AddressCodec
  /** All messages of the chain. */
  readonly router: MsgRouter
  /** All kinds of authorizations of the chain. */
  readonly kinds: AuthorizationKinds
}

/** A message that is to be run for somebody else. */
export interface Action {
  readonly typeUrl: string
  readonly message: unknown
}

/** The only writer of grants. What throws has to be in a branch. */
export interface AuthzKeeper {
  readonly addresses: AddressCodec
  readonly router: MsgRouter
  /** Throws `invalidType`. */
  unpack(any: Any | undefined): Authorization
  find(ctx: Read, granter: Bytes, grantee: Bytes, msgTypeUrl: string): Grant | undefined
  /** Throws `unauthorized` when the grantee has no account and may not get one. */
  openAccount(ctx: Write, grantee: Bytes): void
  /** Takes the place of an earlier grant for the same messages. Throws `invalidExpirationTime` unless the end is still to come. */
  grant(
    ctx: Write,
    granter: Bytes,
    grantee: Bytes,
    authorization: Authorization,
    expiration: Timestamp | undefined,
  ): void
  /** Throws `noAuthorizationFound`. */
  revoke(ctx: Write, granter: Bytes, grantee: Bytes, msgTypeUrl: string): void
  /** Runs messages of others, each as its signer allows the grantee to; one's own need no grant. Answers with the encoded responses. */
  execute(ctx: Write, grantee: Bytes, actions: readonly Action[]): Bytes[]
}

export function createAuthzKeeper(options: AuthzOptions): AuthzKeeper {
  const { accounts, bank, addresses, router, kinds } = options
  const unpack = (any: Any | undefined): Authorization => unpackAuthorization(kinds, any)
  const find = (ctx: Read, granter: Bytes, grantee: Bytes, msgTypeUrl: string): Grant | undefined =>
    grants.get(ctx, [[granter, grantee], msgTypeUrl])

  function emit(ctx: Write, name: string, granter: Bytes, grantee: Bytes, msgTypeUrl: string): void {
    ctx.emit(`cosmos.authz.v1beta1.${name}`, {
      grantee: JSON.stringify(addresses.encode(grantee)),
      granter: JSON.stringify(addresses.encode(granter)),
      msg_type_url: JSON.stringify(msgTypeUrl),
    })
  }

  function revoke(ctx: Write, granter: Bytes, grantee: Bytes, msgTypeUrl: string): void {
    const key = [[granter, grantee], msgTypeUrl] as const
    const grant = grants.get(ctx, key)
    if (grant === undefined) {
      throw errors.noAuthorizationFound(`failed to delete grant with key ${bytesToHex(grantKey.encode(key))}`)
    }
    if (grant.expiration !== undefined) dequeue(ctx, timestampToNs(grant.expiration), granter, grantee, msgTypeUrl)
    grants.remove(ctx, key)
    emit(ctx, 'EventRevoke', granter, grantee, msgTypeUrl)
  }

  /** Throws unless the grantee may run `action` for the granter; takes from the authorization what it uses. */
  function authorize(ctx: Write, granter: Bytes, grantee: Bytes, { typeUrl, message }: Action): void {
    const grant = find(ctx, granter, grantee, typeUrl)
    if (grant === undefined) {
      const parties = `granter: ${addresses.encode(granter)}, grantee: ${addresses.encode(grantee)}`
      throw errors.noAuthorizationFound(`failed to get grant with given ${parties} & msgType: ${typeUrl} `)
    }
    if (grant.expiration !== undefined && timestampToNs(grant.expiration) < ctx.time) {
      throw errors.authorizationExpired()
    }
    const acceptance = unpack(grant.authorization).accept(ctx, message)
    if (acceptance.outcome === 'refused') throw sdkErrors.unauthorized()
    if (acceptance.outcome === 'spent') revoke(ctx, granter, grantee, typeUrl)
    if (acceptance.outcome === 'updated') {
      // As there: what is about to be replaced is read once more, and paid for.
      find(ctx, granter, grantee, typeUrl)
      grants.set(ctx, [[granter, grantee], typeUrl], { ...grant, authorization: acceptance.updated.pack() })
    }
  }

  function execute(ctx: Write, grantee: Bytes, actions: readonly Action[]): Bytes[] {
    return actions.map((action, index) => {
      const granter = onlySigner(options, action)
      if (!equalBytes(granter, grantee)) authorize(ctx, granter, grantee, action)
      const log = new EventLog()
      try {
        const { value } = router.run(ctx.with({ events: log }), action.typeUrl, action.message)
        const position = attribute('authz_msg_index', String(index))
        ctx.events.push(log.events.map((event) => withAttributes(event, position)))
        return value
      } catch (error) {
        throw error instanceof CodedError ? error.wrap(`failed to execute message; message ${action.typeUrl}`) : error
      }
    })
  }

  return {
    ...{ addresses, router, unpack, find, revoke, execute },
    openAccount(ctx, grantee) {
      if (accounts.get(ctx, grantee) !== undefined) return
      if (bank.isBlocked(grantee)) {
        throw sdkErrors.unauthorized(`${addresses.encode(grantee)} is not allowed to receive funds`)
      }
      accounts.create(ctx, grantee)
    },
    grant(ctx, granter, grantee, authorization, expiration) {
      const { msgTypeUrl } = authorization
      const end = endOf(ctx, expiration)
      const before = find(ctx, granter, grantee, msgTypeUrl)?.expiration
      const endBefore = before === undefined ? undefined : timestampToNs(before)
      if (end !== endBefore) {
        if (endBefore !== undefined) dequeue(ctx, endBefore, granter, grantee, msgTypeUrl)
        if (end !== undefined) enqueue(ctx, end, granter, grantee, msgTypeUrl)
      }
      grants.set(ctx, [[granter, grantee], msgTypeUrl], { authorization: authorization.pack(), expiration })
      emit(ctx, 'EventGrant', granter, grantee, msgTypeUrl)
    },
  }
}

function endOf(ctx: Read, expiration: Timestamp | undefined): bigint | undefined {
  if (expiration === undefined) return undefined
  const end = timestampToNs(expiration)
  if (end > ctx.time) return end
  const text = (ns: bigint) => formatTimestamp({ ...nsToTimestamp(ns), nanos: 0 })
  throw errors.invalidExpirationTime(
    `expiration must be after the current block time (${text(ctx.time)}), got ${text(end)}`,
  )
}

function onlySigner({ router, addresses }: AuthzOptions, { typeUrl, message }: Action): Bytes {
  if (!router.has(typeUrl)) throw sdkErrors.unknownRequest(`unrecognized message route: ${typeUrl}`)
  const [signer, ...others] = router
    .route(typeUrl)
    .signers(message)
    .map((text) => plainAddress(addresses, text))
  if (signer === undefined || others.length > 0) throw errors.numOfSigners()
  return signer
}
