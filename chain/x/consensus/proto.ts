import type { ConsensusParams } from '@coin/runtime/abci'
import type { ConsensusParams as ProtoParams } from '@coin/wire/gen/tendermint/types/params'
import { durationToNs, nsToDuration } from '@coin/wire/time'

/** As CometBFT's genesis hands them to InitChain: every part present. */
export function paramsToProto({ block, evidence, validator, version, abci }: ConsensusParams): ProtoParams {
  return {
    block: { maxBytes: block.maxBytes, maxGas: block.maxGas },
    evidence: {
      maxAgeNumBlocks: evidence.maxAgeNumBlocks,
      maxAgeDuration: nsToDuration(evidence.maxAgeDurationNs),
      maxBytes: evidence.maxBytes,
    },
    validator: { pubKeyTypes: [...validator.pubKeyTypes] },
    version: { app: version.app },
    abci: { voteExtensionsEnableHeight: abci.voteExtensionsEnableHeight },
  }
}

export function paramsFromProto({ block, evidence, validator, version, abci }: ProtoParams): ConsensusParams {
  const age = evidence?.maxAgeDuration
  return {
    block: { maxBytes: block?.maxBytes ?? 0n, maxGas: block?.maxGas ?? 0n },
    evidence: {
      maxAgeNumBlocks: evidence?.maxAgeNumBlocks ?? 0n,
      maxAgeDurationNs: age === undefined ? 0n : durationToNs(age),
      maxBytes: evidence?.maxBytes ?? 0n,
    },
    validator: { pubKeyTypes: validator?.pubKeyTypes ?? [] },
    version: { app: version?.app ?? 0n },
    abci: { voteExtensionsEnableHeight: abci?.voteExtensionsEnableHeight ?? 0n },
  }
}
