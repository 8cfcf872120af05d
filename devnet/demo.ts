import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type JsonObject, SigningCosmWasmClient } from '@cosmjs/cosmwasm'
import type { Coin } from '@cosmjs/stargate'
import { Command } from 'commander'
import { type DevnetAccount, readAccounts, readJson, walletOf } from './accounts.js'
import { type DevnetContracts, devnetGasPrice, devnetPollMs } from './deploy.js'
import { demoDefaults, devnetPaths } from './options.js'

const say = (text: string) => process.stdout.write(`${text}\n`)
const coinUnit = 1_000_000n

/** `1234567890n` ucoin -> `1,234.56789 COIN`. */
export function formatUnits(amount: bigint, unit: string): string {
  const whole = (amount / coinUnit).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = (amount % coinUnit).toString().padStart(6, '0').replace(/0+$/, '')
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${unit}`
}

const ucoin = (coins: bigint): Coin[] => [{ denom: 'ucoin', amount: String(coins * coinUnit) }]

/** A number in letters, `0` -> `A`, `27` -> `BB`: CW20 symbols have no digits. */
export function lettersOf(number: number): string {
  const rest = Math.floor(number / 26)
  return `${rest === 0 ? '' : lettersOf(rest)}${String.fromCharCode(65 + (number % 26))}`
}

/** One player of the demo, on its own client. */
interface Player {
  readonly account: DevnetAccount
  readonly client: SigningCosmWasmClient
}

class Demo {
  readonly #contracts: DevnetContracts
  readonly #players: ReadonlyMap<string, Player>
  #token = ''
  #symbol = ''

  constructor(contracts: DevnetContracts, players: readonly Player[]) {
    this.#contracts = contracts
    this.#players = new Map(players.map((player) => [player.account.name, player]))
  }

  async play(): Promise<void> {
    await this.#create('alice')
    await this.#buy('bob', 100_000n)
    await this.#buy('carol', 1_000_000n)
    await this.#sell('bob', 2n)
    await this.#buy('dave', 9_500_000n)
    await this.#swapIn('erin', 250_000n)
    await this.#swapOut('carol', 3n)
    say(`\nDone: ${this.#symbol} lives at ${this.#token}, its pool at ${this.#contracts.amm}.`)
  }

  #player(name: string): Player {
    return this.#players.get(name)!
  }

  async #create(name: string): Promise<void> {
    const { client } = this.#player(name)
    this.#symbol = `DEMO${lettersOf(await client.getHeight())}`
    const message = {
      create_token: {
        name: 'A token of the demo',
        symbol: this.#symbol,
        description: 'Shows a launch from the first buy to the pool.',
        image: 'https://example.com/demo.png',
        social_links: [{ label: 'website', url: 'https://example.com' }],
      },
    }
    say(`\n${name} creates ${this.#symbol} for 80,000 COIN`)
    const result = await client.execute(
      this.#player(name).account.address,
      this.#contracts.launchpad,
      message,
      'auto',
      '',
      ucoin(80_000n),
    )
    const created = result.events.find(({ type }) => type === 'wasm-create_token')
    this.#token = created!.attributes.find(({ key }) => key === 'token_address')!.value
    say(`  token ${this.#token}`)
    await this.#report(result.transactionHash)
  }

  async #buy(name: string, coins: bigint): Promise<void> {
    const { client } = this.#player(name)
    const amount = coins * coinUnit
    const quote = await client.queryContractSmart(this.#contracts.launchpad, {
      simulate_buy: { token_address: this.#token, coin_amount: String(amount) },
    })
    say(
      `\n${name} buys for ${formatUnits(amount, 'COIN')}${quote.graduates ? ': the curve fills up, the rest is swapped in the new pool' : ''}`,
    )
    // What the quote says, less one percent: protection against a price that moves meanwhile.
    const least = (BigInt(quote.tokens_out) * 99n) / 100n
    await this.#execute(
      name,
      this.#contracts.launchpad,
      { buy: { token_address: this.#token, min_tokens_out: String(least) } },
      ucoin(coins),
    )
  }

  /** Sells a part of what the player holds: half for 2, a third for 3. */
  async #sell(name: string, part: bigint): Promise<void> {
    const amount = (await this.#held(name)) / part
    say(`\n${name} sells ${formatUnits(amount, this.#symbol)} to the curve`)
    await this.#send(name, this.#contracts.launchpad, amount, { sell_tokens: { min_coin_out: '1' } })
  }

  async #swapIn(name: string, coins: bigint): Promise<void> {
    say(`\n${name} swaps ${formatUnits(coins * coinUnit, 'COIN')} for ${this.#symbol} in the pool`)
    await this.#execute(
      name,
      this.#contracts.amm,
      { swap: { token_address: this.#token, min_tokens_out: '1' } },
      ucoin(coins),
    )
  }

  async #swapOut(name: string, part: bigint): Promise<void> {
    const amount = (await this.#held(name)) / part
    say(`\n${name} swaps ${formatUnits(amount, this.#symbol)} for COIN in the pool`)
    await this.#send(name, this.#contracts.amm, amount, { swap_token_for_bwick: { min_coin_out: '1' } })
  }

  async #held(name: string): Promise<bigint> {
    const { client, account } = this.#player(name)
    const { balance } = await client.queryContractSmart(this.#token, { balance: { address: account.address } })
    return BigInt(balance)
  }

  #send(name: string, contract: string, amount: bigint, message: object): Promise<void> {
    const msg = Buffer.from(JSON.stringify(message)).toString('base64')
    return this.#execute(name, this.#token, { send: { contract, amount: String(amount), msg } }, [])
  }

  async #execute(name: string, contract: string, message: object, funds: Coin[]): Promise<void> {
    const { client, account } = this.#player(name)
    const before = await this.#held(name)
    const result = await client.execute(account.address, contract, message, 'auto', '', funds)
    const after = await this.#held(name)
    const [got, verb] = after >= before ? [after - before, 'receives'] : [before - after, 'gives']
    say(`  ${name} ${verb} ${formatUnits(got, this.#symbol)}`)
    await this.#report(result.transactionHash)
  }

  /** The transaction, and the price after it: the curve's, or once graduated the pool's. */
  async #report(transactionHash: string): Promise<void> {
    const { client } = this.#player('alice')
    const tx = await client.getTx(transactionHash)
    if (tx === null || tx.code !== 0)
      throw new Error(`transaction ${transactionHash} failed: ${tx?.rawLog ?? 'not found'}`)
    const curve: JsonObject = await client.queryContractSmart(this.#contracts.launchpad, {
      curve: { token_address: this.#token },
    })
    say(`  tx ${transactionHash} in block ${tx.height}, gas ${tx.gasUsed}`)
    if (!curve.graduated) {
      say(
        `  price ${curve.current_price} COIN, curve at ${curve.progress_percent} % of ${formatUnits(BigInt(curve.graduation_threshold), 'COIN')}`,
      )
      return
    }
    const pool: JsonObject = await client.queryContractSmart(this.#contracts.amm, {
      pool: { token_address: this.#token },
    })
    say(
      `  price ${pool.price} COIN, pool of ${formatUnits(BigInt(pool.coin_reserve), 'COIN')} and ${formatUnits(BigInt(pool.token_reserve), this.#symbol)}`,
    )
  }
}

async function main(): Promise<void> {
  const command = new Command('npm run demo --')
    .description('Plays a launch on the running devnet: create, buy, sell, graduate, swap.')
    .option('--home <folder>', "the devnet's folder", demoDefaults.home)
    .option('--rpc <url>', 'RPC of the devnet', demoDefaults.rpc)
    .addHelpText('after', '\nExample:\n  npm run demo -- --home .devnet --rpc http://127.0.0.1:36657')
    .parse(process.argv.slice(2), { from: 'user' })
  const { home, rpc } = command.opts<{ home: string; rpc: string }>()
  const root = resolve(home)
  const { contracts } = devnetPaths(root)
  if (!existsSync(contracts)) throw new Error(`${contracts} is not there: run "npm start" first, in another terminal`)
  const players = await Promise.all(
    readAccounts(root)
      .slice(0, 5)
      .map(async (account): Promise<Player> => {
        const client = await SigningCosmWasmClient.connectWithSigner(rpc, await walletOf(account), {
          gasPrice: devnetGasPrice,
          broadcastPollIntervalMs: devnetPollMs,
        })
        return { account, client }
      }),
  )
  await new Demo(readJson<DevnetContracts>(contracts), players).play()
  for (const { client } of players) client.disconnect()
}

const hints: readonly (readonly [RegExp, string])[] = [
  [
    /fetch failed/,
    'Is the devnet running? Start it with "npm start" in another terminal; --rpc names another address.',
  ],
  [/does not exist on chain/, 'The accounts in --home are of another chain than the one at --rpc.'],
  [
    /already exists in cache|sequence mismatch/,
    'Somebody sends from the same accounts, perhaps another demo: try again when it is done.',
  ],
  [/Bad status|missing a protocol/, 'Is --rpc the RPC of the devnet, like http://127.0.0.1:26657?'],
]

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error)
  const hint = hints.find(([sign]) => sign.test(text))?.[1]
  process.stderr.write(`${text}${hint === undefined ? '' : `\n${hint}`}\n`)
  process.exit(1)
})
