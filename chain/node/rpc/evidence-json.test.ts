import { hexToBytes } from '@coin/base/bytes'
import { decodeBlock, encodeBlock } from '@coin/engine/comet/block-codec'
import { decodeEvidence } from '@coin/engine/comet/evidence-codec'
import { commitOf, headerOf, readVectors } from '@coin/engine/testing/comet-vectors'
import { describe, expect, it } from 'vitest'
import { blockJson, evidenceJson, toJsonText } from './comet-json.js'
import { readEvidence } from './evidence-json.js'

/** Recorded from CometBFT v0.38.17 by tests/reference/evidence. */
const { cases, block } = readVectors<{
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  readonly cases: readonly { readonly name: string; readonly evidence: any; readonly proto: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
  readonly block: { readonly json: any }
}>('evidence.json')

describe('evidence as JSON', () => {
  it.each(cases)('"$name" is read and printed as CometBFT does', ({ evidence, proto }) => {
    const expected = decodeEvidence(hexToBytes(proto))
    expect(readEvidence(evidence)).toEqual(expected)
    expect(toJsonText(evidenceJson(expected))).toBe(JSON.stringify(evidence))
  })

  it('is part of its block', () => {
    const list = block.json.evidence.evidence.map(readEvidence)
    const header = headerOf(block.json.header)
    const whole = { header, txs: [], evidence: list, lastCommit: commitOf(block.json.last_commit) }
    expect(toJsonText((blockJson(decodeBlock(encodeBlock(whole))) as { evidence: object }).evidence as never)).toBe(
      JSON.stringify(block.json.evidence),
    )
  })

  it('takes what is left out as Go does, and fields that nobody knows', () => {
    const votes = { vote_a: { type: 1, later: [{}] }, vote_b: {} }
    const evidence = readEvidence({
      type: 'tendermint/DuplicateVoteEvidence',
      value: { ...votes, ValidatorPower: null },
    })
    expect(evidence).toMatchObject({ kind: 'duplicate_vote', totalPower: 0n, validatorPower: 0n })
    expect(evidence.timestamp).toBe(-62_135_596_800_000_000_000n)
  })

  it.each([
    [null, 'evidence.type is missing, expected tendermint/DuplicateVoteEvidence or'],
    [5, 'evidence is 5, expected an object'],
    [{ type: 'tendermint/Other' }, 'evidence.type is "tendermint/Other", expected'],
    [{ type: 'tendermint/DuplicateVoteEvidence', value: {} }, 'evidence.value.vote_a is missing, expected a value'],
    [change('vote_a', 'height', '1e30'), 'evidence.value.vote_a.height is "1e30", expected a 64-bit integer'],
    [change('vote_a', 'height', '9223372036854775808'), 'expected a 64-bit integer as a string'],
    [change('vote_a', 'height', '9007199254740993'), 'evidence.value.vote_a.height is "9007199254740993", expected an'],
    [change('vote_a', 'round', 2 ** 31), 'expected an integer from -2147483648 to 2147483647'],
    [change('vote_b', 'signature', 'x'), 'evidence.value.vote_b.signature is "x", expected base64'],
    [change('vote_b', 'validator_address', 'xy'), 'vote_b.validator_address is "xy", expected hexadecimal digits'],
    [change('vote_b', 'timestamp', 'today'), 'vote_b.timestamp is "today", expected a time as'],
    [change('vote_b', 'block_id', []), 'evidence.value.vote_b.block_id is an array, expected an object'],
  ])('that cannot be read is refused: %j', (value, message) => {
    expect(() => readEvidence(value)).toThrow(message)
  })

  it('with keys of another kind is refused', () => {
    const attack = structuredClone(cases.find(({ name }) => name === 'lunatic')!.evidence)
    const key = attack.value.ConflictingBlock.validator_set.validators[0].pub_key
    key.type = 'constructor'
    expect(() => readEvidence(attack)).toThrow(
      'validators[0].pub_key.type is "constructor", expected tendermint/PubKey',
    )
    key.type = 'tendermint/PubKeySecp256k1'
    expect(() => readEvidence(attack)).toThrow(
      'pub_key.value is "k/vOcxZFCnTop/Et+zITEJbMBvTwi2PL9kkxeyGGnbg=", expected 33',
    )
  })
})

/** The first case with one field of a vote changed. */
function change(vote: 'vote_a' | 'vote_b', field: string, value: unknown): unknown {
  const evidence = structuredClone(cases[0]!.evidence)
  evidence.value[vote][field] = value
  return evidence
}
