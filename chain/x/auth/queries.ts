import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Account } from '@coin/runtime/account'
import type { Read } from '@coin/runtime/context'
import { onQuery, type QueryRoute } from '@coin/runtime/module'
import { paginate } from '@coin/runtime/pagination'
import { status } from '@coin/runtime/status'
import * as api from '@coin/wire/gen/cosmos/auth/v1beta1/query'
import { accountToAny } from './account-value.js'
import type { AuthKeeper } from './keeper.js'
import { accountByNumber, accounts } from './state.js'

const service = '/cosmos.auth.v1beta1.Query'

export function createAuthQueries(keeper: AuthKeeper): Record<string, QueryRoute> {
  return {
    [`${service}/Accounts`]: onQuery(api.QueryAccountsRequest, api.QueryAccountsResponse, (ctx, request) => {
      const page = paginate(ctx, accounts, request.pagination, (_, account) => accountToAny(account))
      return { accounts: page.items, pagination: page.pagination }
    }),
    [`${service}/Account`]: onQuery(api.QueryAccountRequest, api.QueryAccountResponse, (ctx, { address }) => ({
      account: accountToAny(requireAccount(ctx, keeper, address)),
    })),
    [`${service}/AccountInfo`]: onQuery(
      api.QueryAccountInfoRequest,
      api.QueryAccountInfoResponse,
      (ctx, { address }) => {
        if (address === '') throw status('invalidArgument', 'address cannot be empty')
        const { pubKey, accountNumber, sequence } = requireAccount(ctx, keeper, address)
        return { info: { address, pubKey, accountNumber, sequence } }
      },
    ),
    [`${service}/AccountAddressByID`]: onQuery(
      api.QueryAccountAddressByIDRequest,
      api.QueryAccountAddressByIDResponse,
      accountAddressById(keeper),
    ),
    [`${service}/Params`]: onQuery(api.QueryParamsRequest, api.QueryParamsResponse, (ctx) => ({
      params: keeper.params(ctx),
    })),
    ...moduleAccountQueries(keeper),
    ...addressQueries(keeper),
  }
}

function moduleAccountQueries(keeper: AuthKeeper): Record<string, QueryRoute> {
  const find = (ctx: Read, name: string): Account | undefined => {
    const address = keeper.moduleAddress(name)
    return address === undefined ? undefined : keeper.get(ctx, address)
  }
  return {
    [`${service}/ModuleAccounts`]: onQuery(api.QueryModuleAccountsRequest, api.QueryModuleAccountsResponse, (ctx) => ({
      accounts: keeper.moduleNames
        .map((name) => find(ctx, name))
        .filter((account) => account !== undefined)
        .map(accountToAny),
    })),
    [`${service}/ModuleAccountByName`]: onQuery(
      api.QueryModuleAccountByNameRequest,
      api.QueryModuleAccountByNameResponse,
      (ctx, { name }) => {
        if (name === '') throw status('invalidArgument', 'module name is empty')
        const account = find(ctx, name)
        if (account === undefined) throw status('notFound', `account ${name} not found`)
        return { account: accountToAny(account) }
      },
    ),
  }
}

function addressQueries({ addresses }: AuthKeeper): Record<string, QueryRoute> {
  return {
    [`${service}/Bech32Prefix`]: onQuery(api.Bech32PrefixRequest, api.Bech32PrefixResponse, () => ({
      bech32Prefix: addresses.prefix,
    })),
    [`${service}/AddressBytesToString`]: onQuery(
      api.AddressBytesToStringRequest,
      api.AddressBytesToStringResponse,
      (_, { addressBytes }) => ({ addressString: asArgument(() => addresses.encode(addressBytes)) }),
    ),
    [`${service}/AddressStringToBytes`]: onQuery(
      api.AddressStringToBytesRequest,
      api.AddressStringToBytesResponse,
      (_, { addressString }) => ({ addressBytes: asArgument(() => addresses.decode(addressString)) }),
    ),
  }
}

function accountAddressById(keeper: AuthKeeper) {
  return (ctx: Read, { id, accountId }: api.QueryAccountAddressByIDRequest): api.QueryAccountAddressByIDResponse => {
    if (id !== 0n)
      throw status('invalidArgument', "requesting with id isn't supported, try to request using account-id")
    const address: Bytes | undefined = accountByNumber.get(ctx, accountId)
    if (address === undefined) throw status('notFound', `account address not found with account number ${accountId}`)
    return { accountAddress: keeper.addresses.encode(address) }
  }
}

function requireAccount(ctx: Read, keeper: AuthKeeper, text: string): Account {
  if (text === '') throw status('invalidArgument', 'Address cannot be empty')
  const account = keeper.get(
    ctx,
    asArgument(() => keeper.addresses.decode(text)),
  )
  if (account === undefined) throw status('notFound', `account ${text} not found`)
  return account
}

/** Bad input of a query is the caller's argument, not our failure. */
function asArgument<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof CodedError) throw status('invalidArgument', error.message)
    throw error
  }
}
