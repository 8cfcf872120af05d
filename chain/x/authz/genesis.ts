import { CodedError } from '@coin/base/errors'
import { genesisErrors } from '@coin/runtime/errors'
import { type Genesis, onGenesis } from '@coin/runtime/module'
import type { GenesisState } from '@coin/wire/gen/cosmos/authz/v1beta1/genesis'
import { timestampToNs } from '@coin/wire/time'
import type { AuthzKeeper } from './keeper.js'
import { grants } from './state.js'

export function createAuthzGenesis(keeper: AuthzKeeper): Genesis {
  const { decode, encode } = keeper.addresses
  return onGenesis<GenesisState>({
    type: 'cosmos.authz.v1beta1.GenesisState',
    default: () => ({ authorization: [] }),
    init(ctx, state) {
      for (const { granter, grantee, authorization, expiration } of state.authorization) {
        if (expiration !== undefined && timestampToNs(expiration) < ctx.time) continue
        try {
          keeper.grant(ctx, decode(granter), decode(grantee), keeper.unpack(authorization), expiration)
        } catch (error) {
          if (!(error instanceof CodedError)) throw error
          throw genesisErrors.invalid(`grant of ${granter} to ${grantee}: ${error.message}`)
        }
      }
      return undefined
    },
    export: (ctx) => ({
      authorization: [...grants.entries(ctx)].map(([[[granter, grantee]], grant]) => ({
        granter: encode(granter),
        grantee: encode(grantee),
        ...grant,
      })),
    }),
  })
}
