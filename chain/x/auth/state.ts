import type { Account } from '@coin/runtime/account'
import { collectionsOf, indexed } from '@coin/runtime/collections'
import { addressKey, int64Key, pairKey, uint64Key } from '@coin/runtime/keys'
import { noValue, protoValue, remembered } from '@coin/runtime/values'
import { Params } from '@coin/wire/gen/cosmos/auth/v1beta1/auth'
import { accountValue } from './account-value.js'

/** The name of auth's store is `acc`, as in the SDK. A prefix is consensus: never change or reuse one. */
export const authStore = 'acc'

const acc = collectionsOf(authStore)

export const params = acc.item(0, remembered(protoValue(Params)))

/** account number -> address */
export const accountByNumber = acc.uniqueIndex(
  'accountNumber',
  uint64Key,
  addressKey,
  ({ accountNumber }: Account) => accountNumber,
)

/** address -> account */
export const accounts = indexed(acc.map(1, addressKey, accountValue), accountByNumber)

export const nonceKey = pairKey(int64Key, addressKey)

/** (timeout in nanoseconds, signer): unordered transactions that there have been; gone when the timeout has passed. */
export const unorderedNonces = acc.map(90, nonceKey, noValue)

/** The next free account number. */
export const nextAccountNumber = acc.sequence(2)
