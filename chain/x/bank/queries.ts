import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read } from '@coin/runtime/context'
import { undefinedErrors } from '@coin/runtime/errors'
import { onQuery, type QueryRoute } from '@coin/runtime/module'
import { paginate } from '@coin/runtime/pagination'
import { status } from '@coin/runtime/status'
import { amountOf, isDenom } from '@coin/wire/coins'
import * as api from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import type { Coin as ProtoCoin } from '@coin/wire/gen/cosmos/base/v1beta1/coin'
import type { BankKeeper } from './keeper.js'
import { balanceKey, balances, denomMetadata, holderKey, holdersByDenom, params, sendEnabled, supply } from './state.js'

const service = '/cosmos.bank.v1beta1.Query'

export function createBankQueries(keeper: BankKeeper): Record<string, QueryRoute> {
  return {
    ...balanceQueries(keeper),
    ...supplyQueries(keeper),
    ...metadataQueries(),
    ...ownerQueries(keeper),
    [`${service}/Params`]: onQuery(api.QueryParamsRequest, api.QueryParamsResponse, (ctx) => ({
      params: params.get(ctx) ?? { sendEnabled: [], defaultSendEnabled: false },
    })),
    [`${service}/SendEnabled`]: onQuery(api.QuerySendEnabledRequest, api.QuerySendEnabledResponse, listSendEnabled),
  }
}

function balanceQueries(keeper: BankKeeper): Record<string, QueryRoute> {
  const one = (ctx: Read, address: string, denom: string): ProtoCoin => {
    checkDenom(denom)
    return coin(denom, keeper.balanceOf(ctx, parseAddress(keeper, address), denom))
  }
  return {
    [`${service}/Balance`]: onQuery(api.QueryBalanceRequest, api.QueryBalanceResponse, (ctx, request) => ({
      balance: one(ctx, request.address, request.denom),
    })),
    [`${service}/AllBalances`]: onQuery(api.QueryAllBalancesRequest, api.QueryAllBalancesResponse, (ctx, request) => {
      const display = (denom: string) => (request.resolveDenom ? denomMetadata.get(ctx, denom)?.display : undefined)
      const prefix = balanceKey.prefix(parseAddress(keeper, request.address))
      const toCoin = ([, denom]: readonly [Bytes, string], amount: bigint) => coin(display(denom) ?? denom, amount)
      const page = paginating(() => paginate(ctx, balances, request.pagination, toCoin, { prefix }))
      return { balances: page.items, pagination: page.pagination }
    }),
    [`${service}/SpendableBalances`]: onQuery(
      api.QuerySpendableBalancesRequest,
      api.QuerySpendableBalancesResponse,
      (ctx, request) => {
        const holder = parseAddress(keeper, request.address)
        const prefix = balanceKey.prefix(holder)
        const toDenom = ([, denom]: readonly [Bytes, string]) => denom
        const page = paginating(() => paginate(ctx, balances, request.pagination, toDenom, { prefix }))
        const spendable = keeper.spendableCoins(ctx, holder)
        const items = page.items.map((denom) => coin(denom, amountOf(spendable, denom)))
        return { balances: items, pagination: page.pagination }
      },
    ),
    [`${service}/SpendableBalanceByDenom`]: onQuery(
      api.QuerySpendableBalanceByDenomRequest,
      api.QuerySpendableBalanceByDenomResponse,
      (ctx, request) => {
        // As there: of two mistakes the address is told first, unlike in Balance.
        const holder = parseAddress(keeper, request.address)
        checkDenom(request.denom)
        const amount = keeper.spendableOf(ctx, holder, request.denom)
        // The SDK runs into a panic here; a list of all denoms has zeros then.
        if (amount < 0n) throw undefinedErrors.panic('negative coin amount')
        return { balance: coin(request.denom, amount) }
      },
    ),
  }
}

/** As the SDK words what is wrong with a page of balances. */
function paginating<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof CodedError ? error.wrap('paginate') : error
  }
}

function supplyQueries(keeper: BankKeeper): Record<string, QueryRoute> {
  return {
    [`${service}/TotalSupply`]: onQuery(api.QueryTotalSupplyRequest, api.QueryTotalSupplyResponse, (ctx, request) => {
      const page = paginate(ctx, supply, request.pagination, coin)
      return { supply: page.items, pagination: page.pagination }
    }),
    [`${service}/SupplyOf`]: onQuery(api.QuerySupplyOfRequest, api.QuerySupplyOfResponse, (ctx, { denom }) => {
      checkDenom(denom)
      return { amount: coin(denom, keeper.supplyOf(ctx, denom)) }
    }),
  }
}

function metadataQueries(): Record<string, QueryRoute> {
  const find = (ctx: Read, denom: string) => {
    checkDenom(denom)
    const metadata = denomMetadata.get(ctx, denom)
    if (metadata === undefined) throw status('notFound', `client metadata for denom ${denom}`)
    return { metadata }
  }
  return {
    [`${service}/DenomsMetadata`]: onQuery(
      api.QueryDenomsMetadataRequest,
      api.QueryDenomsMetadataResponse,
      (ctx, request) => {
        const page = paginate(ctx, denomMetadata, request.pagination, (_, metadata) => metadata)
        return { metadatas: page.items, pagination: page.pagination }
      },
    ),
    [`${service}/DenomMetadata`]: onQuery(
      api.QueryDenomMetadataRequest,
      api.QueryDenomMetadataResponse,
      (ctx, { denom }) => find(ctx, denom),
    ),
    [`${service}/DenomMetadataByQueryString`]: onQuery(
      api.QueryDenomMetadataByQueryStringRequest,
      api.QueryDenomMetadataByQueryStringResponse,
      (ctx, { denom }) => find(ctx, denom),
    ),
  }
}

function ownerQueries(keeper: BankKeeper): Record<string, QueryRoute> {
  const owners = (ctx: Read, { denom, pagination }: api.QueryDenomOwnersRequest): api.QueryDenomOwnersResponse => {
    checkDenom(denom)
    const toOwner = ([, holder]: readonly [string, Bytes]) => ({
      address: keeper.addresses.encode(holder),
      balance: coin(denom, keeper.balanceOf(ctx, holder, denom)),
    })
    const page = paginate(ctx, holdersByDenom, pagination, toOwner, { prefix: holderKey.prefix(denom) })
    return { denomOwners: page.items, pagination: page.pagination }
  }
  return {
    [`${service}/DenomOwners`]: onQuery(api.QueryDenomOwnersRequest, api.QueryDenomOwnersResponse, owners),
    [`${service}/DenomOwnersByQuery`]: onQuery(
      api.QueryDenomOwnersByQueryRequest,
      api.QueryDenomOwnersByQueryResponse,
      owners,
    ),
  }
}

function listSendEnabled(ctx: Read, request: api.QuerySendEnabledRequest): api.QuerySendEnabledResponse {
  if (request.denoms.length === 0) {
    const page = paginate(ctx, sendEnabled, request.pagination, (denom, enabled) => ({ denom, enabled }))
    return { sendEnabled: page.items, pagination: page.pagination }
  }
  const found = request.denoms.flatMap((denom) => {
    const enabled = sendEnabled.get(ctx, denom)
    return enabled === undefined ? [] : [{ denom, enabled }]
  })
  return { sendEnabled: found, pagination: undefined }
}

function coin(denom: string, amount: bigint): ProtoCoin {
  return { denom, amount: amount.toString() }
}

function checkDenom(denom: string): void {
  if (!isDenom(denom)) throw status('invalidArgument', `invalid denom: ${denom}`)
}

function parseAddress(keeper: BankKeeper, text: string): Bytes {
  try {
    return keeper.addresses.decode(text)
  } catch (error) {
    throw error instanceof CodedError ? status('invalidArgument', `invalid address: ${error.message}`) : error
  }
}
