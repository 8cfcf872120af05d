import { type Module, onQuery } from '@coin/runtime/module'
import { status } from '@coin/runtime/status'
import * as api from '@coin/wire/gen/cosmos/consensus/v1/query'
import { paramsToProto } from './proto.js'
import { consensusStore, params } from './state.js'

/** Its genesis is the engine's own: the application stores what InitChain brings, so `app_state` has no entry. */
export const consensusModule: Module = {
  name: 'consensus',
  stores: [consensusStore],
  queries: {
    '/cosmos.consensus.v1.Query/Params': onQuery(api.QueryParamsRequest, api.QueryParamsResponse, (ctx) => {
      const found = params.get(ctx)
      if (found === undefined) throw status('internal', 'consensus parameters are not set')
      return { params: paramsToProto(found) }
    }),
  },
}
