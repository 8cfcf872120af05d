import { collectionsOf } from '@coin/runtime/collections'
import { protoValue } from '@coin/runtime/values'
import { Minter, Params } from '@coin/wire/gen/cosmos/mint/v1beta1/mint'

/** A prefix is consensus: never change or reuse one. */
export const mintStore = 'mint'

const mint = collectionsOf(mintStore)

/** Present inflation and yearly provisions, both decimals of 18 places. */
export const minter = mint.item(0, protoValue(Minter))

export const params = mint.item(1, protoValue(Params))
