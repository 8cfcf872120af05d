import { type Bytes, equalBytes } from '@coin/base/bytes'
import { formatTime } from '@coin/engine/comet/time'
import { blockIdFlags, type Commit, type CommitSig, type Validator, type ValidatorSet } from '@coin/engine/comet/types'
import { totalPower } from '@coin/engine/comet/validator-set'
import type { RoundState } from '@coin/engine/embedded/round-state'
import { hex, type Json, validatorJson } from './comet-json.js'

/** Number of the step between two blocks (consensus/types/round_state.go). */
const stepNewHeight = 1
/** Round of a lock, of a valid block and of a commit when there is none. */
const noRound = -1

/** `round_state` of `dump_consensus_state`. */
export function roundStateJson(state: RoundState): Json {
  const { height, validators, lastValidators, lastCommit } = state
  return {
    height: String(height),
    round: 0,
    step: stepNewHeight,
    start_time: formatTime(state.startTime),
    commit_time: formatTime(state.commitTime),
    validators: validatorSetJson(validators),
    proposal: null,
    proposal_block: null,
    proposal_block_parts: null,
    locked_round: noRound,
    locked_block: null,
    locked_block_parts: null,
    valid_round: noRound,
    valid_block: null,
    valid_block_parts: null,
    votes: noVotesJson(validators),
    commit_round: noRound,
    last_commit: lastCommit && lastValidators ? lastCommitJson(lastCommit, lastValidators.validators) : null,
    last_validators: lastValidators ? validatorSetJson(lastValidators) : { validators: null, proposer: null },
    triggered_timeout_precommit: false,
  }
}

/** `round_state` of `consensus_state`. */
export function shortRoundStateJson({ height, startTime, validators }: RoundState): Json {
  return {
    'height/round/step': `${height}/0/${stepNewHeight}`,
    start_time: formatTime(startTime),
    proposal_block_hash: '',
    locked_block_hash: '',
    valid_block_hash: '',
    height_vote_set: noVotesJson(validators),
    proposer: proposerJson(validators.validators, validators.proposer),
  }
}

/** Who proposes, with its place in the set. */
export function proposerJson(validators: readonly Validator[], proposer: Bytes): Json {
  return { address: hex(proposer), index: validators.findIndex(({ address }) => equalBytes(address, proposer)) }
}

function validatorSetJson({ validators, proposer }: ValidatorSet): Json {
  const found = validators.find(({ address }) => equalBytes(address, proposer))
  return { validators: validators.map(validatorJson), proposer: found ? validatorJson(found) : null }
}

/** Nobody has voted for the height to come. */
function noVotesJson({ validators }: ValidatorSet): Json {
  const votes = validators.map(() => 'nil-Vote')
  const bits = bitsText(validators.map(() => false))
  const summary = `${bits} ${sumText(0n, totalPower(validators))}`
  return [{ round: 0, prevotes: votes, prevotes_bit_array: summary, precommits: votes, precommits_bit_array: summary }]
}

function lastCommitJson(commit: Commit, validators: readonly Validator[]): Json {
  const voted = commit.signatures.map(({ flag }) => flag !== blockIdFlags.absent)
  const power = totalPower(validators.filter((_, index) => voted[index]))
  return {
    votes: commit.signatures.map((sig, index) => voteText(commit, sig, index)),
    votes_bit_array: `${bitsText(voted)} ${sumText(power, totalPower(validators))}`,
    peer_maj_23s: {},
  }
}

/** A vote as Go prints it: index, address, height, round, type, block, signature, extension, time. */
function voteText({ height, round, blockId }: Commit, sig: CommitSig, index: number): string {
  if (sig.flag === blockIdFlags.absent) return 'nil-Vote'
  const block = sig.flag === blockIdFlags.commit ? blockId.hash : new Uint8Array(0)
  const type = 'SIGNED_MSG_TYPE_PRECOMMIT(Precommit)'
  const parts = [fingerprint(block), fingerprint(sig.signature), fingerprint(new Uint8Array(0))].join(' ')
  const turn = `${height}/${String(round).padStart(2, '0')}/${type}`
  return `Vote{${index}:${fingerprint(sig.validatorAddress)} ${turn} ${parts} @ ${formatTime(sig.timestamp)}}`
}

/** The first six bytes, filled up with zeros. */
function fingerprint(bytes: Bytes): string {
  const start = new Uint8Array(6)
  start.set(bytes.subarray(0, 6))
  return hex(start)
}

function bitsText(bits: readonly boolean[]): string {
  return `BA{${bits.length}:${bits.map((bit) => (bit ? 'x' : '_')).join('')}}`
}

function sumText(power: bigint, total: bigint): string {
  return `${power}/${total} = ${(Number(power) / Number(total)).toFixed(2)}`
}
