import { sizedAddressKey, timeKey } from '@coin/runtime/address-time-keys'
import { collectionsOf } from '@coin/runtime/collections'
import { pairKey } from '@coin/runtime/keys'
import { noValue, protoValue } from '@coin/runtime/values'
import { Grant } from '@coin/wire/gen/cosmos/feegrant/v1beta1/feegrant'

/** A prefix is consensus: never change or reuse one. */
export const feegrantStore = 'feegrant'

const feegrant = collectionsOf(feegrantStore)

export const grantKey = pairKey(sizedAddressKey, sizedAddressKey)

/** (grantee, granter) -> who pays whose fees, within which allowance */
export const grants = feegrant.map(0x00, grantKey, protoValue(Grant))

export const expiryKey = pairKey(timeKey, grantKey)

/** (end of the allowance, (grantee, granter)): what is to be pruned when */
export const expiries = feegrant.map(0x01, expiryKey, noValue)
