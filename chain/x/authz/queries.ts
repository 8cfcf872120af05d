import { type Bytes, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { sizedAddressKey } from '@coin/runtime/address-time-keys'
import type { Read } from '@coin/runtime/context'
import { plainError } from '@coin/runtime/errors'
import { type FilterOptions, paginateFiltered } from '@coin/runtime/filtered-pagination'
import { onQuery, type QueryRoute } from '@coin/runtime/module'
import type { Page } from '@coin/runtime/pagination'
import { plainAddress } from '@coin/runtime/plain-address'
import type { Grant } from '@coin/wire/gen/cosmos/authz/v1beta1/authz'
import * as api from '@coin/wire/gen/cosmos/authz/v1beta1/query'
import type { PageRequest } from '@coin/wire/gen/cosmos/base/query/v1beta1/pagination'
import { errors } from './errors.js'
import type { AuthzKeeper } from './keeper.js'
import { grantKey, grants } from './state.js'

const service = '/cosmos.authz.v1beta1.Query'

type Key = readonly [readonly [granter: Bytes, grantee: Bytes], string]

export function createAuthzQueries(keeper: AuthzKeeper): Record<string, QueryRoute> {
  const { encode } = keeper.addresses
  const decode = (text: string) => plainAddress(keeper.addresses, text)
  return {
    [`${service}/Grants`]: onQuery(api.QueryGrantsRequest, api.QueryGrantsResponse, (ctx, request) =>
      listGrants(ctx, keeper, request),
    ),
    [`${service}/GranterGrants`]: onQuery(
      api.QueryGranterGrantsRequest,
      api.QueryGranterGrantsResponse,
      (ctx, { granter, pagination }) => {
        const prefix = sizedAddressKey.encodePart(decode(granter))
        const page = pageOf(
          ctx,
          pagination,
          ([[, grantee]], grant) => ({ granter, grantee: encode(grantee), ...grant }),
          { prefix },
        )
        return { grants: page.items, pagination: page.pagination }
      },
    ),
    [`${service}/GranteeGrants`]: onQuery(
      api.QueryGranteeGrantsRequest,
      api.QueryGranteeGrantsResponse,
      (ctx, { grantee, pagination }) => {
        const to = decode(grantee)
        const page = pageOf(
          ctx,
          pagination,
          ([[granter]], grant) => ({ granter: encode(granter), grantee, ...grant }),
          { filter: ([[, by]]: Key) => equalBytes(by, to) },
        )
        return { grants: page.items, pagination: page.pagination }
      },
    ),
  }
}

function listGrants(ctx: Read, keeper: AuthzKeeper, request: api.QueryGrantsRequest): api.QueryGrantsResponse {
  const granter = plainAddress(keeper.addresses, request.granter)
  const grantee = plainAddress(keeper.addresses, request.grantee)
  const { msgTypeUrl } = request
  if (msgTypeUrl === '') {
    const prefix = grantKey.prefix([granter, grantee])
    const page = pageOf(ctx, request.pagination, (_, grant) => grant, { prefix })
    return { grants: page.items, pagination: page.pagination }
  }
  const grant = keeper.find(ctx, granter, grantee, msgTypeUrl)
  if (grant === undefined) throw errors.noAuthorizationFound(`authorization not found for ${msgTypeUrl} type`)
  return { grants: [grant], pagination: undefined }
}

/** In the SDK's x/authz a page that cannot be had has no status code. */
function pageOf<T>(
  ctx: Read,
  request: PageRequest | undefined,
  transform: (key: Key, grant: Grant) => T,
  options: FilterOptions<Key, Grant>,
): Page<T> {
  try {
    return paginateFiltered(ctx, grants, request, transform, options)
  } catch (error) {
    throw error instanceof CodedError ? plainError(error.message) : error
  }
}
