import { voteTypes } from '@coin/engine/comet/evidence'
import { type BlockId, blockIdFlags, emptyBlockId } from '@coin/engine/comet/types'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import { type BusEvent, type BusName, busEvent } from './bus-event.js'
import { blockIdJson, type Json, voteJson } from './comet-json.js'
import { proposerJson } from './round-json.js'

/**
 * What consensus went through to make a block, in CometBFT's order (consensus/state.go), told when the block is committed: the engine
 * makes it in one go. It signs no prevotes, so there is no `Vote` of that type, and what `Polka`, `ValidBlock` and `Lock` stand for
 * holds by itself. What cannot happen: `TimeoutPropose` and `TimeoutWait` (nobody is waited for), `Relock` and `Unlock` (nothing is
 * locked over rounds).
 */
export function roundEvents(
  { block, blockId }: CommittedBlock,
  reads: Pick<BlockReads, 'commit' | 'validators'>,
): readonly BusEvent[] {
  const { height, proposerAddress } = block.header
  const commit = reads.commit(height)
  const validators = reads.validators(height)?.validators
  if (!commit || !validators) return [] // pruned already
  const { round } = commit
  const at = (step: string, more: { readonly [key: string]: Json } = {}) => ({
    height: String(height),
    round,
    step,
    ...more,
  })
  const state = (name: BusName, step: string) => busEvent(name, () => at(step), { type: 'RoundState' })
  const proposer = () => proposerJson(validators, proposerAddress)
  return [
    busEvent('NewRound', () => at('RoundStepNewRound', { proposer: proposer() })),
    state('NewRoundStep', 'RoundStepPropose'),
    busEvent('CompleteProposal', () => at('RoundStepPropose', { block_id: blockIdJson(blockId) })),
    state('NewRoundStep', 'RoundStepPrevote'),
    state('ValidBlock', 'RoundStepPrevote'),
    state('Polka', 'RoundStepPrevote'),
    state('Lock', 'RoundStepPrevote'),
    state('NewRoundStep', 'RoundStepPrecommit'),
    ...voteEvents(height, commit.round, blockId, commit.signatures),
    state('NewRoundStep', 'RoundStepCommit'),
  ]
}

/** The precommits that the commit has. */
function voteEvents(
  height: number,
  round: number,
  committed: BlockId,
  signatures: CommittedSignatures,
): readonly BusEvent[] {
  return signatures.flatMap(({ flag, validatorAddress, timestamp, signature }, validatorIndex) => {
    if (flag === blockIdFlags.absent) return []
    const blockId = flag === blockIdFlags.commit ? committed : emptyBlockId
    const none = new Uint8Array(0)
    const signed = { validatorAddress, validatorIndex, signature, extension: none, extensionSignature: none }
    const vote = { type: voteTypes.precommit, height, round, blockId, timestamp, ...signed }
    return [busEvent('Vote', () => ({ Vote: voteJson(vote) }))]
  })
}

type CommittedSignatures = NonNullable<ReturnType<BlockReads['commit']>>['signatures']

/** The step to the height that comes after a block. */
export function newHeightEvent({ block }: CommittedBlock): BusEvent {
  const height = String(block.header.height + 1)
  const value = () => ({ height, round: 0, step: 'RoundStepNewHeight' })
  return busEvent('NewRoundStep', value, { type: 'RoundState' })
}
