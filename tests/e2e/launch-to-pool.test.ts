import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeBech32 } from '@coin/wire/bech32'
import { type ExecuteResult, SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { QueryClient, setupBankExtension } from '@cosmjs/stargate'
import { connectComet } from '@cosmjs/tendermint-rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DevnetProcess, runDemo, startDevnetProcess } from './devnet-process.js'
import { figures, MarketModel, type Part } from './market-model.js'

const accountCoins = 100_000_000_000_000n
const txFee = { amount: [{ denom: 'ucoin', amount: '4321' }], gas: '4000000' }
const base64 = (message: object): string => Buffer.from(JSON.stringify(message)).toString('base64')
const ucoin = (amount: bigint) => [{ denom: 'ucoin', amount: String(amount) }]
const feeCollector = encodeBech32('coin', createHash('sha256').update('fee_collector').digest().subarray(0, 20))

/** A trader with its own unmodified client. */
interface Trader {
  readonly address: string
  readonly client: SigningCosmWasmClient
}

const home = join(mkdtempSync(join(tmpdir(), 'coin-e2e-')), 'devnet')
const traders = new Map<string, Trader>()
let devnet: DevnetProcess
let model: MarketModel
let token = ''

const trader = (name: string): Trader => traders.get(name)!

async function connect(): Promise<void> {
  for (const { client } of traders.values()) client.disconnect()
  for (const { name, address, mnemonic } of devnet.accounts) {
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'coin' })
    const client = await SigningCosmWasmClient.connectWithSigner(devnet.rpc, wallet, { broadcastPollIntervalMs: 50 })
    traders.set(name, { address, client })
  }
}

async function ask<T>(contract: string, query: object): Promise<T> {
  return (await trader('alice').client.queryContractSmart(contract, query)) as T
}

async function execute(name: string, contract: string, message: object, coins = 0n): Promise<ExecuteResult> {
  const { address, client } = trader(name)
  model.payTxFee(address, 4321n)
  return client.execute(address, contract, message, txFee, undefined, coins === 0n ? [] : ucoin(coins))
}

const send = (name: string, contract: string, amount: bigint, message: object) =>
  execute(name, token, { send: { contract, amount: String(amount), msg: base64(message) } })

const buy = (name: string, amount: bigint, least = 1n) =>
  execute(name, devnet.contracts.launchpad, { buy: { token_address: token, min_tokens_out: String(least) } }, amount)

/** Figures of the first event of that type. */
function partOf(result: ExecuteResult, type: string): Part {
  const event = result.events.find((it) => it.type === type)!
  const figure = (key: string) => BigInt(event.attributes.find((it) => it.key === key)!.value)
  return { input: figure('input_amount'), output: figure('output_amount'), fee: figure('fee_amount') }
}

const ownEvents = (result: ExecuteResult) =>
  result.events.map(({ type }) => type).filter((type) => type.startsWith('wasm-'))

async function coinSupply(): Promise<bigint> {
  const comet = await connectComet(devnet.rpc)
  try {
    const client = QueryClient.withExtensions(comet, setupBankExtension)
    return BigInt((await client.bank.supplyOf('ucoin')).amount)
  } finally {
    comet.disconnect()
  }
}

/** Everybody's balances, the curve, its fees and the pool: the chain against the model, to the last unit. */
async function expectBooksToAgree(): Promise<void> {
  const { client } = trader('alice')
  const told: Record<string, object> = {}
  const expected: Record<string, object> = {}
  for (const address of model.addresses) {
    const { balance } = await ask<{ balance: string }>(token, { balance: { address } })
    const { amount } = await client.getBalance(address, 'ucoin')
    told[address] = { coin: BigInt(amount), token: BigInt(balance) }
    expected[address] = model.purse(address)
  }
  expect(told).toEqual(expected)
  const curve = await ask<Record<string, string | boolean>>(devnet.contracts.launchpad, {
    curve: { token_address: token },
  })
  expect(curve).toMatchObject({
    bwick_reserves: String(model.bwickReserves),
    tokens_sold: String(model.tokensSold),
    virtual_coin_reserves: String(model.x),
    virtual_token_reserves: String(model.y),
    graduated: model.pool !== undefined,
  })
  const fees = await ask<Record<string, string>>(devnet.contracts.launchpad, { fees: { token_address: token } })
  expect(fees).toMatchObject({
    creator_claimable: String(model.creatorFees),
    treasury_total: String(model.treasuryFees),
  })
  if (model.pool !== undefined) {
    const pool = await ask<Record<string, string>>(devnet.contracts.amm, { pool: { token_address: token } })
    expect(pool).toMatchObject({ coin_reserve: String(model.pool.coin), token_reserve: String(model.pool.token) })
  }
  const { total_supply: tokens } = await ask<{ total_supply: string }>(token, { token_info: {} })
  const held = model.addresses.map((address) => model.purse(address))
  expect(BigInt(tokens)).toBe(held.reduce((sum, purse) => sum + purse.token, 0n))
}

describe('a launch, from the first buy to the pool', () => {
  let supplyAtStart = 0n

  beforeAll(async () => {
    devnet = await startDevnetProcess(home)
    await connect()
    const { launchpad, amm } = devnet.contracts
    model = new MarketModel({ launchpad, amm, txFees: feeCollector })
    const { client } = trader('alice')
    for (const address of [...devnet.accounts.map((account) => account.address), feeCollector]) {
      model.purse(address).coin = BigInt((await client.getBalance(address, 'ucoin')).amount)
    }
    supplyAtStart = await coinSupply()
  }, 120_000)

  afterAll(async () => {
    for (const { client } of traders.values()) client.disconnect()
    await devnet?.stop()
    rmSync(join(home, '..'), { recursive: true, force: true })
  })

  it('begins with ten accounts of 100,000,000 COIN each', () => {
    expect(devnet.accounts.length).toBe(10)
    for (const { address } of devnet.accounts) expect(model.purse(address).coin).toBe(accountCoins)
  })

  it('creates a token for the creation fee', async () => {
    const message = { create_token: { name: 'End to end', symbol: 'ENDE', image: 'https://example.com/e.png' } }
    const result = await execute('alice', devnet.contracts.launchpad, message, figures.creationFee)
    token = result.events
      .find(({ type }) => type === 'wasm-create_token')!
      .attributes.find(({ key }) => key === 'token_address')!.value
    model.create(trader('alice').address)
    await expectBooksToAgree()
  })

  it('sells tokens to two buyers', async () => {
    for (const [name, amount] of [
      ['bob', 123_456_789_012n],
      ['carol', 3_000_000_000_001n],
    ] as const) {
      const result = await buy(name, amount)
      const [part] = model.buy(trader(name).address, amount)
      expect(partOf(result, 'wasm-buy')).toEqual(part)
      await expectBooksToAgree()
    }
  })

  it('buys tokens back', async () => {
    const { address } = trader('bob')
    const amount = model.purse(address).token / 3n
    const result = await send('bob', devnet.contracts.launchpad, amount, { sell_tokens: { min_coin_out: '1' } })
    expect(partOf(result, 'wasm-sell')).toEqual(model.sell(address, amount))
    await expectBooksToAgree()
  })

  it('takes nothing but the network fee for a buy below its minimum', async () => {
    await expect(buy('dave', 1_000_000n, 10n ** 15n)).rejects.toThrow(/slippage/)
    await expectBooksToAgree()
  })

  it('graduates with the buy that crosses the threshold, which goes on in the pool', async () => {
    const { address } = trader('dave')
    const amount = 9_000_000_000_000n
    const quote = await ask<{ tokens_out: string }>(devnet.contracts.launchpad, {
      simulate_buy: { token_address: token, coin_amount: String(amount) },
    })
    const result = await buy('dave', amount, BigInt(quote.tokens_out))
    const [onCurve, inPool] = model.buy(address, amount)
    expect(ownEvents(result)).toEqual(['wasm-buy', 'wasm-graduate', 'wasm-create_pool', 'wasm-swap'])
    expect(partOf(result, 'wasm-buy')).toEqual(onCurve)
    expect(partOf(result, 'wasm-swap')).toEqual(inPool)
    expect(BigInt(quote.tokens_out)).toBe(onCurve!.output + inPool!.output)
    expect(partOf(result, 'wasm-graduate').input).toBe(figures.threshold)
    await expectBooksToAgree()
  })

  it('closes the curve for ever, and names the pool to whoever comes late', async () => {
    await expect(buy('erin', 1_000_000n)).rejects.toThrow(devnet.contracts.amm)
    await expectBooksToAgree()
  })

  it('swaps both ways in the pool', async () => {
    const { address: erin } = trader('erin')
    const there = await execute('erin', devnet.contracts.amm, { swap: { token_address: token } }, 250_000_000_003n)
    expect(partOf(there, 'wasm-swap')).toEqual(model.swapCoin(erin, 250_000_000_003n))
    await expectBooksToAgree()
    const { address: carol } = trader('carol')
    const amount = model.purse(carol).token / 2n
    const back = await send('carol', devnet.contracts.amm, amount, { swap_token_for_bwick: { min_coin_out: '1' } })
    expect(partOf(back, 'wasm-swap')).toEqual(model.swapToken(carol, amount))
    await expectBooksToAgree()
  })

  it('pays the creator a fifth of the fees', async () => {
    await execute('alice', devnet.contracts.launchpad, { claim_fees: { token_address: token } })
    expect(model.claimCreatorFees(trader('alice').address)).toBeGreaterThan(0n)
    await expectBooksToAgree()
  })

  it('made and lost no COIN', async () => {
    expect(await coinSupply()).toBe(supplyAtStart)
  })

  it('answers the document path of a token over REST', async () => {
    const path = `/cosmwasm/wasm/v1/contract/${token}/smart/${encodeURIComponent(base64({ token_info: {} }))}`
    const response = await fetch(`${devnet.rest}${path}`)
    expect(response.status).toBe(200)
    const total = String(figures.curveSupply + figures.poolSupply)
    expect(await response.json()).toEqual({
      data: { name: 'End to end', symbol: 'ENDE', decimals: 6, total_supply: total },
    })
  })

  it('is not thrown away by a second start while it runs', async () => {
    await expect(startDevnetProcess(home, ['--reset'])).rejects.toThrow(/belongs to process \d+; stop it/)
    expect(readdirSync(home).sort()).toEqual(['accounts.json', 'contracts.json', 'node', 'operator.json'])
  })

  it('stops cleanly, and the next start goes on with the same chain and contracts', async () => {
    const [height, contracts] = [await trader('alice').client.getHeight(), devnet.contracts]
    expect(await devnet.stop()).toBe(0)
    devnet = await startDevnetProcess(home)
    await connect()
    expect(devnet.contracts).toEqual(contracts)
    expect(await trader('alice').client.getHeight()).toBeGreaterThanOrEqual(height)
    await expectBooksToAgree()
  }, 120_000)

  it('plays the demo: seven transactions, each with its hash and the price after it', async () => {
    const { code, output } = await runDemo(home, devnet.rpc)
    expect([code, output]).toEqual([0, expect.stringContaining('Done:')])
    expect(output.match(/tx [0-9A-F]{64} in block/g)?.length).toBe(7)
    expect(output.match(/price [0-9.]+ COIN/g)?.length).toBe(7)
  }, 120_000)
})
