import type { Read, Write } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import { type Coins, coinsFromProto, coinsToProto, formatCoins } from '@coin/wire/coins'
import { AllowedMsgAllowance, BasicAllowance, PeriodicAllowance } from '@coin/wire/gen/cosmos/feegrant/v1beta1/feegrant'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { encodeAny } from '@coin/wire/registry'
import { durationToNs, nsToTimestamp, type Timestamp, timestampToNs } from '@coin/wire/time'
import { isCoinSet, reduced } from './coins.js'
import { errors } from './errors.js'

/** How much of whose fees is paid, for what, how long. A value: `use` answers with what is left of it. */
export interface Allowance {
  readonly expiration: Timestamp | undefined
  /** What is wrong with it on its face. */
  check(): void
  /** What is left when `fee` is paid; `undefined` when it is used up. Throws when it does not cover the fee or the messages. */
  use(ctx: Write, fee: Coins, msgTypeUrls: readonly string[]): Allowance | undefined
  pack(): Any
}

/** Gas of each allowed type and of each message that is looked up. */
const gasPerMessage = 10

/** Throws `noAllowance` for nothing and for what is no allowance. */
export function unpackAllowance(any: Any | undefined): Allowance {
  switch (any?.typeUrl) {
    case '/cosmos.feegrant.v1beta1.BasicAllowance':
      return basicAllowance(BasicAllowance.decode(any.value))
    case '/cosmos.feegrant.v1beta1.PeriodicAllowance':
      return periodicAllowance(PeriodicAllowance.decode(any.value))
    case '/cosmos.feegrant.v1beta1.AllowedMsgAllowance':
      return allowedMsgAllowance(AllowedMsgAllowance.decode(any.value))
    default:
      throw errors.noAllowance('failed to get allowance')
  }
}

function isExpired(ctx: Read, expiration: Timestamp | undefined): boolean {
  return expiration !== undefined && timestampToNs(expiration) < ctx.time
}

function basicAllowance(given: BasicAllowance): Allowance {
  return {
    expiration: given.expiration,
    check: () => checkBasic(given),
    use(ctx, fee) {
      if (isExpired(ctx, given.expiration)) throw errors.feeLimitExpired('basic allowance')
      if (given.spendLimit.length === 0) return basicAllowance(given)
      const left = reduced(given.spendLimit, fee)
      if (left === undefined) throw errors.feeLimitExceeded('basic allowance')
      return left.length === 0 ? undefined : basicAllowance({ ...given, spendLimit: coinsToProto(left) })
    },
    pack: () => encodeAny('cosmos.feegrant.v1beta1.BasicAllowance', given),
  }
}

function checkBasic({ spendLimit, expiration }: BasicAllowance): void {
  const limit = coinsFromProto(spendLimit)
  if (!isCoinSet(limit)) throw sdkErrors.invalidCoins(`send amount is invalid: ${formatCoins(limit)}`)
  if (expiration !== undefined && expiration.seconds < 0n) {
    throw errors.invalidDuration('expiration time cannot be negative')
  }
}

function periodicAllowance(given: PeriodicAllowance): Allowance {
  return {
    expiration: given.basic.expiration,
    check: () => checkPeriodic(given),
    use(ctx, fee) {
      const { basic } = given
      if (isExpired(ctx, basic.expiration)) throw errors.feeLimitExpired('absolute limit')
      const current = inPresentPeriod(given, ctx.time)
      const leftInPeriod = reduced(current.periodCanSpend, fee)
      if (leftInPeriod === undefined) throw errors.feeLimitExceeded('period limit')
      const next = { ...current, periodCanSpend: coinsToProto(leftInPeriod) }
      if (basic.spendLimit.length === 0) return periodicAllowance(next)
      const left = reduced(basic.spendLimit, fee)
      if (left === undefined) throw errors.feeLimitExceeded('absolute limit')
      if (left.length === 0) return undefined
      return periodicAllowance({ ...next, basic: { ...basic, spendLimit: coinsToProto(left) } })
    },
    pack: () => encodeAny('cosmos.feegrant.v1beta1.PeriodicAllowance', given),
  }
}

/**
 * A period that has ended begins again: one period after its end, or, if that too has passed, one period from now. It never allows more
 * than is left in all.
 */
function inPresentPeriod(given: PeriodicAllowance, now: bigint): PeriodicAllowance {
  const reset = timestampToNs(given.periodReset)
  if (now < reset) return given
  const { spendLimit } = given.basic
  const isLess = spendLimit.length > 0 && reduced(spendLimit, coinsFromProto(given.periodSpendLimit)) === undefined
  const period = durationToNs(given.period)
  const next = reset + period
  return {
    ...given,
    periodCanSpend: isLess ? spendLimit : given.periodSpendLimit,
    periodReset: nsToTimestamp(now > next ? now + period : next),
  }
}

function checkPeriodic({ basic, period, periodSpendLimit, periodCanSpend }: PeriodicAllowance): void {
  checkBasic(basic)
  const limit = coinsFromProto(periodSpendLimit)
  if (!isCoinSet(limit)) throw sdkErrors.invalidCoins(`spend amount is invalid: ${formatCoins(limit)}`)
  if (limit.length === 0) throw sdkErrors.invalidCoins('spend limit must be positive')
  const canSpend = coinsFromProto(periodCanSpend)
  if (!isCoinSet(canSpend)) throw sdkErrors.invalidCoins(`can spend amount is invalid: ${formatCoins(canSpend)}`)
  const denoms = new Set(basic.spendLimit.map(({ denom }) => denom))
  if (denoms.size > 0 && !limit.every(({ denom }) => denoms.has(denom))) {
    throw sdkErrors.invalidCoins('period spend limit has different currency than basic spend limit')
  }
  if (durationToNs(period) < 0n) throw errors.invalidDuration('negative clock step')
}

function allowedMsgAllowance(given: AllowedMsgAllowance): Allowance {
  const { allowance, allowedMessages } = given
  // A type that is no allowance was refused when the message was decoded; genesis files are checked.
  const inner = allowance === undefined ? undefined : unpackAllowance(allowance)
  return {
    expiration: inner?.expiration,
    check() {
      if (inner === undefined) throw errors.noAllowance('allowance should not be empty')
      if (allowedMessages.length === 0) throw errors.noMessages("allowed messages shouldn't be empty")
      inner.check()
    },
    use(ctx, fee, msgTypeUrls) {
      checkTypes(ctx, allowedMessages, msgTypeUrls)
      const left = requireInner(inner).use(ctx, fee, msgTypeUrls)
      return left === undefined ? undefined : allowedMsgAllowance({ ...given, allowance: left.pack() })
    },
    pack: () =>
      encodeAny('cosmos.feegrant.v1beta1.AllowedMsgAllowance', {
        ...given,
        allowance: inner?.pack(),
      }),
  }
}

function requireInner(inner: Allowance | undefined): Allowance {
  if (inner === undefined) throw errors.noAllowance('failed to get allowance')
  return inner
}

function checkTypes(ctx: Write, allowed: readonly string[], used: readonly string[]): void {
  for (const _ of allowed) ctx.gas.consume(gasPerMessage, 'check msg')
  const types = new Set(allowed)
  for (const type of used) {
    ctx.gas.consume(gasPerMessage, 'check msg')
    if (!types.has(type)) throw errors.messageNotAllowed('message does not exist in allowed messages')
  }
}
