import { CodedError } from '@coin/base/errors'
import { undefinedErrors } from '@coin/runtime/errors'
import { type Coin, type Coins, checkCoins, coinsFromProto, type ProtoCoin, subCoins } from '@coin/wire/coins'

export function isCoinSet(coins: readonly Coin[]): boolean {
  try {
    checkCoins(coins)
    return true
  } catch (error) {
    if (error instanceof CodedError) return false
    throw error
  }
}

/**
 * `limit - spent`, or `undefined` when that is negative. `spent` may be in any order and have zeros; as in the SDK anything else that is
 * no set of coins has the code of a panic.
 */
export function reduced(limit: readonly ProtoCoin[], spent: Coins): Coins | undefined {
  const given = spent.filter(({ amount }) => amount !== 0n)
  const sorted = [...given].sort((a, b) => (a.denom < b.denom ? -1 : a.denom > b.denom ? 1 : 0))
  if (!isCoinSet(sorted)) throw undefinedErrors.panic('the fee is no set of coins')
  try {
    return subCoins(coinsFromProto(limit), sorted)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}
