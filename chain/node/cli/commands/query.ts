import { bytesToBase64, bytesToUtf8, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { decodeBase64 } from '@coin/wire/base64'
import { QueryAllBalancesRequest, QueryAllBalancesResponse } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import { QuerySmartContractStateRequest, QuerySmartContractStateResponse } from '@coin/wire/gen/cosmwasm/wasm/v1/query'
import type { Json } from '@coin/wire/json'
import { parseJson } from '@coin/wire/json-text'
import { encodeAny } from '@coin/wire/registry'
import { decodeTx } from '@coin/wire/tx'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import type { RpcClient } from '../client/rpc.js'
import { type CliContext, contextOf } from '../context.js'
import { example, queryFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

export function addQuery(program: Command, terminal: Terminal): void {
  const group = program.command('query').alias('q').description('read from the chain')

  const balances = queryFlags(group.command('bank').description('coins').command('balances <address>'))
  balances.description('coins of an account').option('--limit <count>', 'most that are listed', '100')
  example(balances, 'query bank balances coin1...')
  balances.action(async (address: string) => {
    const context = contextOf(balances, terminal)
    const limit = balances.opts<{ limit: string }>().limit
    if (!/^[1-9][0-9]{0,5}$/.test(limit)) throw nodeErrors.badFlag(`--limit "${limit}", expected 1 to 999999`)
    const request = QueryAllBalancesRequest.fromPartial({ address, pagination: { limit: BigInt(limit) } })
    const bytes = await context.rpc.query(
      '/cosmos.bank.v1beta1.Query/AllBalances',
      QueryAllBalancesRequest.encode(request).finish(),
    )
    context.printMessage('cosmos.bank.v1beta1.QueryAllBalancesResponse', QueryAllBalancesResponse.decode(bytes))
  })

  const state = group
    .command('wasm')
    .description('contracts')
    .command('contract-state')
    .description('state of a contract')
  const smart = queryFlags(state.command('smart <contract> <json>').description('ask a contract'))
  example(smart, `query wasm contract-state smart coin1... '{"token_info":{}}'`)
  smart.action(async (address: string, json: string) => {
    const context = contextOf(smart, terminal)
    parseJson(json)
    const request = QuerySmartContractStateRequest.encode({ address, queryData: utf8ToBytes(json) }).finish()
    const bytes = await context.rpc.query('/cosmwasm.wasm.v1.Query/SmartContractState', request)
    const { data } = QuerySmartContractStateResponse.decode(bytes)
    context.print({ data: JSON.parse(bytesToUtf8(data)) as Json })
  })

  const tx = queryFlags(group.command('tx <hash>').description('a transaction that is in a block'))
  example(tx, 'query tx 0E1C...')
  tx.action(async (hash: string) => {
    const context = contextOf(tx, terminal)
    context.printMessage('cosmos.base.abci.v1beta1.TxResponse', await queryTx(context, hash))
  })
}

/** What CometBFT's `tx` and `block` answer, as far as it is needed here. */
interface RpcTx {
  readonly height: string
  readonly tx: string
  readonly tx_result: {
    readonly code?: number
    readonly data?: string | null
    readonly log?: string
    readonly info?: string
    readonly gas_wanted?: string
    readonly gas_used?: string
    readonly codespace?: string
    readonly events?: readonly { readonly type: string; readonly attributes?: readonly RpcAttribute[] }[]
  }
}

interface RpcAttribute {
  readonly key?: string
  readonly value?: string
  readonly index?: boolean
}

async function findTx(rpc: RpcClient, hash: string): ReturnType<RpcClient['call']> {
  try {
    return await rpc.call('tx', { hash: bytesToBase64(hexToBytes(hash)), prove: false })
  } catch (error) {
    if (!(error instanceof CodedError) || !/\bnot found\b/.test(error.message)) throw error
    throw nodeErrors.queryFailed(
      `transaction ${hash.toUpperCase()} is in no block of this chain: it may still wait, or was refused`,
    )
  }
}

async function queryTx({ rpc }: CliContext, hash: string): Promise<TxResponse> {
  if (!/^[0-9a-fA-F]{64}$/.test(hash))
    throw nodeErrors.badFlag(`transaction hash "${hash}", expected 64 hexadecimal digits`)
  const found = (await findTx(rpc, hash)) as unknown as RpcTx
  const { block } = (await rpc.call('block', { height: found.height })) as unknown as {
    block: { header: { time: string } }
  }
  const { tx_result: result } = found
  const { body, authInfo, signatures } = decodeTx(decodeBase64(found.tx))
  return TxResponse.fromPartial({
    height: BigInt(found.height),
    txhash: hash.toUpperCase(),
    codespace: result.codespace ?? '',
    code: result.code ?? 0,
    data: Buffer.from(decodeBase64(result.data ?? ''))
      .toString('hex')
      .toUpperCase(),
    rawLog: result.log ?? '',
    info: result.info ?? '',
    gasWanted: BigInt(result.gas_wanted ?? 0),
    gasUsed: BigInt(result.gas_used ?? 0),
    tx: encodeAny('cosmos.tx.v1beta1.Tx', { body, authInfo, signatures: [...signatures] }),
    timestamp: block.header.time.replace(/\.\d+Z$/, 'Z'),
    events: (result.events ?? []).map(({ type, attributes = [] }) => ({
      type,
      attributes: attributes.map(({ key = '', value = '', index = false }) => ({ key, value, index })),
    })),
  })
}
