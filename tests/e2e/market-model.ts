/**
 * The launchpad's and the pool's rules once more, in bigint, written from the decisions and not from the contracts: what the chain
 * answers is compared with this to the last unit. ucoin and token base units throughout.
 */

const bps = 10_000n

/** The service document's figures. */
export const figures = {
  curveSupply: 79_310_000_000_000n,
  poolSupply: 20_690_000_000_000n,
  creationFee: 80_000_000_000n,
  threshold: 10_000_000_000_000n,
  initialCoin: 3_463_486_273_490n,
  initialToken: 107_000_433_099_849n,
  buyFeeBps: 50n,
  sellFeeBps: 250n,
  creatorShareBps: 2_000n,
  poolFeeBps: 200n,
} as const

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b
const feeOf = (amount: bigint, feeBps: bigint): bigint => ceilDiv(amount * feeBps, bps)

/** Balances of one account. */
interface Purse {
  coin: bigint
  token: bigint
}

/** One part of a trade, as its event tells it. */
export interface Part {
  readonly input: bigint
  readonly output: bigint
  readonly fee: bigint
}

/** One token's market and everybody's balances. */
export class MarketModel {
  readonly #purses = new Map<string, Purse>()
  readonly #launchpad: string
  readonly #amm: string
  readonly #txFees: string
  /** Pricing reserves X and Y. */
  x = figures.initialCoin
  y = figures.initialToken
  bwickReserves = 0n
  tokensSold = 0n
  creatorFees = 0n
  treasuryFees = 0n
  pool: { coin: bigint; token: bigint } | undefined

  constructor(at: { readonly launchpad: string; readonly amm: string; readonly txFees: string }) {
    this.#launchpad = at.launchpad
    this.#amm = at.amm
    this.#txFees = at.txFees
  }

  get addresses(): readonly string[] {
    return [...this.#purses.keys()]
  }

  purse(address: string): Purse {
    let purse = this.#purses.get(address)
    if (purse === undefined) {
      purse = { coin: 0n, token: 0n }
      this.#purses.set(address, purse)
    }
    return purse
  }

  /** What the network takes for a transaction, whether it succeeds or not. */
  payTxFee(payer: string, amount: bigint): void {
    this.#move('coin', payer, this.#txFees, amount)
  }

  create(creator: string): void {
    this.#move('coin', creator, this.#launchpad, figures.creationFee)
    this.purse(this.#launchpad).token = figures.curveSupply + figures.poolSupply
    this.bwickReserves = figures.creationFee
  }

  /** The curve's part, and the pool's when the buy crosses the threshold. */
  buy(buyer: string, amount: bigint): readonly Part[] {
    const room = figures.threshold - this.bwickReserves
    const crosses = amount - feeOf(amount, figures.buyFeeBps) >= room
    const input = crosses ? ceilDiv(room * bps, bps - figures.buyFeeBps) : amount
    const fee = feeOf(input, figures.buyFeeBps)
    const net = input - fee
    const output = (net * this.y) / (this.x + net)
    this.x += net
    this.y -= output
    this.bwickReserves += net
    this.tokensSold += output
    this.#move('coin', buyer, this.#launchpad, input)
    this.#move('token', this.#launchpad, buyer, output)
    this.#collect(fee)
    const parts: Part[] = [{ input, output, fee }]
    if (crosses) {
      this.#graduate()
      if (amount > input) parts.push(this.swapCoin(buyer, amount - input))
    }
    return parts
  }

  sell(seller: string, tokens: bigint): Part {
    const gross = (tokens * this.x) / (this.y + tokens)
    const fee = feeOf(gross, figures.sellFeeBps)
    this.x -= gross
    this.y += tokens
    this.bwickReserves -= gross
    this.tokensSold -= tokens
    this.#move('token', seller, this.#launchpad, tokens)
    this.#move('coin', this.#launchpad, seller, gross - fee)
    this.#collect(fee)
    return { input: tokens, output: gross - fee, fee }
  }

  swapCoin(trader: string, input: bigint): Part {
    const pool = this.pool!
    const fee = feeOf(input, figures.poolFeeBps)
    const output = ((input - fee) * pool.token) / (pool.coin + input - fee)
    pool.coin += input
    pool.token -= output
    this.#move('coin', trader, this.#amm, input)
    this.#move('token', this.#amm, trader, output)
    return { input, output, fee }
  }

  swapToken(trader: string, input: bigint): Part {
    const pool = this.pool!
    const fee = feeOf(input, figures.poolFeeBps)
    const output = ((input - fee) * pool.coin) / (pool.token + input - fee)
    pool.token += input
    pool.coin -= output
    this.#move('token', trader, this.#amm, input)
    this.#move('coin', this.#amm, trader, output)
    return { input, output, fee }
  }

  claimCreatorFees(creator: string): bigint {
    const amount = this.creatorFees
    this.creatorFees = 0n
    this.#move('coin', this.#launchpad, creator, amount)
    return amount
  }

  #graduate(): void {
    const coin = this.bwickReserves
    const token = figures.curveSupply + figures.poolSupply - this.tokensSold
    this.#move('coin', this.#launchpad, this.#amm, coin)
    this.#move('token', this.#launchpad, this.#amm, token)
    this.pool = { coin, token }
    this.bwickReserves = 0n
  }

  #collect(fee: bigint): void {
    const creators = (fee * figures.creatorShareBps) / bps
    this.creatorFees += creators
    this.treasuryFees += fee - creators
  }

  #move(what: keyof Purse, from: string, to: string, amount: bigint): void {
    this.purse(from)[what] -= amount
    this.purse(to)[what] += amount
  }
}
