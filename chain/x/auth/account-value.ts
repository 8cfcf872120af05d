import type { Bytes } from '@coin/base/bytes'
import { defineErrors } from '@coin/base/errors'
import type { Account } from '@coin/runtime/account'
import type { ValueCodec } from '@coin/runtime/values'
import { BaseAccount, ModuleAccount } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'
import { Any } from '@coin/wire/gen/google/protobuf/any'

const baseAccountType = '/cosmos.auth.v1beta1.BaseAccount'
const moduleAccountType = '/cosmos.auth.v1beta1.ModuleAccount'

const errors = defineErrors('auth', { unknownAccountType: [2, 'account type is not supported'] })

function baseOf({ address, pubKey, accountNumber, sequence }: Account): BaseAccount {
  return { address, pubKey, accountNumber, sequence }
}

function fromBase({ address, pubKey, accountNumber, sequence }: BaseAccount): Account {
  return { address, pubKey, accountNumber, sequence }
}

/** As queries and genesis carry an account: `google.protobuf.Any` of its own type. */
export function accountToAny(account: Account): Any {
  if (account.module === undefined) {
    return { typeUrl: baseAccountType, value: BaseAccount.encode(baseOf(account)).finish() }
  }
  const { name, permissions } = account.module
  const message = { baseAccount: baseOf(account), name, permissions: [...permissions] }
  return { typeUrl: moduleAccountType, value: ModuleAccount.encode(message).finish() }
}

/** Throws `unknownAccountType` for accounts that are neither base nor module accounts (vesting is not built yet). */
export function accountFromAny({ typeUrl, value }: Any): Account {
  if (typeUrl === baseAccountType) return fromBase(BaseAccount.decode(value))
  if (typeUrl !== moduleAccountType) {
    throw errors.unknownAccountType(`${typeUrl}, expected ${baseAccountType} or ${moduleAccountType}`)
  }
  const { baseAccount, name, permissions } = ModuleAccount.decode(value)
  if (baseAccount === undefined) throw errors.unknownAccountType(`module account "${name}" without base account`)
  return { ...fromBase(baseAccount), module: { name, permissions } }
}

const decoded = new WeakMap<Bytes, Account>()

/**
 * Stored as `Any`, as the SDK's interface codec does. A transaction reads its sender seven times: bytes that were decoded or
 * encoded here are not decoded again while the store hands out the same array.
 */
export const accountValue: ValueCodec<Account> & { numberOf(account: Account): bigint } = {
  encode(account) {
    const bytes = Any.encode(accountToAny(account)).finish()
    decoded.set(bytes, account)
    return bytes
  },
  decode(bytes) {
    let account = decoded.get(bytes)
    if (account === undefined) {
      account = accountFromAny(Any.decode(bytes))
      decoded.set(bytes, account)
    }
    return account
  },
  numberOf: (account) => account.accountNumber,
}
