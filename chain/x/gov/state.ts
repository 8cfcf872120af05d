import { collectionsOf } from '@coin/runtime/collections'
import { protoValue, stringValue } from '@coin/runtime/values'
import { Params } from '@coin/wire/gen/cosmos/gov/v1/gov'

/** A prefix is consensus: never change or reuse one. */
export const govStore = 'gov'

const gov = collectionsOf(govStore)

/** The number that the next proposal gets. */
export const nextProposalId = gov.sequence(3, 1n)

export const params = gov.item(48, protoValue(Params))

/** Free text that the genesis may carry. */
export const constitution = gov.item(49, stringValue)
