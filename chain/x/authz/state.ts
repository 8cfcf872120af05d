import { sizedAddressKey, timeKey } from '@coin/runtime/address-time-keys'
import { collectionsOf } from '@coin/runtime/collections'
import { pairKey, stringKey } from '@coin/runtime/keys'
import { protoValue } from '@coin/runtime/values'
import { Grant, GrantQueueItem } from '@coin/wire/gen/cosmos/authz/v1beta1/authz'

/** A prefix is consensus: never change or reuse one. */
export const authzStore = 'authz'

const authz = collectionsOf(authzStore)

const partiesKey = pairKey(sizedAddressKey, sizedAddressKey)

export const grantKey = pairKey(partiesKey, stringKey)

/** ((granter, grantee), type URL of the message) -> the authorization and its end */
export const grants = authz.map(0x01, grantKey, protoValue(Grant))

export const queueKey = pairKey(timeKey, partiesKey)

/** (end, (granter, grantee)) -> type URLs of the grants that end then; the list may be empty */
export const queue = authz.map(0x02, queueKey, protoValue(GrantQueueItem))
