import { signEd25519 } from '@coin/wire/ed25519'
import { type DuplicateVoteEvidence, type Vote, voteTypes } from '../comet/evidence.js'
import { voteSignBytes } from '../comet/sign-bytes.js'
import type { EmbeddedEngine } from '../embedded/engine.js'

/** Evidence that the engine's validator, of this key, has signed two blocks of a height. `seed` makes another one. */
export function doubleVote(
  engine: EmbeddedEngine,
  privateKey: Uint8Array,
  height: number,
  seed = 1,
): DuplicateVoteEvidence {
  const { time, chainId } = engine.blocks.meta(height)!.header
  const { validators } = engine.blocks.validators(height)!
  const none = new Uint8Array(0)
  const vote = (name: number): Vote => {
    const hash = new Uint8Array(32).fill(name)
    const fields = { height, round: 0, blockId: { hash, parts: { total: 1, hash } }, timestamp: time }
    return {
      type: voteTypes.precommit,
      ...fields,
      validatorAddress: engine.validator.address,
      validatorIndex: 0,
      signature: signEd25519(privateKey, voteSignBytes(voteTypes.precommit, { chainId, ...fields })),
      extension: none,
      extensionSignature: none,
    }
  }
  const { power } = validators[0]!
  const powers = { totalPower: power, validatorPower: power }
  return { kind: 'duplicate_vote', voteA: vote(seed), voteB: vote(seed + 1), ...powers, timestamp: time }
}
