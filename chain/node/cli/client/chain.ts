import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { BaseAccount } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from '@coin/wire/gen/cosmos/auth/v1beta1/query'
import type { Metadata } from '@coin/wire/gen/cosmos/bank/v1beta1/bank'
import { QueryDenomMetadataRequest, QueryDenomMetadataResponse } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import { SimulateRequest, SimulateResponse } from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { decodeAny } from '@coin/wire/registry'
import { nodeErrors } from '../../errors.js'
import type { RpcClient } from './rpc.js'

export interface SignerAccount {
  readonly accountNumber: bigint
  readonly sequence: bigint
}

/** Account number and next sequence. Throws `queryFailed`; an account exists once it has received something. */
export async function queryAccount(rpc: RpcClient, address: string): Promise<SignerAccount> {
  const request = QueryAccountRequest.encode({ address }).finish()
  let response: QueryAccountResponse
  try {
    response = QueryAccountResponse.decode(await rpc.query('/cosmos.auth.v1beta1.Query/Account', request))
  } catch (error) {
    const isUnknown = error instanceof CodedError && /not found/.test(error.message)
    throw isUnknown ? nodeErrors.queryFailed(`account ${address} does not exist yet: send coins to it first`) : error
  }
  const account = response.account === undefined ? undefined : baseAccountOf(decodeAny(response.account).message)
  if (account === undefined) throw nodeErrors.queryFailed(`account ${address} is of a type that cannot sign`)
  return { accountNumber: account.accountNumber, sequence: account.sequence }
}

/** The base account inside module and vesting accounts. */
function baseAccountOf(message: unknown): BaseAccount | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  if ('accountNumber' in message) return message as BaseAccount
  const { baseAccount, baseVestingAccount } = message as { baseAccount?: unknown; baseVestingAccount?: unknown }
  return baseAccountOf(baseAccount ?? baseVestingAccount)
}

/** Runs the transaction without keeping anything of it. Throws `queryFailed` with the reason it would fail for. */
export async function simulate(rpc: RpcClient, txBytes: Bytes): Promise<SimulateResponse> {
  const request = SimulateRequest.encode(SimulateRequest.fromPartial({ txBytes })).finish()
  return SimulateResponse.decode(await rpc.query('/cosmos.tx.v1beta1.Service/Simulate', request))
}

/** Gas that the transaction would use. Throws as `simulate`. */
export async function simulateGas(rpc: RpcClient, txBytes: Bytes): Promise<bigint> {
  const { gasInfo } = await simulate(rpc, txBytes)
  if (gasInfo === undefined) throw nodeErrors.queryFailed('the node simulated without telling the gas')
  return gasInfo.gasUsed
}

/** The chain id that a node reports. */
export async function queryChainId(rpc: RpcClient): Promise<string> {
  const { node_info: info } = await rpc.call('status', {})
  const network = (info as { network?: unknown } | undefined)?.network
  if (typeof network !== 'string') throw nodeErrors.rpcFailed(`${rpc.url} does not tell its chain id`)
  return network
}

/** How people count a denom; `undefined` when the chain does not say, for then it is only shown as it is. */
export async function queryDenomMetadata(rpc: RpcClient, denom: string): Promise<Metadata | undefined> {
  const request = QueryDenomMetadataRequest.encode({ denom }).finish()
  try {
    return QueryDenomMetadataResponse.decode(await rpc.query('/cosmos.bank.v1beta1.Query/DenomMetadata', request))
      .metadata
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}
