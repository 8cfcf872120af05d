import { CodedError } from '@coin/base/errors'
import { genesisErrors } from '@coin/runtime/errors'
import { type Genesis, onGenesis } from '@coin/runtime/module'
import type { GenesisState } from '@coin/wire/gen/cosmos/feegrant/v1beta1/genesis'
import { unpackAllowance } from './allowances.js'
import type { FeegrantKeeper } from './keeper.js'
import { grants } from './state.js'

export function createFeegrantGenesis(keeper: FeegrantKeeper): Genesis {
  return onGenesis<GenesisState>({
    type: 'cosmos.feegrant.v1beta1.GenesisState',
    default: () => ({ allowances: [] }),
    init(ctx, state) {
      for (const { granter, grantee, allowance } of state.allowances) {
        try {
          const unpacked = unpackAllowance(allowance)
          unpacked.check()
          keeper.grant(ctx, keeper.addresses.decode(granter), keeper.addresses.decode(grantee), unpacked)
        } catch (error) {
          if (!(error instanceof CodedError)) throw error
          throw genesisErrors.invalid(`fee grant of ${granter} to ${grantee}: ${error.message}`)
        }
      }
      return undefined
    },
    export: (ctx) => ({ allowances: [...grants.entries(ctx)].map(([, grant]) => grant) }),
  })
}
