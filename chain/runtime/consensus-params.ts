import type { ConsensusParams } from '@coin/engine/application'
import type { StateRead } from '@coin/store/kv'
import { emptyBlock } from './chain-state.js'
import { createRead, type Read, type Write } from './context.js'
import { GasMeter } from './gas.js'

/** Where the consensus parameters live in the state. */
export interface ParamsPort {
  get(ctx: Read): ConsensusParams | undefined
  set(ctx: Write, params: ConsensusParams): void
}

/** What holds before genesis: nothing is limited. */
export const noParams: ConsensusParams = {
  block: { maxBytes: -1n, maxGas: -1n },
  evidence: { maxAgeNumBlocks: 0n, maxAgeDurationNs: 0n, maxBytes: 0n },
  validator: { pubKeyTypes: [] },
  version: { app: 0n },
  abci: { voteExtensionsEnableHeight: 0n },
}

/** As stored; before genesis there are none. In the SDK every transaction pays for this read until its own meter is set up. */
export function paramsOf(
  { params, chainId }: { readonly params: Pick<ParamsPort, 'get'>; readonly chainId: string },
  source: StateRead,
  gas: GasMeter = new GasMeter(),
): ConsensusParams {
  const ctx = createRead(source, { block: emptyBlock(chainId), mode: 'query', consensusParams: noParams, gas })
  return params.get(ctx) ?? noParams
}
