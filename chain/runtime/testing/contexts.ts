import type { ConsensusParams } from '@coin/engine/application'
import { emptyBlock } from '../chain-state.js'
import { createWrite, type Write } from '../context.js'
import { createMapStore } from './map-store.js'

/** CometBFT's defaults with this gas limit of a block. */
export function consensusParamsOf(maxGas: bigint): ConsensusParams {
  const second = 1_000_000_000n
  return {
    block: { maxBytes: 22_020_096n, maxGas },
    evidence: { maxAgeNumBlocks: 100_000n, maxAgeDurationNs: 172_800n * second, maxBytes: 1_048_576n },
    validator: { pubKeyTypes: ['ed25519'] },
    version: { app: 0n },
    abci: { voteExtensionsEnableHeight: 0n },
  }
}

/** A context over empty stores, for tests of one module. */
export function testWrite(stores: readonly string[], height = 1): Write {
  const block = { ...emptyBlock('test-1'), height }
  const branch = createMapStore(stores).branch()
  return createWrite(branch, { block, mode: 'finalize', consensusParams: consensusParamsOf(-1n) })
}
