import { CodedError } from '@coin/base/errors'
import { type Acceptance, type AuthorizationKind, onAuthorization } from '@coin/runtime/authorization'
import type { Write } from '@coin/runtime/context'
import { sdkErrors, undefinedErrors } from '@coin/runtime/errors'
import { type Coin, type Coins, coinsFromProto, coinsToProto } from '@coin/wire/coins'
import { SendAuthorization } from '@coin/wire/gen/cosmos/bank/v1beta1/authz'
import type { MsgSend } from '@coin/wire/gen/cosmos/bank/v1beta1/tx'
import { errors } from './errors.js'
import { checkAmount } from './keeper.js'

/** Gas of each address of the list that is looked at. */
const gasPerAddress = 10

/** Lets somebody send up to a limit, which shrinks, to anybody or to those listed. */
export const bankAuthorizations: Readonly<Record<string, AuthorizationKind>> = {
  '/cosmos.bank.v1beta1.SendAuthorization': onAuthorization<SendAuthorization>({
    codec: SendAuthorization,
    msgTypeUrl: () => '/cosmos.bank.v1beta1.MsgSend',
    check: checkSend,
    accept: (ctx, authorization, msg) => acceptSend(ctx, authorization, msg as MsgSend),
  }),
}

function checkSend({ spendLimit, allowList }: SendAuthorization): void {
  const limit = coinsFromProto(spendLimit)
  if (limit.length === 0) throw sdkErrors.invalidCoins('spend limit cannot be nil')
  if (limit.some(({ amount }) => amount <= 0n)) throw sdkErrors.invalidCoins('spend limit must be positive')
  if (new Set(allowList).size !== allowList.length) throw errors.duplicateEntry()
}

function acceptSend(ctx: Write, authorization: SendAuthorization, msg: MsgSend): Acceptance<SendAuthorization> {
  const { spendLimit, allowList } = authorization
  const left = subtract(coinsFromProto(spendLimit), coinsFromProto(msg.amount))
  if (left.some(({ amount }) => amount < 0n)) {
    throw sdkErrors.insufficientFunds('requested amount is more than spend limit')
  }
  if (allowList.length > 0 && !isListed(ctx, allowList, msg.toAddress)) {
    throw sdkErrors.unauthorized(`cannot send to ${msg.toAddress} address`)
  }
  if (left.length === 0) return { outcome: 'spent' }
  return { outcome: 'updated', updated: { ...authorization, spendLimit: coinsToProto(left) } }
}

function isListed(ctx: Write, allowList: readonly string[], address: string): boolean {
  for (const allowed of allowList) {
    ctx.gas.consume(gasPerAddress, 'send authorization')
    if (allowed === address) return true
  }
  return false
}

/**
 * Sums per denom, sorted, without zeros. The limit need not be a set of coins: nobody checked more than that its amounts are positive;
 * out of order, and for an amount that is no set of coins, it has the code of a panic, as in the SDK.
 */
function subtract(limit: Coins, spent: Coins): Coins {
  const sums = new Map<string, bigint>()
  const add = ({ denom, amount }: Coin, sign: bigint): unknown =>
    sums.set(denom, (sums.get(denom) ?? 0n) + sign * amount)
  const sorted = spent.filter(({ amount }) => amount !== 0n).sort((a, b) => (a.denom < b.denom ? -1 : 1))
  asPanic(() => checkAmount(sorted))
  for (const [index, coin] of limit.entries()) {
    if (index > 0 && limit[index - 1]!.denom > coin.denom) throw undefinedErrors.panic('the spend limit is not sorted')
    add(coin, 1n)
  }
  for (const coin of sorted) add(coin, -1n)
  return [...sums]
    .map(([denom, amount]) => ({ denom, amount }))
    .filter(({ amount }) => amount !== 0n)
    .sort((a, b) => (a.denom < b.denom ? -1 : 1))
}

function asPanic(check: () => void): void {
  try {
    check()
  } catch (error) {
    throw error instanceof CodedError ? undefinedErrors.panic(error.message) : error
  }
}
