import type { Command } from 'commander'
import { Option } from 'commander'
import { nodeErrors } from '../../errors.js'
import { findTx, parseHash, requireTx, searchTxs } from '../client/find-tx.js'
import type { RpcClient } from '../client/rpc.js'
import { watchTx } from '../client/tx-watch.js'
import { contextOf } from '../context.js'
import { example, parseCount, parseWait, queryFlags } from '../flags.js'
import type { Terminal } from '../terminal.js'

const exampleHash = 'E5A1E4C8B1C0B3B9E6B6C1D7B0C1F0E7A5B4C3D2E1F0A9B8C7D6E5F4A3B2C1D0'

export function addTxQueries(group: Command, terminal: Terminal): void {
  addTxQuery(group, terminal)
  addTxsQuery(group, terminal)
  addWaitTx(group, terminal)
}

function addTxQuery(group: Command, terminal: Terminal): void {
  const command = queryFlags(group.command('tx').argument('<what>', 'hash, account/sequence or signatures'))
  command
    .description('a transaction that is in a block')
    .addOption(typeOption(['hash', 'acc_seq', 'signature'], 'hash'))
  example(
    command,
    `query tx ${exampleHash}`,
    'query tx --type=acc_seq coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy/0',
    'query tx --type=signature MEUCIQ==',
  )
  command.action(async (what: string) => {
    const context = contextOf(command, terminal)
    const { type } = command.opts<{ type: 'hash' | 'acc_seq' | 'signature' }>()
    const tx = type === 'hash' ? await requireTx(context.rpc, parseHash(what)) : await onlyTx(context.rpc, type, what)
    context.printMessage('cosmos.base.abci.v1beta1.TxResponse', tx)
  })
}

/** `--type`, whose `=` people know from the reference's help. */
export function typeOption(choices: readonly string[], fallback: string): Option {
  return new Option('--type <kind>', 'what is given').choices(choices).default(fallback)
}

async function onlyTx(rpc: RpcClient, type: 'acc_seq' | 'signature', what: string) {
  const values = type === 'signature' ? what.split(',') : [what]
  const bad = values.find((value) => value === '' || value.includes("'"))
  if (bad !== undefined) throw nodeErrors.badFlag(`"${bad}", expected what the event tx.${type} has`)
  const query = values.map((value) => `tx.${type}='${value}'`).join(' AND ')
  const { txs } = await searchTxs(rpc, { query, page: 1, limit: 2, order: 'asc' })
  if (txs.length === 1) return txs[0]!
  throw nodeErrors.queryFailed(`${txs.length === 0 ? 'no transaction has' : 'several transactions have'} ${query}`)
}

/** Flags of a search by events. */
export function searchFlags(command: Command, order: 'asc' | 'desc'): Command {
  return command
    .requiredOption('--query <conditions>', `conditions on events, like "message.sender='coin1...' AND tx.height > 7"`)
    .option('--page <number>', 'which page, from 1', parseCount, 1)
    .option('--limit <count>', 'most that one page has', parseCount, 100)
    .addOption(new Option('--order_by <order>', 'by height').choices(['asc', 'desc', 'dsc']).default(order))
}

export interface SearchFlags {
  readonly query: string
  readonly page: number
  readonly limit: number
  readonly order_by: 'asc' | 'desc' | 'dsc'
}

function addTxsQuery(group: Command, terminal: Terminal): void {
  const command = searchFlags(queryFlags(group.command('txs').description('transactions whose events match')), 'asc')
  example(
    command,
    `query txs --query "message.action='/cosmos.bank.v1beta1.MsgSend' AND tx.height > 7" --page 1 --limit 30 --order_by desc`,
  )
  command.action(async () => {
    const context = contextOf(command, terminal)
    const { query, page, limit, order_by } = command.opts<SearchFlags>()
    const result = await searchTxs(context.rpc, { query, page, limit, order: order_by === 'asc' ? 'asc' : 'desc' })
    context.printMessage('cosmos.base.abci.v1beta1.SearchTxsResult', result)
  })
}

function addWaitTx(group: Command, terminal: Terminal): void {
  const command = queryFlags(group.command('wait-tx').alias('event-query-tx-for'))
  command
    .description('wait until a transaction is in a block')
    .argument('[hash]', 'left out, the output of "tx" is read from the input')
    .addOption(
      new Option('--timeout <duration>', 'how long to wait').argParser(parseWait).default(15_000_000_000n, '15s'),
    )
  example(
    command,
    `query wait-tx ${exampleHash} --timeout 30s`,
    'tx bank send alice coin1y9e2kmjl6yxmsvpeyjpl58a0qt3t05ag76lqmy 5ucoin -y | coind query wait-tx',
  )
  command.action(async (given: string | undefined) => {
    const context = contextOf(command, terminal)
    const hash = given === undefined ? hashIn(await terminal.readAll()) : parseHash(given)
    const timeoutMs = Number(command.opts<{ timeout: bigint }>().timeout / 1_000_000n)
    context.printMessage('cosmos.base.abci.v1beta1.TxResponse', await waitForTx(context.rpc, hash, timeoutMs, terminal))
  })
}

async function waitForTx(rpc: RpcClient, hash: string, timeoutMs: number, terminal: Terminal) {
  // Subscribed first: a block between the look-up and the subscription would be missed.
  const watch = await watchTx(rpc, hash, timeoutMs)
  try {
    const found = await findTx(rpc, hash)
    if (found !== undefined) return found
    terminal.err(`waiting for transaction ${hash}, ${timeoutMs / 1000} s at most`)
    await watch.included
    return await requireTx(rpc, hash)
  } finally {
    watch.close()
  }
}

/** The hash in what `coind tx` prints, as JSON or as text. Throws `badFlag`. */
function hashIn(input: string): string {
  const match = /"txhash":\s*"([^"]*)"/.exec(input) ?? /^txhash:\s*"?([^"\s]*)"?\s*$/m.exec(input)
  if (match === null) throw nodeErrors.badFlag('neither a hash is given, nor is there a "txhash" in the input')
  return parseHash(match[1]!)
}
