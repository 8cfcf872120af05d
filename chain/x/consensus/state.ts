import type { ConsensusParams } from '@coin/runtime/abci'
import { collectionsOf } from '@coin/runtime/collections'
import { remembered, type ValueCodec } from '@coin/runtime/values'
import { ConsensusParams as ProtoParams } from '@coin/wire/gen/tendermint/types/params'
import { paramsFromProto, paramsToProto } from './proto.js'

/** A prefix is consensus: never change or reuse one. */
export const consensusStore = 'consensus'

const paramsValue: ValueCodec<ConsensusParams> = {
  encode: (value) => ProtoParams.encode(paramsToProto(value)).finish(),
  decode: (bytes) => paramsFromProto(ProtoParams.decode(bytes)),
}

/** CometBFT's consensus parameters as of the next block. */
export const params = collectionsOf(consensusStore).item('Consensus', remembered(paramsValue))
