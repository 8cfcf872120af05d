import { type Bytes, base64ToBytes, bytesToBase64, bytesToHex, equalBytes, hexToBytes } from '@coin/base/bytes'
import { ed25519PublicKey, signEd25519 } from '@coin/wire/ed25519'
import { CanonicalVote } from '@coin/wire/gen/tendermint/types/canonical'
import { BinaryReader } from '@coin/wire/protobuf/reader'
import type { TimeNs } from '../application.js'
import { precommitSignBytes, type VoteFields } from '../comet/sign-bytes.js'
import { timestampToTime } from '../comet/time.js'
import { validatorAddress } from '../comet/validator-set.js'
import { engineErrors } from '../errors.js'

/** What was signed last: `priv_validator_state.json` of CometBFT. Steps: 1 propose, 2 prevote, 3 precommit. */
export interface SignState {
  readonly height: number
  readonly round: number
  readonly step: number
  readonly signature?: Bytes
  readonly signBytes?: Bytes
}

/** Where the last signature is remembered. `save` returns after the disk has it. */
export interface SignStatePort {
  load(): SignState | undefined
  save(state: SignState): void
}

export interface ValidatorSigner {
  readonly pubKey: Bytes
  readonly address: Bytes
  /**
   * Signs the vote that commits a block. When this height and round were signed before (a crash in between), gives that
   * signature and its time again if the vote was for the same block. Throws `doubleSign` otherwise.
   */
  signPrecommit(vote: VoteFields): { readonly signature: Bytes; readonly timestamp: TimeNs }
  /** First round of `height` that nothing was signed in: 0, unless a crash lost a block after its signature. */
  freeRound(height: number): number
}

const precommitStep = 3

/** `privateKey` is ed25519: the seed of 32 bytes, or Go's 64. */
export function createSigner(privateKey: Bytes, port: SignStatePort): ValidatorSigner {
  const pubKey = ed25519PublicKey(privateKey)
  let last: SignState = port.load() ?? { height: 0, round: 0, step: 0 }

  return {
    pubKey,
    address: validatorAddress('ed25519', pubKey),
    signPrecommit(vote) {
      const { height, round } = vote
      const behind =
        height < last.height ||
        (height === last.height && (round < last.round || (round === last.round && last.step > precommitStep)))
      if (behind)
        throw engineErrors.doubleSign(
          `height ${height} round ${round} is behind height ${last.height} round ${last.round}`,
        )
      if (height === last.height && round === last.round && last.step === precommitStep) return signedBefore(last, vote)
      const signBytes = precommitSignBytes(vote)
      const signature = signEd25519(privateKey, signBytes)
      const next = { height, round, step: precommitStep, signature, signBytes }
      port.save(next)
      last = next
      return { signature, timestamp: vote.timestamp }
    },
    freeRound: (height) => (height === last.height && last.step === precommitStep ? last.round + 1 : 0),
  }
}

function signedBefore(last: SignState, vote: VoteFields): { signature: Bytes; timestamp: TimeNs } {
  if (!last.signBytes || !last.signature)
    throw engineErrors.doubleSign(`height ${vote.height} round ${vote.round} was signed, but what is not recorded`)
  const signed = CanonicalVote.decode(new BinaryReader(last.signBytes).bytes())
  const timestamp = signed.timestamp ? timestampToTime(signed.timestamp) : vote.timestamp
  if (!equalBytes(precommitSignBytes({ ...vote, timestamp }), last.signBytes))
    throw engineErrors.doubleSign(`height ${vote.height} round ${vote.round} was signed for another block`)
  return { signature: last.signature, timestamp }
}

/** The text of `priv_validator_state.json`. */
export function formatSignState({ height, round, step, signature, signBytes }: SignState): string {
  const fields = {
    height: String(height),
    round,
    step,
    ...(signature && { signature: bytesToBase64(signature) }),
    ...(signBytes && { signbytes: bytesToHex(signBytes).toUpperCase() }),
  }
  return JSON.stringify(fields, undefined, 2)
}

/** Throws `badKeyFile`. */
export function parseSignState(text: string): SignState {
  try {
    const { height, round, step, signature, signbytes } = JSON.parse(text) as Record<string, unknown>
    const numbers = [Number(height), Number(round ?? 0), Number(step)] as const
    if (numbers.some((number) => !Number.isSafeInteger(number) || number < 0)) throw new RangeError('bad number')
    return {
      height: numbers[0],
      round: numbers[1],
      step: numbers[2],
      ...(typeof signature === 'string' && { signature: base64ToBytes(signature) }),
      ...(typeof signbytes === 'string' && { signBytes: hexToBytes(signbytes) }),
    }
  } catch (cause) {
    throw engineErrors.badKeyFile(`priv_validator_state: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** The twin without a file. */
export function memorySignState(initial?: SignState): SignStatePort {
  let kept = initial
  return {
    load: () => kept,
    save: (state) => {
      kept = state
    },
  }
}
