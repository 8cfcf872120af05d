import { assert } from '@coin/base/assert'
import type { Read } from '@coin/runtime/context'
import { genesisErrors } from '@coin/runtime/errors'
import { type Genesis, onGenesis } from '@coin/runtime/module'
import { LegacyDec } from '@coin/wire/dec'
import type { GenesisState } from '@coin/wire/gen/cosmos/mint/v1beta1/genesis'
import type { Minter, Params } from '@coin/wire/gen/cosmos/mint/v1beta1/mint'
import { checkParams, minterDefault, paramsDefault } from './params.js'
import type { AccountsPort } from './ports.js'
import { minter, params } from './state.js'

export function createMintGenesis(accounts: AccountsPort, denom: string): Genesis {
  return onGenesis<GenesisState>({
    type: 'cosmos.mint.v1beta1.GenesisState',
    default: () => ({ minter: minterDefault, params: paramsDefault(denom) }),
    init(ctx, state) {
      checkParams(state.params)
      if (LegacyDec.fromProto(state.minter.inflation).isNegative()) {
        throw genesisErrors.invalid(`mint inflation is ${LegacyDec.fromProto(state.minter.inflation)}`)
      }
      minter.set(ctx, state.minter)
      params.set(ctx, state.params)
      accounts.moduleAccount(ctx, 'mint')
      return undefined
    },
    export: (ctx) => ({ minter: requireMinter(ctx), params: requireParams(ctx) }),
    warnings: (state) =>
      LegacyDec.fromProto(state.params.inflationMax).isZero() && LegacyDec.fromProto(state.minter.inflation).isZero()
        ? []
        : ['mint: the genesis has inflation, but no coins are minted before staking is built'],
  })
}

export function requireMinter(ctx: Read): Minter {
  const found = minter.get(ctx)
  assert(found !== undefined, 'mint has no minter')
  return found
}

export function requireParams(ctx: Read): Params {
  const found = params.get(ctx)
  assert(found !== undefined, 'mint has no parameters')
  return found
}
