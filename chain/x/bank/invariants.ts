import type { Invariant } from '@coin/runtime/module'
import { balances, supply } from './state.js'

/** The sum of all balances of a denom is its supply. */
const totalSupply: Invariant = (ctx) => {
  const sums = new Map<string, bigint>()
  for (const [[, denom], amount] of balances.entries(ctx)) sums.set(denom, (sums.get(denom) ?? 0n) + amount)
  for (const [denom, amount] of supply.entries(ctx)) {
    const sum = sums.get(denom) ?? 0n
    if (sum !== amount) return `supply of ${denom} is ${amount}, but the balances sum up to ${sum}`
    sums.delete(denom)
  }
  const [extra] = sums.keys()
  return extra === undefined ? undefined : `balances of ${extra} without supply`
}

const positiveBalances: Invariant = (ctx) => {
  for (const [[, denom], amount] of balances.entries(ctx)) {
    if (amount <= 0n) return `a balance of ${amount}${denom}`
  }
  return undefined
}

export const bankInvariants = { totalSupply, positiveBalances }
