import { readFileSync } from 'node:fs'
import { type Bytes, utf8ToBytes } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import type { Chain } from '@coin/node/chain'
import { MsgInstantiateContract, MsgStoreCode } from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { executeMessage, type Sender } from '../traffic/sender.js'
import { type BenchChain, openBenchChain } from './bench-chain.js'
import { type ProcessorTime, startProcessorTime } from './processor-time.js'
import { commitAll, type Latency, nextBlock, windowOf } from './sends.js'
import type { StageTime } from './stages.js'

export interface SwapsResult {
  readonly transactions: number
  readonly perSecond: number
  readonly processor: ProcessorTime
  readonly latency: Latency
  readonly gasPerSwap: number
  readonly stages: readonly StageTime[]
}

const artifacts = new URL('../../../contracts/artifacts/', import.meta.url)
const coin = 1_000_000n

/** What a wallet asks for, with some room: a swap uses 235,000. */
const gasPerSwap = 300_000n

/** A token that has graduated, and its pool. */
interface Pool {
  readonly amm: string
  readonly token: string
}

/** AMM swaps of native COIN into a graduated pool: signed in, committed out. */
export async function benchSwaps(options: { transactions: number }): Promise<SwapsResult> {
  const bench = await openBenchChain({ senders: 500, idle: 1000, richest: 100_000_000n * coin })
  try {
    const { chain, senders, stages } = bench
    chain.engine.start()
    await nextBlock(chain)
    const { amm, token } = await graduate(bench)
    const traders = senders.slice(1)
    const sign = (count: number): Bytes[] =>
      Array.from({ length: count }, (_, index) => {
        const trader = traders[index % traders.length]!
        const message = { swap: { token_address: token, min_tokens_out: '1' } }
        const amount = 1_000_000n + BigInt(index % 97)
        return trader.sign([executeMessage(trader.address, amm, message, amount)], { gas: gasPerSwap, fee: 10_000n })
      })
    await commitAll(chain, sign(1000), windowOf(gasPerSwap)) // warm
    const txs = sign(options.transactions)
    stages.reset()
    let gas = 0
    const end = chain.engine.onBlock(({ results }) => {
      for (const { gasUsed } of results.txResults) gas += gasUsed
    })
    const processorTime = startProcessorTime()
    const begin = process.hrtime.bigint()
    const latency = await commitAll(chain, txs, windowOf(gasPerSwap))
    const seconds = Number(process.hrtime.bigint() - begin) / 1e9
    end()
    return {
      transactions: txs.length,
      perSecond: txs.length / seconds,
      processor: processorTime(txs.length),
      latency,
      gasPerSwap: Math.round(gas / txs.length),
      stages: [...stages.perTx(txs.length), { stage: 'total', us: (seconds * 1e6) / txs.length }],
    }
  } finally {
    await bench.close()
  }
}

/** Deploys the contracts, launches a token and buys the whole curve at once. */
async function graduate({ chain, senders }: BenchChain): Promise<Pool> {
  const owner = senders[0]!
  const run = (message: Any) => runOne(chain, owner, message)
  const store = async (name: string) => {
    const wasmByteCode = new Uint8Array(readFileSync(new URL(`${name}.wasm`, artifacts)))
    const value = MsgStoreCode.encode(MsgStoreCode.fromPartial({ sender: owner.address, wasmByteCode })).finish()
    const events = await run({ typeUrl: '/cosmwasm.wasm.v1.MsgStoreCode', value })
    return BigInt(attributeOf(events, 'store_code', 'code_id'))
  }
  const instantiate = async (codeId: bigint, label: string, msg: object) => {
    const fields = { sender: owner.address, codeId, label, msg: utf8ToBytes(JSON.stringify(msg)) }
    const value = MsgInstantiateContract.encode(MsgInstantiateContract.fromPartial(fields)).finish()
    const events = await run({ typeUrl: '/cosmwasm.wasm.v1.MsgInstantiateContract', value })
    return attributeOf(events, 'instantiate', '_contract_address')
  }
  const execute = (contract: string, msg: object, amount = 0n) =>
    run(executeMessage(owner.address, contract, msg, amount))
  const cw20 = await store('cw20_base')
  const launchpad = await instantiate(await store('launchpad'), 'launchpad', { cw20_code_id: Number(cw20) })
  const amm = await instantiate(await store('amm'), 'amm', { launchpad })
  await execute(launchpad, { update_config: { amm } })
  const created = await execute(launchpad, { create_token: { name: 'Bench', symbol: 'BENCH' } }, 80_000n * coin)
  const token = attributeOf(created, 'wasm-create_token', 'token_address')
  await execute(launchpad, { buy: { token_address: token } }, 20_000_000n * coin)
  return { amm, token }
}

/** Events of one transaction, committed in a block. */
async function runOne(chain: Chain, sender: Sender, message: Any): Promise<readonly Event[]> {
  const events: Event[] = []
  const end = chain.engine.onBlock(({ results }) => {
    for (const result of results.txResults) events.push(...result.events)
  })
  try {
    await commitAll(chain, [sender.sign([message], { gas: 20_000_000n, fee: 500_000n })])
    return events
  } finally {
    end()
  }
}

function attributeOf(events: readonly Event[], type: string, key: string): string {
  const found = events.find((event) => event.type === type)?.attributes.find((attribute) => attribute.key === key)
  if (found === undefined) throw new RangeError(`no event ${type} with ${key}`)
  return found.value
}

if (process.argv[1]?.endsWith('bench/swaps.js')) {
  const result = await benchSwaps({ transactions: Number(process.argv[2] ?? 5000) })
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
