import { collectionsOf } from '@coin/runtime/collections'
import { protoValue, type ValueCodec } from '@coin/runtime/values'
import { ConsensusParams } from '@coin/wire/gen/tendermint/types/params'

/** A prefix is consensus: never change or reuse one. */
export const consensusStore = 'consensus'

/** CometBFT's consensus parameters as of the next block. */
export const params = collectionsOf(consensusStore).item(
  'Consensus',
  protoValue(ConsensusParams) as ValueCodec<ConsensusParams>,
)
