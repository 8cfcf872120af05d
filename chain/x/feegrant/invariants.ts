import { compareBytes } from '@coin/base/bytes'
import type { Invariant } from '@coin/runtime/module'
import type { AddressCodec } from '@coin/wire/addresses'
import { unpackAllowance } from './allowances.js'
import { grants } from './state.js'

/** The queue is none: by the way in which the SDK revokes, it may have entries without a grant and lack some of grants. */
export function feegrantInvariants(addresses: AddressCodec): Readonly<Record<string, Invariant>> {
  return {
    'grants are kept under their accounts, and have an allowance': (ctx) => {
      for (const [[grantee, granter], grant] of grants.entries(ctx)) {
        unpackAllowance(grant.allowance)
        const isOwn =
          compareBytes(addresses.decode(grant.granter), granter) === 0 &&
          compareBytes(addresses.decode(grant.grantee), grantee) === 0
        if (!isOwn) return `fee grant of ${grant.granter} to ${grant.grantee} is kept under other accounts`
      }
      return undefined
    },
  }
}
