import { type Bytes, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { sdkErrors } from '@coin/runtime/errors'
import { paginateFiltered } from '@coin/runtime/filtered-pagination'
import { onQuery, type QueryRoute } from '@coin/runtime/module'
import { plainAddress } from '@coin/runtime/plain-address'
import { grpcCodespace, status } from '@coin/runtime/status'
import * as api from '@coin/wire/gen/cosmos/feegrant/v1beta1/query'
import type { FeegrantKeeper } from './keeper.js'
import { grantKey, grants } from './state.js'

const service = '/cosmos.feegrant.v1beta1.Query'

export function createFeegrantQueries(keeper: FeegrantKeeper): Record<string, QueryRoute> {
  const parse = (text: string) => plainAddress(keeper.addresses, text)
  return {
    [`${service}/Allowance`]: onQuery(
      api.QueryAllowanceRequest,
      api.QueryAllowanceResponse,
      (ctx, { granter, grantee }) => {
        const [from, to] = [parse(granter), parse(grantee)]
        const allowance = internal(() => keeper.require(ctx, from, to))
        return { allowance: { granter, grantee, allowance: allowance.pack() } }
      },
    ),
    [`${service}/Allowances`]: onQuery(
      api.QueryAllowancesRequest,
      api.QueryAllowancesResponse,
      (ctx, { grantee, pagination }) => {
        const prefix = grantKey.prefix(parse(grantee))
        const page = internal(() => paginateFiltered(ctx, grants, pagination, (_, grant) => grant, { prefix }))
        return { allowances: page.items, pagination: page.pagination }
      },
    ),
    [`${service}/AllowancesByGranter`]: onQuery(
      api.QueryAllowancesByGranterRequest,
      api.QueryAllowancesByGranterResponse,
      (ctx, { granter, pagination }) => {
        const from = parse(granter)
        const filter = ([, by]: readonly [Bytes, Bytes]) => equalBytes(by, from)
        const page = internal(() => paginateFiltered(ctx, grants, pagination, (_, grant) => grant, { filter }))
        return { allowances: page.items, pagination: page.pagination }
      },
    ),
  }
}

/** The SDK tells of any failure behind the addresses as its own; here what is not there is not found, and a bad page is the caller's. */
function internal<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CodedError) || error.codespace === grpcCodespace) throw error
    throw status(isNotFound(error) ? 'notFound' : 'internal', error.message)
  }
}

function isNotFound({ codespace, code }: CodedError): boolean {
  return codespace === 'sdk' && code === sdkErrors.notFound.code
}
