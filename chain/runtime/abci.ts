/** The engine's nouns that modules use. Modules import them from here, so that they know nothing of an engine. */
export type { CommitVote, ConsensusParams, Misbehavior, TimeNs, ValidatorUpdate } from '@coin/engine/application'
