import { bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import type { Random } from '@coin/base/testing/random'
import { QueryBalanceRequest } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import type { LoadPlan, LoadRequest } from './load-plan.js'

const encode = encodeURIComponent
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** What wallets, explorers, bots and relayers ask for, in about their proportions. */
export function anyRequest(plan: LoadPlan, random: Random, height: number): LoadRequest {
  const pick = <T>(list: readonly T[]): T => list[random.int(list.length)]!
  const address = pick(plan.addresses)
  const past = 1 + random.int(Math.max(1, height - 1))
  const balance = QueryBalanceRequest.encode({ address, denom: 'ucoin' }).finish()
  const rest = (name: string, target: string): LoadRequest => ({ name: `REST ${name}`, door: 'rest', target })
  const rpc = (name: string, params: object): LoadRequest => {
    const target = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params })
    return { name: `RPC ${name}`, door: 'rpc', target }
  }
  const kinds: readonly (readonly [weight: number, request: () => LoadRequest])[] = [
    [16, () => rest('balance', `/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=ucoin`)],
    [8, () => rest('account', `/cosmos/auth/v1beta1/accounts/${address}`)],
    [10, () => rest('smart query', smartPath(plan.cw20, { balance: { address } }))],
    [4, () => rest('smart query of lists', smartPath(plan.cw20, { all_accounts: { limit: 10 } }))],
    [5, () => rest('latest block', '/cosmos/base/tendermint/v1beta1/blocks/latest')],
    [4, () => rest('block', `/cosmos/base/tendermint/v1beta1/blocks/${past}`)],
    [5, () => rest('transaction', `/cosmos/tx/v1beta1/txs/${pick(plan.hashes)}`)],
    [4, () => rest('search', searchPath(`message.sender='${address}'`))],
    [2, () => rest('search of height', searchPath(`tx.height=${past}`))],
    [2, () => rest('supply', '/cosmos/bank/v1beta1/supply')],
    [10, () => rpc('status', {})],
    [6, () => rpc('tx', { hash: base64(Buffer.from(pick(plan.hashes), 'hex')) })],
    [4, () => rpc('tx_search', { query: `transfer.recipient='${address}'`, per_page: '10', order_by: 'desc' })],
    [2, () => rpc('block_search', { query: `block.height<=${past}`, per_page: '3', order_by: 'desc' })],
    [3, () => rpc('block_results', { height: String(past) })],
    [3, () => rpc('commit', { height: String(past) })],
    [6, () => rpc('abci_query', { path: '/cosmos.bank.v1beta1.Query/Balance', data: bytesToHex(balance) })],
    [
      2,
      () => rpc('abci_query', { path: '/store/bank/key', data: bytesToHex(utf8ToBytes('\u0000ucoin')), prove: true }),
    ],
    ...(plan.grpc === undefined
      ? []
      : [[8, () => grpcRequest('/cosmos.bank.v1beta1.Query/Balance', balance)] as const]),
  ]
  let at = random.int(kinds.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, request] of kinds) {
    if (at < weight) return request()
    at -= weight
  }
  throw new RangeError('the weights do not add up')
}

const searchPath = (query: string) =>
  `/cosmos/tx/v1beta1/txs?events=${encode(query)}&pagination.limit=10&order_by=ORDER_BY_DESC`

function smartPath(contract: string, query: object): string {
  return `/cosmwasm/wasm/v1/contract/${contract}/smart/${encode(base64(utf8ToBytes(JSON.stringify(query))))}`
}

function grpcRequest(method: string, message: Uint8Array): LoadRequest {
  return {
    name: `gRPC ${method.slice(method.lastIndexOf('/') + 1)}`,
    door: 'grpc',
    target: method,
    body: base64(message),
  }
}
