import type { TimeNs } from '../application.js'
import type { Commit, ValidatorSet } from '../comet/types.js'

/**
 * Where consensus stands (consensus/types/round_state.go). A block is made in one go, so whoever asks finds the engine between two
 * blocks: in the step `NewHeight`, round 0, with no proposal, no lock and no vote for the height to come.
 */
export interface RoundState {
  /** The one that is made next. */
  readonly height: number
  /** When it is due; it comes earlier when transactions wait. */
  readonly startTime: TimeNs
  /** When the last block was committed; Go's zero time before the first block of this process. */
  readonly commitTime: TimeNs
  /** Of the height to come. */
  readonly validators: ValidatorSet
  /** Signers of the last block and what they signed; absent before the first. */
  readonly lastValidators: ValidatorSet | undefined
  readonly lastCommit: Commit | undefined
}
