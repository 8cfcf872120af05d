import { assert } from '@coin/base/assert'
import type { Read } from '@coin/runtime/context'
import { genesisErrors } from '@coin/runtime/errors'
import { type Genesis, onGenesis } from '@coin/runtime/module'
import type { GenesisState } from '@coin/wire/gen/cosmos/gov/v1/genesis'
import type { Params } from '@coin/wire/gen/cosmos/gov/v1/gov'
import { checkParams, paramsDefault } from './params.js'
import type { AccountsPort } from './ports.js'
import { constitution, nextProposalId, params } from './state.js'

export function createGovGenesis(accounts: AccountsPort, denom: string): Genesis {
  return onGenesis<GenesisState>({
    type: 'cosmos.gov.v1.GenesisState',
    default: () => stateOf(1n, paramsDefault(denom), ''),
    init(ctx, state) {
      if (state.startingProposalId === 0n) throw genesisErrors.invalid('gov starting_proposal_id is 0')
      if (state.params === undefined) throw genesisErrors.invalid('gov has no params')
      if (state.proposals.length + state.deposits.length + state.votes.length > 0) {
        throw genesisErrors.invalid('gov proposals, deposits and votes are not supported yet')
      }
      checkParams(state.params)
      nextProposalId.set(ctx, state.startingProposalId)
      params.set(ctx, state.params)
      constitution.set(ctx, state.constitution)
      accounts.moduleAccount(ctx, 'gov')
      return undefined
    },
    export: (ctx) => stateOf(nextProposalId.peek(ctx), requireParams(ctx), constitution.get(ctx) ?? ''),
  })
}

export function requireParams(ctx: Read): Params {
  const found = params.get(ctx)
  assert(found !== undefined, 'gov has no parameters')
  return found
}

function stateOf(startingProposalId: bigint, of: Params, text: string): GenesisState {
  return {
    startingProposalId,
    deposits: [],
    votes: [],
    proposals: [],
    depositParams: undefined,
    votingParams: undefined,
    tallyParams: undefined,
    params: of,
    constitution: text,
  }
}
