import { CodedError } from '@coin/base/errors'
import type { Acceptance } from '@coin/runtime/authorization'
import { plainError, sdkErrors } from '@coin/runtime/errors'
import {
  type Coins,
  checkCoins,
  coinsFromProto,
  coinsToProto,
  isAllGte,
  type ProtoCoin,
  subCoins,
} from '@coin/wire/coins'
import { CombinedLimit, MaxCallsLimit, MaxFundsLimit } from '@coin/wire/gen/cosmwasm/wasm/v1/authz'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { encodeAny } from '@coin/wire/registry'
import { errors } from './errors.js'

/** How often a contract may be called, and with how much. */
export interface Limit {
  check(): void
  /** What a call with these funds does to the limit; `refused` when the limit is not about such calls. */
  use(funds: readonly ProtoCoin[]): Acceptance<Any>
}

const undefinedLimit: Limit = {
  check() {
    throw sdkErrors.invalidType('undefined limit')
  },
  use() {
    throw sdkErrors.notFound('undefined filter')
  },
}

export function unpackLimit(any: Any | undefined): Limit {
  switch (any?.typeUrl) {
    case '/cosmwasm.wasm.v1.MaxCallsLimit':
      return maxCalls(MaxCallsLimit.decode(any.value))
    case '/cosmwasm.wasm.v1.MaxFundsLimit':
      return maxFunds(MaxFundsLimit.decode(any.value))
    case '/cosmwasm.wasm.v1.CombinedLimit':
      return combined(CombinedLimit.decode(any.value))
    default:
      return undefinedLimit
  }
}

/** So many calls, without funds. */
function maxCalls({ remaining }: MaxCallsLimit): Limit {
  return {
    check() {
      if (remaining === 0n) throw errors.empty('remaining calls')
    },
    use(funds) {
      if (funds.length > 0) return { outcome: 'refused' }
      if (remaining === 0n) throw sdkErrors.unauthorized('no calls left')
      if (remaining === 1n) return { outcome: 'spent' }
      const left = { remaining: remaining - 1n }
      return { outcome: 'updated', updated: encodeAny('cosmwasm.wasm.v1.MaxCallsLimit', left) }
    },
  }
}

/** So much in all; calls without funds are free. */
function maxFunds({ amounts }: MaxFundsLimit): Limit {
  const limit = coinsFromProto(amounts)
  return {
    check() {
      checkSet(limit)
      if (limit.length === 0) throw errors.empty('amounts')
    },
    use(funds) {
      if (funds.length === 0) return { outcome: 'kept' }
      const spent = coinsFromProto(funds)
      if (!isAllGte(limit, spent)) return { outcome: 'refused' }
      const left = subCoins(limit, spent)
      if (left.length === 0) return { outcome: 'spent' }
      const updated = encodeAny('cosmwasm.wasm.v1.MaxFundsLimit', { amounts: coinsToProto(left) })
      return { outcome: 'updated', updated }
    },
  }
}

/** So many calls and so much in all, whichever ends first. */
function combined({ callsRemaining, amounts }: CombinedLimit): Limit {
  const limit = coinsFromProto(amounts)
  return {
    check() {
      if (callsRemaining === 0n) throw errors.empty('remaining calls')
      if (limit.every(({ amount }) => amount === 0n)) throw errors.empty('amounts')
      try {
        checkSet(limit)
      } catch (error) {
        throw error instanceof CodedError ? error.wrap('amounts') : error
      }
    },
    use(funds) {
      const spent = coinsFromProto(funds)
      if (!isAllGte(limit, spent)) return { outcome: 'refused' }
      if (callsRemaining === 0n) throw sdkErrors.unauthorized('no calls left')
      const left = subCoins(limit, spent)
      if (callsRemaining === 1n || left.length === 0) return { outcome: 'spent' }
      const next = { callsRemaining: callsRemaining - 1n, amounts: coinsToProto(left) }
      return { outcome: 'updated', updated: encodeAny('cosmwasm.wasm.v1.CombinedLimit', next) }
    },
  }
}

/** In wasmd what is no set of coins has no code of its own here. */
function checkSet(coins: Coins): void {
  try {
    checkCoins(coins)
  } catch (error) {
    throw error instanceof CodedError ? plainError(error.message) : error
  }
}
