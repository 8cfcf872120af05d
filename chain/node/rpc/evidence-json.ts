import { type Bytes, base64ToBytes, emptyBytes, hexToBytes } from '@coin/base/bytes'
import type { TimeNs } from '@coin/engine/application'
import type {
  DuplicateVoteEvidence,
  Evidence,
  LightBlock,
  LightClientAttackEvidence,
  Vote,
} from '@coin/engine/comet/evidence'
import { parseTime } from '@coin/engine/comet/time'
import {
  type BlockId,
  type BlockIdFlag,
  type Commit,
  emptyBlockId,
  type Header,
  type Validator,
  zeroTime,
} from '@coin/engine/comet/types'
import { paramErrors } from './param-errors.js'

/**
 * Evidence in CometBFT's JSON: `{"type": "tendermint/DuplicateVoteEvidence", "value": {...}}`. What is left out is Go's zero value,
 * and fields that nobody knows are passed over, as there. Throws `badParams` with the path of what cannot be read; whether it makes
 * sense is for `checkEvidence`.
 */
export function readEvidence(value: unknown): Evidence {
  const root = field('evidence', value)
  const type = root.at('type')
  const inner = root.at('value')
  if (type.json === 'tendermint/DuplicateVoteEvidence') return readDuplicateVote(inner)
  if (type.json === 'tendermint/LightClientAttackEvidence') return readLightClientAttack(inner)
  throw type.bad('tendermint/DuplicateVoteEvidence or tendermint/LightClientAttackEvidence')
}

function readDuplicateVote(evidence: Field): DuplicateVoteEvidence {
  return {
    kind: 'duplicate_vote',
    voteA: readVote(evidence.need('vote_a')),
    voteB: readVote(evidence.need('vote_b')),
    totalPower: evidence.at('TotalVotingPower').int64(),
    validatorPower: evidence.at('ValidatorPower').int64(),
    timestamp: evidence.at('Timestamp').time(),
  }
}

function readVote(vote: Field): Vote {
  return {
    type: vote.at('type').int32(),
    height: vote.at('height').height(),
    round: vote.at('round').int32(),
    blockId: readBlockId(vote.at('block_id')),
    timestamp: vote.at('timestamp').time(),
    validatorAddress: vote.at('validator_address').hex(),
    validatorIndex: vote.at('validator_index').int32(),
    signature: vote.at('signature').base64(),
    extension: vote.at('extension').base64(),
    extensionSignature: vote.at('extension_signature').base64(),
  }
}

function readLightClientAttack(evidence: Field): LightClientAttackEvidence {
  return {
    kind: 'light_client_attack',
    conflictingBlock: readLightBlock(evidence.need('ConflictingBlock')),
    commonHeight: evidence.at('CommonHeight').height(),
    byzantineValidators: evidence.at('ByzantineValidators').list(readValidator),
    totalPower: evidence.at('TotalVotingPower').int64(),
    timestamp: evidence.at('Timestamp').time(),
  }
}

function readLightBlock(block: Field): LightBlock {
  const signed = block.need('signed_header')
  const set = block.need('validator_set')
  return {
    header: readHeader(signed.need('header')),
    commit: readCommit(signed.need('commit')),
    validators: set.at('validators').list(readValidator),
    proposer: readValidator(set.need('proposer')),
  }
}

function readHeader(header: Field): Header {
  const version = header.at('version')
  return {
    version: { block: version.at('block').int64(), app: version.at('app').int64() },
    chainId: header.at('chain_id').text(),
    height: header.at('height').height(),
    time: header.at('time').time(),
    lastBlockId: readBlockId(header.at('last_block_id')),
    lastCommitHash: header.at('last_commit_hash').hex(),
    dataHash: header.at('data_hash').hex(),
    validatorsHash: header.at('validators_hash').hex(),
    nextValidatorsHash: header.at('next_validators_hash').hex(),
    consensusHash: header.at('consensus_hash').hex(),
    appHash: header.at('app_hash').hex(),
    lastResultsHash: header.at('last_results_hash').hex(),
    evidenceHash: header.at('evidence_hash').hex(),
    proposerAddress: header.at('proposer_address').hex(),
  }
}

function readCommit(commit: Field): Commit {
  return {
    height: commit.at('height').height(),
    round: commit.at('round').int32(),
    blockId: readBlockId(commit.at('block_id')),
    signatures: commit.at('signatures').list((signature) => ({
      flag: signature.at('block_id_flag').int32() as BlockIdFlag,
      validatorAddress: signature.at('validator_address').hex(),
      timestamp: signature.at('timestamp').time(),
      signature: signature.at('signature').base64(),
    })),
  }
}

function readBlockId(id: Field): BlockId {
  if (id.isMissing) return emptyBlockId
  const parts = id.at('parts')
  return { hash: id.at('hash').hex(), parts: { total: parts.at('total').uint32(), hash: parts.at('hash').hex() } }
}

const keyTypes: Readonly<Record<string, { readonly keyType: Validator['keyType']; readonly length: number }>> = {
  'tendermint/PubKeyEd25519': { keyType: 'ed25519', length: 32 },
  'tendermint/PubKeySecp256k1': { keyType: 'secp256k1', length: 33 },
}

function readValidator(validator: Field): Validator {
  const key = validator.need('pub_key')
  const type = key.at('type')
  const known = Object.hasOwn(keyTypes, type.text()) ? keyTypes[type.text()] : undefined
  if (known === undefined) throw type.bad(Object.keys(keyTypes).join(' or '))
  const pubKey = key.at('value').base64()
  if (pubKey.length !== known.length) throw key.at('value').bad(`${known.length} bytes in base64`)
  return {
    address: validator.at('address').hex(),
    keyType: known.keyType,
    pubKey,
    power: validator.at('voting_power').int64(),
    proposerPriority: validator.at('proposer_priority').int64(),
  }
}

/** A value in a document, with its path for errors. Readers answer Go's zero value for what is left out. */
interface Field {
  readonly json: unknown
  readonly isMissing: boolean
  at(name: string): Field
  /** As `at`; throws when it is left out. */
  need(name: string): Field
  list<T>(read: (entry: Field) => T): readonly T[]
  text(): string
  /** A signed 64-bit integer, a string as Go writes it. */
  int64(): bigint
  int32(): number
  uint32(): number
  height(): number
  time(): TimeNs
  hex(): Bytes
  base64(): Bytes
  bad(expected: string): Error
}

const int64Max = 2n ** 63n - 1n
const listMax = 10_000

function field(path: string, json: unknown): Field {
  const isMissing = json === undefined || json === null
  const bad = (expected: string) => paramErrors.badParams(`${path} is ${described(json)}, expected ${expected}`)
  const at = (name: string): Field => {
    if (isMissing) return field(`${path}.${name}`, undefined)
    if (typeof json !== 'object' || Array.isArray(json)) throw bad('an object')
    return field(`${path}.${name}`, Object.hasOwn(json, name) ? (json as Record<string, unknown>)[name] : undefined)
  }
  const text = (): string => {
    if (isMissing) return ''
    if (typeof json !== 'string') throw bad('a string')
    return json
  }
  const int64 = (): bigint => {
    if (isMissing) return 0n
    const digits = typeof json === 'number' && Number.isSafeInteger(json) ? String(json) : json
    if (typeof digits !== 'string' || !/^-?\d{1,19}$/.test(digits)) throw bad('a 64-bit integer as a string')
    const value = BigInt(digits)
    if (value > int64Max || value < -int64Max - 1n) throw bad('a 64-bit integer as a string')
    return value
  }
  const integer = (min: number, max: number): number => {
    const value = Number(int64())
    if (value < min || value > max) throw bad(`an integer from ${min} to ${max}`)
    return value
  }
  const bytes = (read: (digits: string) => Bytes, pattern: RegExp, expected: string): Bytes => {
    if (isMissing || json === '') return emptyBytes
    if (typeof json !== 'string' || !pattern.test(json)) throw bad(expected)
    return read(json)
  }
  return {
    json,
    isMissing,
    at,
    need(name) {
      const found = at(name)
      if (found.isMissing) throw found.bad('a value')
      return found
    },
    list(read) {
      if (isMissing) return []
      if (!Array.isArray(json) || json.length > listMax) throw bad(`a list of at most ${listMax}`)
      return json.map((entry, index) => read(field(`${path}[${index}]`, entry)))
    },
    text,
    int64,
    int32: () => integer(-(2 ** 31), 2 ** 31 - 1),
    uint32: () => integer(0, 2 ** 32 - 1),
    height: () => integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    time() {
      if (isMissing) return zeroTime
      try {
        return parseTime(text())
      } catch {
        throw bad('a time as 2026-01-02T03:04:05.678Z')
      }
    },
    hex: () => bytes(hexToBytes, /^([0-9a-fA-F]{2})*$/, 'hexadecimal digits'),
    base64: () => bytes(base64ToBytes, /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'base64'),
    bad,
  }
}

/** Not printed whole: a value may be long, or nest deeper than the stack. */
function described(json: unknown): string {
  if (json === undefined) return 'missing'
  if (typeof json === 'object' && json !== null) return Array.isArray(json) ? 'an array' : 'an object'
  return JSON.stringify(json).slice(0, 80)
}
