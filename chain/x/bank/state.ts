import { collectionsOf, indexed } from '@coin/runtime/collections'
import { addressKey, lengthPrefixedKey, pairKey, stringKey } from '@coin/runtime/keys'
import { boolValue, intValue, protoValue, remembered } from '@coin/runtime/values'
import { Metadata, Params } from '@coin/wire/gen/cosmos/bank/v1beta1/bank'

/** A prefix is consensus: never change or reuse one. Amounts are base units. */
export const bankStore = 'bank'

const bank = collectionsOf(bankStore)

/** denom -> amount in existence; zero is never stored */
export const supply = bank.map(0, stringKey, intValue)

/** base denom -> how people name it */
export const denomMetadata = bank.map(1, stringKey, protoValue(Metadata))

export const balanceKey = pairKey(addressKey, stringKey)

/** denom -> holder: who has any of it */
export const holdersByDenom = bank.reverseIndex<Uint8Array, string, bigint>(3, lengthPrefixedKey, stringKey)

export const holderKey = pairKey(stringKey, lengthPrefixedKey)

/** (holder, denom) -> amount; zero is never stored */
export const balances = indexed(bank.map(2, balanceKey, intValue), holdersByDenom)

/** denom -> whether it may be sent; the parameter's default where absent */
export const sendEnabled = bank.map(4, stringKey, boolValue)

export const params = bank.item(5, remembered(protoValue(Params)))
