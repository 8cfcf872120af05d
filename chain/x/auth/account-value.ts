import type { Bytes } from '@coin/base/bytes'
import type { Account } from '@coin/runtime/account'
import { rememberedRecent, type ValueCodec } from '@coin/runtime/values'
import { BaseAccount, ModuleAccount } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'
import { Any } from '@coin/wire/gen/google/protobuf/any'
import { BinaryWriter } from '@coin/wire/protobuf/writer'
import { errors } from './errors.js'
import { vestingFromAny, vestingToAny, vestingTypes } from './vesting-value.js'

const baseAccountType = '/cosmos.auth.v1beta1.BaseAccount'
const moduleAccountType = '/cosmos.auth.v1beta1.ModuleAccount'

function baseOf({ address, pubKey, accountNumber, sequence }: Account): BaseAccount {
  return { address, pubKey, accountNumber, sequence }
}

function fromBase({ address, pubKey, accountNumber, sequence }: BaseAccount): Account {
  return { address, pubKey, accountNumber, sequence }
}

/** As queries and genesis carry an account: `google.protobuf.Any` of its own type. */
export function accountToAny(account: Account): Any {
  if (account.vesting !== undefined) return vestingToAny(baseOf(account), account.vesting)
  if (account.module === undefined) {
    return { typeUrl: baseAccountType, value: BaseAccount.encode(baseOf(account)).finish() }
  }
  const { name, permissions } = account.module
  const message = { baseAccount: baseOf(account), name, permissions: [...permissions] }
  return { typeUrl: moduleAccountType, value: ModuleAccount.encode(message).finish() }
}

/** Throws `unknownAccountType` for what is no base, module or vesting account. */
export function accountFromAny(any: Any): Account {
  const { typeUrl, value } = any
  if (typeUrl === baseAccountType) return fromBase(BaseAccount.decode(value))
  if (typeUrl !== moduleAccountType) {
    const account = vestingFromAny(any)
    if (account !== undefined) return account
    const expected = [baseAccountType, moduleAccountType, ...vestingTypes].join(', ')
    throw errors.unknownAccountType(`${typeUrl}, expected one of ${expected}`)
  }
  const { baseAccount, name, permissions } = ModuleAccount.decode(value)
  if (baseAccount === undefined) throw errors.unknownAccountType(`module account "${name}" without base account`)
  return { ...fromBase(baseAccount), module: { name, permissions } }
}

/** As `Any.encode(accountToAny(account))`, in one piece. */
function encodeAccount(account: Account): Bytes {
  if (account.module !== undefined || account.vesting !== undefined) return Any.encode(accountToAny(account)).finish()
  const writer = new BinaryWriter().uint32(10).string(baseAccountType).uint32(18).fork()
  return BaseAccount.encode(account, writer).join().finish()
}

/** How many accounts' decoded forms are kept: of those whose transactions wait and run; about 500 bytes each. */
const rememberedMax = 20_000

/** Stored as `Any`, as the SDK's interface codec does. Remembered, because a transaction reads its sender seven times. */
export const accountValue: ValueCodec<Account> = rememberedRecent(
  {
    encode: encodeAccount,
    decode: (bytes) => accountFromAny(Any.decode(bytes)),
  },
  rememberedMax,
)
