import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Vesting, VestingKind, VestingPeriod } from '@coin/runtime/account'
import type { Write } from '@coin/runtime/context'
import { sdkErrors, undefinedErrors } from '@coin/runtime/errors'
import { type MsgRoute, onMsg } from '@coin/runtime/module'
import { addCoins, type Coins, coinsFromProto, formatCoins, noCoins } from '@coin/wire/coins'
import type { Coin as ProtoCoin } from '@coin/wire/gen/cosmos/base/v1beta1/coin'
import {
  MsgCreatePeriodicVestingAccount,
  MsgCreatePeriodicVestingAccountResponse,
  MsgCreatePermanentLockedAccount,
  MsgCreatePermanentLockedAccountResponse,
  MsgCreateVestingAccount,
  MsgCreateVestingAccountResponse,
} from '@coin/wire/gen/cosmos/vesting/v1beta1/tx'
import type { AuthKeeper } from './keeper.js'
import type { BankPort } from './ports.js'
import { endOfPeriods, isPositiveSet, secondsOf, vestingDefect } from './vesting.js'

const tx = 'cosmos.vesting.v1beta1'

/** Messages that open an account whose coins are freed over time, and fill it from the sender's own. */
export function createVestingMsgs(auth: AuthKeeper, bank: BankPort): Record<string, MsgRoute> {
  return {
    [`/${tx}.MsgCreateVestingAccount`]: onMsg<MsgCreateVestingAccount, MsgCreateVestingAccountResponse>({
      request: MsgCreateVestingAccount,
      response: MsgCreateVestingAccountResponse,
      responseType: `${tx}.MsgCreateVestingAccountResponse`,
      signers: (msg) => [msg.fromAddress],
      check: (msg) => checkDigits(msg.amount),
      run(ctx, msg) {
        const parties = partiesOf(auth, msg)
        const coins = requireCoins(msg.amount)
        if (msg.endTime <= 0n) throw sdkErrors.invalidRequest('invalid end time')
        bank.checkSendEnabled(ctx, coins)
        checkRecipient(ctx, parties, auth, bank)
        const { endTime, delayed } = msg
        const startTime = delayed ? 0n : secondsOf(ctx.time)
        openFilled(ctx, parties, auth, bank, scheduleOf(delayed ? 'delayed' : 'continuous', coins, endTime, startTime))
        return {}
      },
    }),
    [`/${tx}.MsgCreatePermanentLockedAccount`]: onMsg<
      MsgCreatePermanentLockedAccount,
      MsgCreatePermanentLockedAccountResponse
    >({
      request: MsgCreatePermanentLockedAccount,
      response: MsgCreatePermanentLockedAccountResponse,
      responseType: `${tx}.MsgCreatePermanentLockedAccountResponse`,
      signers: (msg) => [msg.fromAddress],
      check: (msg) => checkDigits(msg.amount),
      run(ctx, msg) {
        const parties = partiesOf(auth, msg)
        const coins = requireCoins(msg.amount)
        bank.checkSendEnabled(ctx, coins)
        checkRecipient(ctx, parties, auth, bank)
        openFilled(ctx, parties, auth, bank, scheduleOf('permanent', coins, 0n))
        return {}
      },
    }),
    [`/${tx}.MsgCreatePeriodicVestingAccount`]: onMsg<
      MsgCreatePeriodicVestingAccount,
      MsgCreatePeriodicVestingAccountResponse
    >({
      request: MsgCreatePeriodicVestingAccount,
      response: MsgCreatePeriodicVestingAccountResponse,
      responseType: `${tx}.MsgCreatePeriodicVestingAccountResponse`,
      signers: (msg) => [msg.fromAddress],
      check: (msg) => checkDigits(msg.vestingPeriods.flatMap(({ amount }) => amount)),
      run(ctx, msg) {
        const parties = partiesOf(auth, msg)
        const { startTime } = msg
        if (startTime < 1n) {
          throw sdkErrors.invalidRequest(`invalid start time of ${startTime}, length must be greater than 0`)
        }
        const periods = requirePeriods(msg)
        const total = sumOf(periods)
        checkRecipient(ctx, parties, auth, bank)
        bank.checkSendEnabled(ctx, total)
        const schedule = scheduleOf('periodic', total, endOfPeriods(startTime, periods), startTime, periods)
        openFilled(ctx, parties, auth, bank, schedule)
        return {}
      },
    }),
  }
}

/** Who pays, and whose account is opened. */
interface Parties {
  readonly from: Bytes
  readonly to: Bytes
  /** As the message has it. */
  readonly toText: string
}

function partiesOf(auth: AuthKeeper, msg: { readonly fromAddress: string; readonly toAddress: string }): Parties {
  const decode = (text: string, which: string): Bytes => {
    try {
      return auth.addresses.decode(text)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      throw sdkErrors.invalidAddress(`invalid '${which}' address: ${error.message}`)
    }
  }
  return { from: decode(msg.fromAddress, 'from'), to: decode(msg.toAddress, 'to'), toText: msg.toAddress }
}

/** Not blocked, and not there yet: nobody can lock what somebody else already has. */
function checkRecipient(ctx: Write, { to, toText }: Parties, auth: AuthKeeper, bank: BankPort): void {
  if (bank.isBlocked(to)) throw sdkErrors.unauthorized(`${toText} is not allowed to receive funds`)
  if (auth.get(ctx, to) !== undefined) throw sdkErrors.invalidRequest(`account ${toText} already exists`)
}

function scheduleOf(
  kind: VestingKind,
  original: Coins,
  endTime: bigint,
  startTime = 0n,
  periods: readonly VestingPeriod[] = [],
): Vesting {
  return { kind, original, delegatedFree: noCoins, delegatedVesting: noCoins, endTime, startTime, periods }
}

function openFilled(ctx: Write, { from, to }: Parties, auth: AuthKeeper, bank: BankPort, schedule: Vesting): void {
  auth.createVesting(ctx, to, () => {
    // A continuous schedule may have ended already when its block comes: then all is free at once.
    const defect = schedule.kind === 'continuous' ? undefined : vestingDefect(schedule)
    if (defect !== undefined) throw sdkErrors.invalidRequest(defect)
    return schedule
  })
  bank.send(ctx, from, to, schedule.original)
}

function requireCoins(proto: readonly ProtoCoin[]): Coins {
  const coins = coinsFromProto(proto)
  if (!isPositiveSet(coins)) throw sdkErrors.invalidCoins(formatCoins(coins))
  return coins
}

function requirePeriods({ vestingPeriods }: MsgCreatePeriodicVestingAccount): readonly VestingPeriod[] {
  return vestingPeriods.map(({ length, amount }, index) => {
    if (length < 1n) {
      const what = `invalid period length of ${length} in period ${index}`
      throw sdkErrors.invalidRequest(`${what}, length must be greater than 0`)
    }
    return { length, amount: requireCoins(amount) }
  })
}

/** In the SDK a sum of more than 256 bits is a panic, which the transaction's result shows. */
function sumOf(periods: readonly VestingPeriod[]): Coins {
  try {
    return periods.reduce((sum, { amount }) => addCoins(sum, amount), noCoins)
  } catch (error) {
    throw error instanceof CodedError ? undefinedErrors.panic(error.message) : error
  }
}

/** In the SDK an amount that is no 256-bit integer does not even decode; so no fee is taken for it here either. */
function checkDigits(proto: readonly ProtoCoin[]): void {
  try {
    coinsFromProto(proto)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.txDecode(error.message) : error
  }
}
