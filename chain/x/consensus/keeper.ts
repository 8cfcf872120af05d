import type { ConsensusParams } from '@coin/runtime/abci'
import type { Read, Write } from '@coin/runtime/context'
import { params } from './state.js'

/** The consensus parameters in the state; the engine's own copy follows them. */
export interface ConsensusKeeper {
  /** `undefined` before genesis. */
  get(ctx: Read): ConsensusParams | undefined
  set(ctx: Write, value: ConsensusParams): void
}

export const consensusKeeper: ConsensusKeeper = {
  get: (ctx) => params.get(ctx),
  set: (ctx, value) => params.set(ctx, value),
}
