import { bytesToHex, hexToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import {
  type BlockIdJson,
  blockIdOf,
  type CommitJson,
  commitOf,
  type HeaderJson,
  headerOf,
  readVectors,
} from '../testing/comet-vectors.js'
import { decodeBlock, encodeBlock } from './block-codec.js'
import { checkEvidence } from './check-evidence.js'
import { type Evidence, evidenceHeight, misbehaviorOf } from './evidence.js'
import {
  decodeEvidence,
  decodeEvidenceList,
  encodeEvidence,
  encodeEvidenceList,
  evidenceHash,
  evidenceListHash,
} from './evidence-codec.js'
import { headerHash } from './hashes.js'
import { dataBytesMax, txDataBytes } from './limits.js'
import { partSetHeader } from './part-set.js'
import type { Validator } from './types.js'
import { type SignedHeader, verifyDuplicateVote, verifyLightClientAttack } from './verify-evidence.js'

interface SignedHeaderJson {
  readonly header: HeaderJson
  readonly commit: CommitJson
}

/** Recorded from CometBFT v0.38.17 by tests/reference/evidence. */
const vectors = readVectors<{
  readonly chain_id: string
  readonly trusted: SignedHeaderJson
  readonly last: SignedHeaderJson
  readonly cases: readonly { name: string; proto: string; hash: string; basic: string; verify: string }[]
  readonly block: {
    readonly json: { readonly header: HeaderJson; readonly last_commit: CommitJson }
    readonly hash: string
    readonly evidence_hash: string
    readonly size: number
    readonly parts: BlockIdJson['parts']
    readonly misbehavior: readonly { type: number; validator: { power: number }; height: number }[]
    readonly max_data: number
  }
}>('evidence.json')

const signedOf = ({ header, commit }: SignedHeaderJson): SignedHeader => ({
  header: headerOf(header),
  commit: commitOf(commit),
})
const [trusted, last] = [signedOf(vectors.trusted), signedOf(vectors.last)]
const evidenceOf = (name: string): Evidence =>
  decodeEvidence(hexToBytes(vectors.cases.find((entry) => entry.name === name)!.proto))
const validators: readonly Validator[] = (() => {
  const evidence = evidenceOf('lunatic')
  if (evidence.kind !== 'light_client_attack') throw new RangeError('not an attack')
  return evidence.conflictingBlock.validators
})()

/** As the pool does, with the chain of the vectors. */
function verify(evidence: Evidence): void {
  if (evidence.kind === 'duplicate_vote') verifyDuplicateVote(evidence, vectors.chain_id, validators)
  else {
    const isFuture = evidence.conflictingBlock.header.height > last.header.height
    verifyLightClientAttack(evidence, validators, isFuture ? last : trusted)
  }
}

const accepted = vectors.cases.filter(({ basic, verify: said }) => basic === '' && said === '')

describe('evidence', () => {
  it.each(vectors.cases)('"$name" has the bytes and the hash of CometBFT', ({ proto, hash }) => {
    const evidence = decodeEvidence(hexToBytes(proto))
    expect(bytesToHex(encodeEvidence(evidence))).toBe(proto)
    expect(bytesToHex(evidenceHash(evidence))).toBe(hash)
  })

  it.each(vectors.cases)(
    '"$name" is taken or refused as CometBFT does ($basic$verify)',
    ({ proto, basic, verify: said }) => {
      const evidence = decodeEvidence(hexToBytes(proto))
      if (basic !== '') return expect(() => checkEvidence(evidence)).toThrow('invalid evidence')
      checkEvidence(evidence)
      if (said !== '') return expect(() => verify(evidence)).toThrow('invalid evidence')
      verify(evidence)
    },
  )

  it('is refused with what is wrong, and what was expected', () => {
    const reason = (name: string) => {
      const evidence = evidenceOf(name)
      try {
        checkEvidence(evidence)
        verify(evidence)
      } catch (error) {
        return (error as Error).message
      }
      return 'taken'
    }
    expect(reason('votes in the wrong order')).toContain('vote_a must have the smaller block id')
    expect(reason('an unknown type of vote')).toContain('type 32, expected 1 (prevote) or 2 (precommit)')
    expect(reason('a wrong power')).toContain('validator power is 21, at height 10 it was 20')
    expect(reason('a wrong signature')).toContain('verifying VoteB: invalid signature')
    expect(reason('not enough signed')).toContain('insufficient voting power: got 50, needed more than 66')
    expect(reason('a wrong signature in the commit')).toContain('wrong signature (#2)')
    expect(reason('a byzantine validator is missing')).toContain(
      'expected 3 byzantine validators from evidence but got 2',
    )
  })

  it('of somebody who was no validator is refused', () => {
    const evidence = evidenceOf('two precommits')
    if (evidence.kind !== 'duplicate_vote') throw new RangeError('not a duplicate vote')
    const others = validators.slice(0, 2)
    expect(() => verifyDuplicateVote(evidence, vectors.chain_id, others)).toThrow('was not a validator at height 10')
    expect(() => verifyDuplicateVote(evidence, 'another chain', validators)).toThrow('verifying VoteA')
  })
})

describe('a block with evidence', () => {
  const list = accepted.map(({ proto }) => decodeEvidence(hexToBytes(proto)))
  const block = {
    header: headerOf(vectors.block.json.header),
    txs: [new TextEncoder().encode('tx')],
    evidence: list,
    lastCommit: commitOf(vectors.block.json.last_commit),
  }

  it('has the hashes, parts and size of CometBFT', () => {
    expect(bytesToHex(evidenceListHash(list))).toBe(vectors.block.evidence_hash)
    expect(bytesToHex(block.header.evidenceHash)).toBe(vectors.block.evidence_hash)
    expect(bytesToHex(headerHash(block.header))).toBe(vectors.block.hash)
    const encoded = encodeBlock(block)
    expect(encoded).toHaveLength(vectors.block.size)
    expect(partSetHeader(encoded)).toEqual(blockIdOf({ hash: '', parts: vectors.block.parts }).parts)
    expect(decodeBlock(encoded)).toEqual(block)
    expect(decodeEvidenceList(encodeEvidenceList(list))).toEqual(list)
  })

  it('leaves as much room for transactions as CometBFT does', () => {
    const bytes = list.reduce((sum, evidence) => sum + txDataBytes(encodeEvidence(evidence).length), 0)
    expect(dataBytesMax(1_000_000n, 4, bytes)).toBe(vectors.block.max_data)
  })

  it('tells the application who has misbehaved, with what power', () => {
    const told = list.flatMap(misbehaviorOf).map(({ kind, power, height, totalPower }) => ({
      type: kind === 'duplicate_vote' ? 1 : 2,
      power: Number(power),
      height,
      total: Number(totalPower),
    }))
    const expected = vectors.block.misbehavior.map(({ type, validator, height }) => ({
      type,
      power: validator.power,
      height,
      total: 100,
    }))
    expect(told).toEqual(expected)
    expect(list.map(evidenceHeight)).toEqual([10, 10, 10, 8, 10, 8])
  })
})
