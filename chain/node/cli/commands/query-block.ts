import { bytesToBase64, hexToBytes } from '@coin/base/bytes'
import { SearchBlocksResult } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import {
  GetBlockByHeightRequest,
  GetBlockByHeightResponse,
  GetValidatorSetByHeightRequest,
  GetValidatorSetByHeightResponse,
} from '@coin/wire/gen/cosmos/base/tendermint/v1beta1/query'
import type { Block } from '@coin/wire/gen/tendermint/types/block'
import { messageFromJsonText } from '@coin/wire/json'
import type { Command } from 'commander'
import { nodeErrors } from '../../errors.js'
import { answerJson } from '../autocli/answer.js'
import { addPageFlags, pageJson } from '../autocli/page-flags.js'
import { parseHash } from '../client/find-tx.js'
import type { RpcClient } from '../client/rpc.js'
import { contextOf } from '../context.js'
import { example, queryFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'
import { type SearchFlags, searchFlags, typeOption } from './query-tx.js'

const service = '/cosmos.base.tendermint.v1beta1.Service'

export function addBlockQueries(group: Command, terminal: Terminal): void {
  addBlock(group, terminal)
  addBlocks(group, terminal)
  addBlockResults(group, terminal)
  addValidatorSet(group, terminal)
}

function addBlock(group: Command, terminal: Terminal): void {
  const command = queryFlags(group.command('block').description('a block; without arguments the last one'))
  command.argument('[what]', 'height or hash').addOption(typeOption(['height', 'hash'], 'hash'))
  example(command, 'query block', 'query block 5', 'query block --type=height 5')
  command.action(async (what: string | undefined) => {
    const context = contextOf(command, terminal)
    const { type } = command.opts<{ type: 'height' | 'hash' }>()
    const height = await heightOf(context.rpc, what, type)
    context.printMessage('tendermint.types.Block', await blockAt(context.rpc, height))
  })
}

async function heightOf(rpc: RpcClient, what: string | undefined, type: 'height' | 'hash'): Promise<number> {
  if (what === undefined) return latestHeight(rpc)
  // Too short for a hash: a height, though the reference wants to be told so.
  if (type === 'height' || /^[0-9]{1,16}$/.test(what)) return parseHeight(what)
  const hash = parseHash(what, 'block')
  const { block } = (await rpc.call('block_by_hash', { hash: bytesToBase64(hexToBytes(hash)) })) as {
    readonly block?: { readonly header?: { readonly height?: string } } | null
  }
  const height = Number(block?.header?.height)
  if (Number.isSafeInteger(height) && height > 0) return height
  throw nodeErrors.queryFailed(`block ${hash} is not of this chain, or the node does not keep it any more`)
}

function parseHeight(text: string): number {
  if (!/^[1-9][0-9]{0,15}$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw nodeErrors.badFlag(`height "${text}", expected a number of at least 1`)
  return Number(text)
}

async function latestHeight(rpc: RpcClient): Promise<number> {
  const { sync_info: info } = await rpc.call('status', {})
  return numberIn(rpc, (info as { readonly latest_block_height?: unknown } | null | undefined)?.latest_block_height)
}

/** A number that a node tells as text. Throws `rpcFailed`. */
function numberIn({ url }: RpcClient, value: unknown): number {
  if (typeof value === 'string' && /^[0-9]{1,15}$/.test(value)) return Number(value)
  throw nodeErrors.rpcFailed(`${url} tells "${String(value)}" where a number was expected`)
}

async function blockAt(rpc: RpcClient, height: number): Promise<Block> {
  const request = GetBlockByHeightRequest.encode({ height: BigInt(height) }).finish()
  const { block } = GetBlockByHeightResponse.decode(await rpc.query(`${service}/GetBlockByHeight`, request))
  if (block === undefined) throw nodeErrors.queryFailed(`block ${height} is not there`)
  return block
}

function addBlocks(group: Command, terminal: Terminal): void {
  const command = searchFlags(queryFlags(group.command('blocks').description('blocks whose events match')), 'desc')
  example(command, `query blocks --query "block.height > 7" --page 1 --limit 30 --order_by asc`)
  command.action(async () => {
    const context = contextOf(command, terminal)
    const { query, page, limit, order_by } = command.opts<SearchFlags>()
    const order = order_by === 'asc' ? 'asc' : 'desc'
    const params = { query, page: String(page), per_page: String(limit), order_by: order }
    const found = (await context.rpc.call('block_search', params)) as {
      readonly blocks?: readonly { readonly block?: { readonly header?: { readonly height?: unknown } } }[] | null
      readonly total_count?: unknown
    }
    const blocks: Block[] = []
    for (const { block } of found.blocks ?? [])
      blocks.push(await blockAt(context.rpc, numberIn(context.rpc, block?.header?.height)))
    const total = BigInt(numberIn(context.rpc, found.total_count))
    const result = SearchBlocksResult.fromPartial({
      totalCount: total,
      count: BigInt(blocks.length),
      pageNumber: BigInt(page),
      pageTotal: (total + BigInt(limit) - 1n) / BigInt(limit),
      limit: BigInt(limit),
      blocks,
    })
    context.printMessage('cosmos.base.abci.v1beta1.SearchBlocksResult', result)
  })
}

function addBlockResults(group: Command, terminal: Terminal): void {
  const command = queryFlags(group.command('block-results').description('what the transactions of a block did'))
  command.argument('[height]', 'the last block when left out')
  example(command, 'query block-results 5')
  command.action(async (given: string | undefined) => {
    const { rpc, print } = contextOf(command, terminal)
    const height = given === undefined ? await latestHeight(rpc) : parseHeight(given)
    // The reference prints this height as a number, and everything else as the RPC has it.
    print({ ...(await rpc.call('block_results', { height: String(height) })), height })
  })
}

function addValidatorSet(group: Command, terminal: Terminal): void {
  const command = queryFlags(group.command('comet-validator-set').description('who validated a block'))
  command.aliases(['tendermint-validator-set', 'cometbft-validator-set'])
  command.argument('[height]', 'the last block when left out')
  addPageFlags(command)
  example(command, 'query comet-validator-set 5')
  command.action(async (given: string | undefined) => {
    const { rpc, printJson } = contextOf(command, terminal)
    const height = BigInt(given === undefined ? await latestHeight(rpc) : parseHeight(given))
    const json = `{"height":"${height}","pagination":${pageJson(command) ?? 'null'}}`
    const request = messageFromJsonText<GetValidatorSetByHeightRequest>(
      'cosmos.base.tendermint.v1beta1.GetValidatorSetByHeightRequest',
      json,
    )
    const bytes = GetValidatorSetByHeightRequest.encode(request).finish()
    const set = GetValidatorSetByHeightResponse.decode(await rpc.query(`${service}/GetValidatorSetByHeight`, bytes))
    printJson(answerJson('cosmos.base.tendermint.v1beta1.GetValidatorSetByHeightResponse', set))
  })
}
