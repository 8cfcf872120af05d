import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read, Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import type { AddressCodec } from '@coin/wire/addresses'
import {
  amountOf,
  type Coin,
  type Coins,
  checkCoins,
  formatCoin,
  formatCoins,
  isAllGte,
  noCoins,
  subCoins,
} from '@coin/wire/coins'
import { checkInt } from '@coin/wire/int'
import { errors } from './errors.js'
import type { AccountsPort } from './ports.js'
import { balanceKey, balances, params, sendEnabled, supply } from './state.js'

export interface BankOptions {
  readonly accounts: AccountsPort
  readonly addresses: AddressCodec
  /** Bech32 addresses that may not be sent to by users, usually the module accounts. */
  readonly blocked: ReadonlySet<string>
}

/** Where coins go in a transfer to many. */
export interface Output {
  readonly to: Bytes
  readonly coins: Coins
}

/** The only hands that touch balances and supply. Every function that throws has to be in a branch: see `Write.branch`. */
export interface BankKeeper {
  readonly addresses: AddressCodec
  balanceOf(ctx: Read, holder: Bytes, denom: string): bigint
  /** All balances of one holder, sorted by denom. */
  balancesOf(ctx: Read, holder: Bytes): Coins
  /** What the holder may spend of a denom at the block's time; below zero when more is locked than it holds. */
  spendableOf(ctx: Read, holder: Bytes, denom: string): bigint
  /** The same of all denoms; none at all when of one more is locked than is held. */
  spendableCoins(ctx: Read, holder: Bytes): Coins
  supplyOf(ctx: Read, denom: string): bigint
  isBlocked(address: Bytes): boolean
  /** Throws `sendDisabled` when one of the denoms may not be sent. */
  checkSendEnabled(ctx: Read, coins: Coins): void
  /** Moves coins and opens the recipient's account. Throws `invalidCoins` or `insufficientFunds`. */
  send(ctx: Write, from: Bytes, to: Bytes, coins: Coins): void
  /** One payer, many recipients; `coins` must be the sum of the outputs. */
  sendToMany(ctx: Write, from: Bytes, coins: Coins, outputs: readonly Output[]): void
  /** Asserts that the module has an account. */
  sendToModule(ctx: Write, from: Bytes, module: string, coins: Coins): void
  /** Throws `unauthorized` when the recipient is blocked. */
  sendFromModule(ctx: Write, module: string, to: Bytes, coins: Coins): void
  sendModuleToModule(ctx: Write, from: string, to: string, coins: Coins): void
  /**
   * Moves coins to a module account (a pool of staked coins), locked ones too: they count as delegated then. Throws `unknownAddress`,
   * `invalidCoins` or `insufficientFunds`.
   */
  delegate(ctx: Write, delegator: Bytes, pool: Bytes, coins: Coins): void
  /** The way back. */
  undelegate(ctx: Write, pool: Bytes, delegator: Bytes, coins: Coins): void
  /** Creates coins in the module's account. Asserts its `minter` permission. */
  mint(ctx: Write, module: string, coins: Coins): void
  /** Destroys coins of the module's account. Asserts its `burner` permission. */
  burn(ctx: Write, module: string, coins: Coins): void
}

export function createBankKeeper({ accounts, addresses, blocked }: BankOptions): BankKeeper {
  const text = createTextOf(addresses)
  const isBlocked = (address: Bytes): boolean => blocked.size > 0 && blocked.has(text(address))
  const ledger = createLedger(accounts, text)

  function send(ctx: Write, from: Bytes, to: Bytes, coins: Coins): void {
    checkAmount(coins)
    ledger.subtract(ctx, from, coins)
    ledger.add(ctx, to, coins)
    if (!accounts.has(ctx, to)) accounts.create(ctx, to)
    ctx.emit('transfer', () => ({ recipient: text(to), sender: text(from), amount: formatCoins(coins) }))
    ctx.emit('message', () => ({ sender: text(from) }))
  }

  function sendToMany(ctx: Write, from: Bytes, coins: Coins, outputs: readonly Output[]): void {
    const sender = text(from)
    ctx.emit('message', { sender })
    for (const { to } of outputs) if (!accounts.has(ctx, to)) accounts.create(ctx, to)
    ledger.subtract(ctx, from, coins)
    for (const output of outputs) {
      ledger.add(ctx, output.to, output.coins)
      ctx.emit('transfer', { recipient: text(output.to), sender, amount: formatCoins(output.coins) })
    }
  }

  function requireModuleAddress(module: string): Bytes {
    const address = accounts.moduleAddress(module)
    assert(address !== undefined, `module account ${module} does not exist`)
    return address
  }

  return {
    addresses,
    balanceOf,
    balancesOf,
    spendableOf: (ctx, holder, denom) => balanceOf(ctx, holder, denom) - amountOf(accounts.locked(ctx, holder), denom),
    spendableCoins(ctx, holder) {
      const held = balancesOf(ctx, holder)
      const locked = accounts.locked(ctx, holder)
      return isAllGte(held, locked) ? subCoins(held, locked) : noCoins
    },
    supplyOf,
    isBlocked,
    checkSendEnabled,
    send,
    sendToMany,
    sendToModule: (ctx, from, module, coins) => send(ctx, from, accounts.moduleAccount(ctx, module).address, coins),
    sendFromModule(ctx, module, to, coins) {
      const from = requireModuleAddress(module)
      if (isBlocked(to)) throw sdkErrors.unauthorized(`${text(to)} is not allowed to receive funds`)
      send(ctx, from, to, coins)
    },
    sendModuleToModule(ctx, from, to, coins) {
      const sender = requireModuleAddress(from)
      send(ctx, sender, accounts.moduleAccount(ctx, to).address, coins)
    },
    ...createStaking(accounts, ledger, text),
    ...createTreasury(accounts, ledger, text),
  }
}

/** Bech32, remembered while the same array is about: a transfer names its accounts six times. */
function createTextOf(addresses: AddressCodec): (address: Bytes) => string {
  const known = new WeakMap<Bytes, string>()
  return (address) => {
    let text = known.get(address)
    if (text === undefined) {
      text = addresses.encode(address)
      known.set(address, text)
    }
    return text
  }
}

/** Denoms valid and in strict order, amounts above zero. Throws the SDK's `invalidCoins` with the coins as given. */
export function checkAmount(coins: Coins): void {
  try {
    checkCoins(coins)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.invalidCoins(formatCoins(coins)) : error
  }
}

function balanceOf(ctx: Read, holder: Bytes, denom: string): bigint {
  return balances.get(ctx, [holder, denom]) ?? 0n
}

function balancesOf(ctx: Read, holder: Bytes): Coins {
  const held: Coin[] = []
  for (const [[, denom], amount] of balances.entries(ctx, { prefix: balanceKey.prefix(holder) })) {
    held.push({ denom, amount })
  }
  return held
}

function supplyOf(ctx: Read, denom: string): bigint {
  return supply.get(ctx, denom) ?? 0n
}

function checkSendEnabled(ctx: Read, coins: Coins): void {
  if (coins.length === 0) return
  const enabledDefault = params.get(ctx)?.defaultSendEnabled ?? false
  for (const { denom } of coins) {
    const enabled = sendEnabled.has(ctx, denom) ? sendEnabled.get(ctx, denom) : enabledDefault
    if (!enabled) throw errors.sendDisabled(`${denom} transfers are currently disabled`)
  }
}

function setBalance(ctx: Write, holder: Bytes, denom: string, amount: bigint): void {
  if (amount === 0n) balances.remove(ctx, [holder, denom])
  else balances.set(ctx, [holder, denom], amount)
}

/** Debit and credit of one holder, with their events. */
interface Ledger {
  subtract(ctx: Write, holder: Bytes, coins: Coins): void
  add(ctx: Write, holder: Bytes, coins: Coins): void
}

function createLedger(accounts: AccountsPort, text: (address: Bytes) => string): Ledger {
  return {
    subtract(ctx, holder, coins) {
      const locked = accounts.locked(ctx, holder)
      for (const coin of coins) {
        const { denom, amount } = coin
        const held = balanceOf(ctx, holder, denom)
        const spendable = held - amountOf(locked, denom)
        if (spendable < 0n) {
          const amounts = `${amountOf(locked, denom)}${denom} > ${held}${denom}`
          throw sdkErrors.insufficientFunds(`locked amount exceeds account balance funds: ${amounts}`)
        }
        if (spendable < amount) {
          const amounts = `${spendable}${denom} is smaller than ${formatCoin(coin)}`
          throw sdkErrors.insufficientFunds(`spendable balance ${amounts}`)
        }
        setBalance(ctx, holder, denom, held - amount)
      }
      ctx.emit('coin_spent', () => ({ spender: text(holder), amount: formatCoins(coins) }))
    },
    add(ctx, holder, coins) {
      for (const { denom, amount } of coins) {
        setBalance(ctx, holder, denom, checkInt(balanceOf(ctx, holder, denom) + amount))
      }
      ctx.emit('coin_received', () => ({ receiver: text(holder), amount: formatCoins(coins) }))
    },
  }
}

/** Coins that leave a holder to be staked, and come back. */
function createStaking(
  accounts: AccountsPort,
  ledger: Ledger,
  text: (address: Bytes) => string,
): Pick<BankKeeper, 'delegate' | 'undelegate'> {
  function check(ctx: Read, pool: Bytes, coins: Coins): void {
    if (accounts.get(ctx, pool) === undefined) {
      throw sdkErrors.unknownAddress(`module account ${text(pool)} does not exist`)
    }
    checkAmount(coins)
  }
  const unknown = (what: string, address: Bytes) =>
    sdkErrors.unknownAddress(`failed to track ${what}: account ${text(address)} does not exist`)
  return {
    delegate(ctx, delegator, pool, coins) {
      check(ctx, pool, coins)
      const before = coins.map(({ denom, amount }) => {
        const held = balanceOf(ctx, delegator, denom)
        if (held < amount) {
          throw sdkErrors.insufficientFunds(`failed to delegate; ${held}${denom} is smaller than ${formatCoins(coins)}`)
        }
        setBalance(ctx, delegator, denom, held - amount)
        return { denom, amount: held }
      })
      if (!accounts.trackDelegation(ctx, delegator, before, coins)) throw unknown('delegation', delegator)
      ctx.emit('coin_spent', { spender: text(delegator), amount: formatCoins(coins) })
      ledger.add(ctx, pool, coins)
    },
    undelegate(ctx, pool, delegator, coins) {
      check(ctx, pool, coins)
      ledger.subtract(ctx, pool, coins)
      if (!accounts.trackUndelegation(ctx, delegator, coins)) throw unknown('undelegation', delegator)
      ledger.add(ctx, delegator, coins)
    },
  }
}

function createTreasury(
  accounts: AccountsPort,
  ledger: Ledger,
  text: (address: Bytes) => string,
): Pick<BankKeeper, 'mint' | 'burn'> {
  function holderWith(ctx: Write, module: string, permission: string): Bytes {
    const { address, account } = accounts.moduleAccount(ctx, module)
    assert(account.module?.permissions.includes(permission), `module account ${module} is no ${permission}`)
    return address
  }

  function changeSupply(ctx: Write, coins: Coins, sign: 1n | -1n): void {
    for (const { denom, amount } of coins) {
      const total = checkInt(supplyOf(ctx, denom) + sign * amount)
      assert(total >= 0n, `supply of ${denom} below zero`)
      if (total === 0n) supply.remove(ctx, denom)
      else supply.set(ctx, denom, total)
    }
  }

  return {
    mint(ctx, module, coins) {
      const minter = holderWith(ctx, module, 'minter')
      checkAmount(coins)
      ledger.add(ctx, minter, coins)
      changeSupply(ctx, coins, 1n)
      ctx.emit('coinbase', { minter: text(minter), amount: formatCoins(coins) })
    },
    burn(ctx, module, coins) {
      const burner = holderWith(ctx, module, 'burner')
      checkAmount(coins)
      ledger.subtract(ctx, burner, coins)
      changeSupply(ctx, coins, -1n)
      ctx.emit('burn', { burner: text(burner), amount: formatCoins(coins) })
    },
  }
}
