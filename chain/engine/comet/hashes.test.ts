import { bytesToHex, hexToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { describe, expect, it } from 'vitest'
import type { ValidatorUpdate } from '../application.js'
import { defaultConsensusParams } from '../genesis.js'
import {
  type CommitJson,
  commitOf,
  type HeaderJson,
  headerOf,
  readVectors,
  vectorTx,
} from '../testing/comet-vectors.js'
import { decodeBlock, encodeBlock } from './block-codec.js'
import { decodeBlockMeta, encodeBlockMeta, encodeCommit } from './codec.js'
import { evidenceListHash } from './evidence-codec.js'
import { commitHash, consensusParamsHash, dataHash, headerHash, resultsHash, txHash, validatorsHash } from './hashes.js'
import { dataBytesMax, txDataBytes } from './limits.js'
import { partSetHeader } from './part-set.js'
import { decodeTxResult, encodeTxResult } from './result-codec.js'
import { precommitSignBytes } from './sign-bytes.js'
import { blockIdFlags, emptyBlockId, type ValidatorSet } from './types.js'
import { advanceProposer, createValidatorSet, updateValidators } from './validator-set.js'

interface ValidatorJson {
  readonly address: string
  readonly type: ValidatorUpdate['keyType']
  readonly pub_key: string
  readonly power: string
  readonly priority: string
}

interface Step {
  readonly changes?: readonly {
    readonly type: ValidatorUpdate['keyType']
    readonly pub_key: string
    readonly power: string
  }[]
  readonly validators: readonly ValidatorJson[]
  readonly hash: string
  readonly proposer: string
}

interface Vectors {
  readonly headers: readonly { readonly header: HeaderJson; readonly hash: string }[]
  readonly commits: readonly {
    readonly commit: CommitJson
    readonly hash: string
    readonly sign_bytes: readonly string[]
    readonly proto_sha256: string
  }[]
  readonly blocks: readonly {
    readonly header: HeaderJson
    readonly tx_sizes: readonly number[]
    readonly last_commit: CommitJson
    readonly hash: string
    readonly parts_total: number
    readonly parts_hash: string
    readonly size: number
  }[]
  readonly validators: readonly { readonly steps: readonly Step[] }[]
  readonly params: readonly { readonly max_bytes: string; readonly max_gas: string; readonly hash: string }[]
  readonly results: readonly { readonly results: readonly { readonly proto: string }[]; readonly hash: string }[]
  readonly max_data_bytes: readonly { readonly max_bytes: number; readonly validators: number; readonly data: number }[]
  readonly tx_proto_size: readonly { readonly sizes: readonly number[]; readonly size: number }[]
}

const vectors = readVectors<Vectors>('hashes.json')
const hex = bytesToHex

describe('hashes are those of CometBFT v0.38.17', () => {
  it('of headers, empty fields and odd times included', () => {
    expect(vectors.headers.length).toBeGreaterThan(10)
    for (const { header, hash } of vectors.headers) expect(hex(headerHash(headerOf(header)))).toBe(hash)
  })

  it('of commits with absent and nil votes, and the bytes that each vote signs', () => {
    for (const vector of vectors.commits) {
      const commit = commitOf(vector.commit)
      expect(hex(commitHash(commit))).toBe(vector.hash)
      expect(hex(sha256(encodeCommit(commit)))).toBe(vector.proto_sha256)
      commit.signatures.forEach(({ flag, timestamp }, i) => {
        if (flag === blockIdFlags.absent) return
        const blockId = flag === blockIdFlags.nil ? emptyBlockId : commit.blockId
        const vote = { chainId: 'coin-1', height: commit.height, round: commit.round, blockId, timestamp }
        expect(hex(precommitSignBytes(vote))).toBe(vector.sign_bytes[i])
      })
    }
  })

  it('of blocks of one and of several parts', () => {
    expect(vectors.blocks.map((block) => block.parts_total)).toContain(5)
    for (const vector of vectors.blocks) {
      const txs = vector.tx_sizes.map((length, i) => vectorTx(i, length))
      const lastCommit = commitOf(vector.last_commit)
      const header = headerOf(vector.header)
      expect(hex(header.dataHash)).toBe(hex(dataHash(txs.map(txHash))))
      expect(hex(header.lastCommitHash)).toBe(hex(commitHash(lastCommit)))
      expect(hex(header.evidenceHash)).toBe(hex(evidenceListHash([])))
      expect(hex(headerHash(header))).toBe(vector.hash)
      const block = { header, txs, evidence: [], lastCommit }
      const encoded = encodeBlock(block)
      expect(encoded.length).toBe(vector.size)
      const parts = partSetHeader(encoded)
      expect([parts.total, hex(parts.hash)]).toEqual([vector.parts_total, vector.parts_hash])
      expect(decodeBlock(encoded).header).toEqual(header)
      expect(hex(sha256(encodeBlock(decodeBlock(encoded))))).toBe(hex(sha256(encoded)))
      const meta = {
        blockId: { hash: headerHash(header), parts },
        blockSize: encoded.length,
        header,
        txCount: txs.length,
      }
      expect(decodeBlockMeta(encodeBlockMeta(meta))).toEqual(meta)
    }
  })

  it('of validator sets through updates and removals, with priorities and proposers', () => {
    for (const { steps } of vectors.validators) {
      const [first, ...later] = steps
      let set = createValidatorSet(first!.validators.map((json) => updateOf(json)))
      expectSet(set, first!)
      for (const step of later) {
        set = advanceProposer(
          updateValidators(
            set,
            (step.changes ?? []).map((json) => updateOf(json)),
          ),
        )
        expectSet(set, step)
      }
    }
  })

  it('of consensus parameters', () => {
    for (const { max_bytes, max_gas, hash } of vectors.params) {
      const block = { maxBytes: BigInt(max_bytes), maxGas: BigInt(max_gas) }
      expect(hex(consensusParamsHash({ ...defaultConsensusParams, block }))).toBe(hash)
    }
  })

  it('of results, whose encoding is stored byte for byte', () => {
    for (const { results, hash } of vectors.results) {
      const decoded = results.map(({ proto }) => decodeTxResult(hexToBytes(proto)))
      expect(hex(resultsHash(decoded))).toBe(hash)
      expect(decoded.map((result) => hex(encodeTxResult(result)))).toEqual(results.map(({ proto }) => proto))
    }
  })

  it('leave the same room for transactions', () => {
    for (const { max_bytes, validators, data } of vectors.max_data_bytes)
      expect(dataBytesMax(BigInt(max_bytes), validators, 0)).toBe(data)
    for (const { sizes, size } of vectors.tx_proto_size)
      expect(sizes.reduce((sum, length) => sum + txDataBytes(length), 0)).toBe(size)
  })
})

describe('validator updates', () => {
  const [first] = vectors.validators[2]!.steps
  const set = createValidatorSet(first!.validators.map((json) => updateOf(json)))
  const stranger = { keyType: 'ed25519', pubKey: new Uint8Array(32).fill(9), power: 0n } as const

  it('are refused when they remove a stranger, come twice, are negative or leave nobody', () => {
    const everyone = first!.validators.map((json) => ({ ...updateOf(json), power: 0n }))
    expect(() => updateValidators(set, [stranger])).toThrow('is to be removed but not in the set')
    expect(() =>
      updateValidators(set, [
        { ...stranger, power: 1n },
        { ...stranger, power: 2n },
      ]),
    ).toThrow('comes twice')
    expect(() => updateValidators(set, [{ ...stranger, power: -1n }])).toThrow('has power -1')
    expect(() => updateValidators(set, everyone)).toThrow('would leave no validator')
    expect(() => updateValidators(set, [{ ...stranger, power: 2n ** 62n }])).toThrow('is over')
    expect(() => createValidatorSet([stranger])).toThrow('has power 0')
  })
})

function updateOf(json: { type: ValidatorUpdate['keyType']; pub_key: string; power: string }): ValidatorUpdate {
  return { keyType: json.type, pubKey: hexToBytes(json.pub_key), power: BigInt(json.power) }
}

function expectSet(set: ValidatorSet, step: Step): void {
  const listed = set.validators.map((validator) => ({
    address: hex(validator.address),
    type: validator.keyType,
    pub_key: hex(validator.pubKey),
    power: String(validator.power),
    priority: String(validator.proposerPriority),
  }))
  expect(listed).toEqual(step.validators)
  expect(hex(validatorsHash(set.validators))).toBe(step.hash)
  expect(hex(set.proposer)).toBe(step.proposer)
}
