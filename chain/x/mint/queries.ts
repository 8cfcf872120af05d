import { utf8ToBytes } from '@coin/base/bytes'
import { onQuery, type QueryRoute } from '@coin/runtime/module'
import * as api from '@coin/wire/gen/cosmos/mint/v1beta1/query'
import { requireMinter, requireParams } from './genesis.js'

const service = '/cosmos.mint.v1beta1.Query'

export const mintQueries: Readonly<Record<string, QueryRoute>> = {
  [`${service}/Params`]: onQuery(api.QueryParamsRequest, api.QueryParamsResponse, (ctx) => ({
    params: requireParams(ctx),
  })),
  [`${service}/Inflation`]: onQuery(api.QueryInflationRequest, api.QueryInflationResponse, (ctx) => ({
    inflation: utf8ToBytes(requireMinter(ctx).inflation),
  })),
  [`${service}/AnnualProvisions`]: onQuery(
    api.QueryAnnualProvisionsRequest,
    api.QueryAnnualProvisionsResponse,
    (ctx) => ({ annualProvisions: utf8ToBytes(requireMinter(ctx).annualProvisions) }),
  ),
}
