import type { Account, Vesting, VestingKind } from '@coin/runtime/account'
import { type Coins, coinsFromProto, coinsToProto } from '@coin/wire/coins'
import type { BaseAccount } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'
import {
  BaseVestingAccount,
  ContinuousVestingAccount,
  DelayedVestingAccount,
  PeriodicVestingAccount,
  PermanentLockedAccount,
} from '@coin/wire/gen/cosmos/vesting/v1beta1/vesting'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { errors } from './errors.js'

const types: Readonly<Record<VestingKind, string>> = {
  base: '/cosmos.vesting.v1beta1.BaseVestingAccount',
  continuous: '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
  delayed: '/cosmos.vesting.v1beta1.DelayedVestingAccount',
  periodic: '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
  permanent: '/cosmos.vesting.v1beta1.PermanentLockedAccount',
}

const kinds = new Map(Object.entries(types).map(([kind, typeUrl]) => [typeUrl, kind as VestingKind]))

/** Type URLs of the accounts that this file reads. */
export const vestingTypes: readonly string[] = [...kinds.keys()]

/** The parts of a vesting account as its message has them. */
interface Parts {
  readonly baseVestingAccount: BaseVestingAccount | undefined
  readonly startTime?: bigint
  readonly vestingPeriods?: readonly { readonly length: bigint; readonly amount: { denom: string; amount: string }[] }[]
}

const readers: Readonly<Record<VestingKind, (value: Uint8Array) => Parts>> = {
  base: (value) => ({ baseVestingAccount: BaseVestingAccount.decode(value) }),
  continuous: (value) => ContinuousVestingAccount.decode(value),
  delayed: (value) => DelayedVestingAccount.decode(value),
  periodic: (value) => PeriodicVestingAccount.decode(value),
  permanent: (value) => PermanentLockedAccount.decode(value),
}

/** `undefined` for other types. Throws `unknownAccountType` for a message without its base account. */
export function vestingFromAny({ typeUrl, value }: Any): Account | undefined {
  const kind = kinds.get(typeUrl)
  if (kind === undefined) return undefined
  const { baseVestingAccount: own, startTime = 0n, vestingPeriods = [] } = readers[kind](value)
  const base = own?.baseAccount
  if (own === undefined || base === undefined) throw errors.unknownAccountType(`${typeUrl} without base account`)
  const { address, pubKey, accountNumber, sequence } = base
  const vesting: Vesting = {
    kind,
    original: coinsFromProto(own.originalVesting),
    delegatedFree: coinsFromProto(own.delegatedFree),
    delegatedVesting: coinsFromProto(own.delegatedVesting),
    endTime: own.endTime,
    startTime,
    periods: vestingPeriods.map(({ length, amount }) => ({ length, amount: coinsFromProto(amount) })),
  }
  return { address, pubKey, accountNumber, sequence, vesting }
}

/** The account's own message, packed; `base` is its part that every account has. */
export function vestingToAny(base: BaseAccount, vesting: Vesting): Any {
  return { typeUrl: types[vesting.kind], value: encodeVesting(base, vesting) }
}

function encodeVesting(base: BaseAccount, { kind, startTime, endTime, periods, ...coins }: Vesting): Uint8Array {
  const baseVestingAccount: BaseVestingAccount = {
    baseAccount: base,
    originalVesting: coinsToProto(coins.original),
    delegatedFree: coinsToProto(coins.delegatedFree),
    delegatedVesting: coinsToProto(coins.delegatedVesting),
    endTime,
  }
  if (kind === 'base') return BaseVestingAccount.encode(baseVestingAccount).finish()
  if (kind === 'continuous') return ContinuousVestingAccount.encode({ baseVestingAccount, startTime }).finish()
  if (kind === 'delayed') return DelayedVestingAccount.encode({ baseVestingAccount }).finish()
  if (kind === 'permanent') return PermanentLockedAccount.encode({ baseVestingAccount }).finish()
  const toPeriod = ({ length, amount }: { length: bigint; amount: Coins }) => ({ length, amount: coinsToProto(amount) })
  const vestingPeriods = periods.map(toPeriod)
  return PeriodicVestingAccount.encode({ baseVestingAccount, startTime, vestingPeriods }).finish()
}
