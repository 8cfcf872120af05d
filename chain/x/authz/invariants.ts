import type { Invariant } from '@coin/runtime/module'
import type { AddressCodec } from '@coin/wire/addresses'
import { timestampToNs } from '@coin/wire/time'
import type { AuthzKeeper } from './keeper.js'
import { grants, queue } from './state.js'

export function authzInvariants({ addresses, unpack }: AuthzKeeper): Readonly<Record<string, Invariant>> {
  return {
    'grants allow the messages that they are kept under': (ctx) => {
      for (const [[[granter, grantee], msgTypeUrl], { authorization }] of grants.entries(ctx)) {
        if (unpack(authorization).msgTypeUrl === msgTypeUrl) continue
        return `grant of ${nameOf(addresses, granter, grantee)} for ${msgTypeUrl} allows other messages`
      }
      return undefined
    },
    /** Else they would stay for ever. */
    'grants with an end are in the queue': (ctx) => {
      for (const [[[granter, grantee], msgTypeUrl], { expiration }] of grants.entries(ctx)) {
        if (expiration === undefined) continue
        const ending = queue.get(ctx, [timestampToNs(expiration), [granter, grantee]])
        if (ending?.msgTypeUrls.includes(msgTypeUrl)) continue
        return `grant of ${nameOf(addresses, granter, grantee)} for ${msgTypeUrl} is not in the queue`
      }
      return undefined
    },
  }
}

function nameOf({ encode }: AddressCodec, granter: Uint8Array, grantee: Uint8Array): string {
  return `${encode(granter)} to ${encode(grantee)}`
}
