import { type Bytes, bytesToHex } from '@coin/base/bytes'
import type {
  ConsensusParams,
  Event,
  FinalizeBlockResult,
  QueryResult,
  TxResult,
  ValidatorUpdate,
} from '@coin/engine/application'
import type { Evidence, Vote } from '@coin/engine/comet/evidence'
import { formatTime } from '@coin/engine/comet/time'
import type { Block, BlockId, BlockMeta, Commit, Header, Validator } from '@coin/engine/comet/types'
import { validatorAddress } from '@coin/engine/comet/validator-set'
import type { Genesis } from '@coin/engine/genesis'
import type { MerkleProof } from '@coin/store/simple-merkle'

/**
 * Values as CometBFT v0.38 prints them: 64-bit integers as strings, hashes and addresses in upper-case hex, other bytes in
 * base64, times as RFC3339Nano, keys in the order of the Go structs. Where Go leaves zero values out, so do these.
 */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

/** JSON text with the characters escaped that Go's encoder escapes, so that answers are equal byte for byte. */
export function toJsonText(value: Json): string {
  return escapeJson(JSON.stringify(value))
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** For text that is JSON already. */
export function escapeJson(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (character) => escapes[character]!)
}

export function hex(bytes: Bytes): string {
  return bytesToHex(bytes).toUpperCase()
}

export function base64(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

const base64OrNull = (bytes: Bytes): Json => (bytes.length === 0 ? null : base64(bytes))

export function blockIdJson({ hash, parts }: BlockId): Json {
  return { hash: hex(hash), parts: { total: parts.total, hash: hex(parts.hash) } }
}

export function headerJson(header: Header): Json {
  const { block, app } = header.version
  return {
    version: { block: String(block), ...(app !== 0n && { app: String(app) }) },
    chain_id: header.chainId,
    height: String(header.height),
    time: formatTime(header.time),
    last_block_id: blockIdJson(header.lastBlockId),
    last_commit_hash: hex(header.lastCommitHash),
    data_hash: hex(header.dataHash),
    validators_hash: hex(header.validatorsHash),
    next_validators_hash: hex(header.nextValidatorsHash),
    consensus_hash: hex(header.consensusHash),
    app_hash: hex(header.appHash),
    last_results_hash: hex(header.lastResultsHash),
    evidence_hash: hex(header.evidenceHash),
    proposer_address: hex(header.proposerAddress),
  }
}

export function commitJson(commit: Commit): Json {
  return {
    height: String(commit.height),
    round: commit.round,
    block_id: blockIdJson(commit.blockId),
    signatures: commit.signatures.map((sig) => ({
      block_id_flag: sig.flag,
      validator_address: hex(sig.validatorAddress),
      timestamp: formatTime(sig.timestamp),
      signature: base64OrNull(sig.signature),
    })),
  }
}

export function blockJson(block: Block): Json {
  return {
    header: headerJson(block.header),
    data: { txs: block.txs.map(base64) },
    evidence: { evidence: block.evidence.map(evidenceJson) },
    last_commit: commitJson(block.lastCommit),
  }
}

/** A vote on its own, as events and evidence carry it. */
export function voteJson(vote: Vote): Json {
  return {
    type: vote.type,
    height: String(vote.height),
    round: vote.round,
    block_id: blockIdJson(vote.blockId),
    timestamp: formatTime(vote.timestamp),
    validator_address: hex(vote.validatorAddress),
    validator_index: vote.validatorIndex,
    signature: base64OrNull(vote.signature),
    extension: base64OrNull(vote.extension),
    extension_signature: base64OrNull(vote.extensionSignature),
  }
}

export function evidenceJson(evidence: Evidence): Json {
  const common = { TotalVotingPower: String(evidence.totalPower) }
  const time = { Timestamp: formatTime(evidence.timestamp) }
  if (evidence.kind === 'duplicate_vote') {
    const votes = { vote_a: voteJson(evidence.voteA), vote_b: voteJson(evidence.voteB) }
    const value = { ...votes, ...common, ValidatorPower: String(evidence.validatorPower), ...time }
    return { type: 'tendermint/DuplicateVoteEvidence', value }
  }
  const { header, commit, validators, proposer } = evidence.conflictingBlock
  const block = {
    signed_header: { header: headerJson(header), commit: commitJson(commit) },
    validator_set: { validators: validators.map(validatorJson), proposer: validatorJson(proposer) },
  }
  const value = {
    ConflictingBlock: block,
    CommonHeight: String(evidence.commonHeight),
    ByzantineValidators: listOrNull(evidence.byzantineValidators.map(validatorJson)),
    ...common,
    ...time,
  }
  return { type: 'tendermint/LightClientAttackEvidence', value }
}

export function blockMetaJson(meta: BlockMeta): Json {
  return {
    block_id: blockIdJson(meta.blockId),
    block_size: String(meta.blockSize),
    header: headerJson(meta.header),
    num_txs: String(meta.txCount),
  }
}

/** Events of a transaction: everything is written. */
function eventJson({ type, attributes }: Event): Json {
  return { type, attributes: attributes.map(({ key, value, index }) => ({ key, value, index })) }
}

/** Events of a block: what is empty is left out. */
function blockEventJson({ type, attributes }: Event): Json {
  return {
    ...(type !== '' && { type }),
    ...(attributes.length > 0 && { attributes: attributes.map(({ key, value, index }) => ({ key, value, index })) }),
  }
}

export function txResultJson(result: TxResult): Json {
  return {
    code: result.code,
    data: base64OrNull(result.data),
    log: result.log,
    info: result.info,
    gas_wanted: String(result.gasWanted),
    gas_used: String(result.gasUsed),
    events: result.events.map(eventJson),
    codespace: result.codespace,
  }
}

/** The form in `Tx` events of subscriptions, where zero values are left out. */
export function shortTxResultJson(result: TxResult): Json {
  return {
    ...(result.code !== 0 && { code: result.code }),
    ...(result.data.length > 0 && { data: base64(result.data) }),
    ...(result.log !== '' && { log: result.log }),
    ...(result.info !== '' && { info: result.info }),
    ...(result.gasWanted !== 0 && { gas_wanted: String(result.gasWanted) }),
    ...(result.gasUsed !== 0 && { gas_used: String(result.gasUsed) }),
    ...(result.events.length > 0 && { events: result.events.map(blockEventJson) }),
    ...(result.codespace !== '' && { codespace: result.codespace }),
  }
}

function validatorUpdateJson({ keyType, pubKey, power }: ValidatorUpdate): Json {
  const [name, field] = keyType === 'ed25519' ? ['Ed25519', 'ed25519'] : ['Secp256K1', 'secp256k1']
  return {
    pub_key: { Sum: { type: `tendermint.crypto.PublicKey_${name}`, value: { [field!]: base64(pubKey) } } },
    ...(power !== 0n && { power: String(power) }),
  }
}

/** Parameters as an answer of the application: zero values are left out. */
function paramUpdatesJson({ block, evidence, validator, version, abci }: ConsensusParams): Json {
  const some = (name: string, value: bigint) => (value === 0n ? {} : { [name]: String(value) })
  return {
    block: { ...some('max_bytes', block.maxBytes), ...some('max_gas', block.maxGas) },
    evidence: {
      ...some('max_age_num_blocks', evidence.maxAgeNumBlocks),
      max_age_duration: String(evidence.maxAgeDurationNs),
      ...some('max_bytes', evidence.maxBytes),
    },
    validator: { ...(validator.pubKeyTypes.length > 0 && { pub_key_types: [...validator.pubKeyTypes] }) },
    version: some('app', version.app),
    abci: some('vote_extensions_enable_height', abci.voteExtensionsEnableHeight),
  }
}

export function consensusParamsJson({ block, evidence, validator, version, abci }: ConsensusParams): Json {
  return {
    block: { max_bytes: String(block.maxBytes), max_gas: String(block.maxGas) },
    evidence: {
      max_age_num_blocks: String(evidence.maxAgeNumBlocks),
      max_age_duration: String(evidence.maxAgeDurationNs),
      max_bytes: String(evidence.maxBytes),
    },
    validator: { pub_key_types: [...validator.pubKeyTypes] },
    version: { app: String(version.app) },
    abci: { vote_extensions_enable_height: String(abci.voteExtensionsEnableHeight) },
  }
}

const listOrNull = (list: readonly Json[]): Json => (list.length === 0 ? null : list)

export function blockResultsJson(height: number, results: FinalizeBlockResult): Json {
  const { consensusParamUpdates: params } = results
  return {
    height: String(height),
    txs_results: listOrNull(results.txResults.map(txResultJson)),
    finalize_block_events: listOrNull(results.events.map(blockEventJson)),
    validator_updates: listOrNull(results.validatorUpdates.map(validatorUpdateJson)),
    consensus_param_updates: params ? paramUpdatesJson(params) : null,
    app_hash: base64OrNull(results.appHash),
  }
}

/** Events of a block in NewBlockEvents. */
export function blockEventsJson(events: readonly Event[]): Json {
  return listOrNull(events.map(blockEventJson))
}

/** `result_finalize_block` of NewBlock events. */
export function finalizeBlockJson(results: FinalizeBlockResult): Json {
  const { consensusParamUpdates: params } = results
  return {
    ...(results.events.length > 0 && { events: results.events.map(blockEventJson) }),
    ...(results.txResults.length > 0 && { tx_results: results.txResults.map(txResultJson) }),
    validator_updates: listOrNull(results.validatorUpdates.map(validatorUpdateJson)),
    ...(params && { consensus_param_updates: paramUpdatesJson(params) }),
    ...(results.appHash.length > 0 && { app_hash: base64(results.appHash) }),
  }
}

const keyNames = { ed25519: 'tendermint/PubKeyEd25519', secp256k1: 'tendermint/PubKeySecp256k1' } as const

export function publicKeyJson({ keyType, pubKey }: Pick<Validator, 'keyType' | 'pubKey'>): Json {
  return { type: keyNames[keyType], value: base64(pubKey) }
}

export function validatorJson(validator: Validator): Json {
  return {
    address: hex(validator.address),
    pub_key: publicKeyJson(validator),
    voting_power: String(validator.power),
    proposer_priority: String(validator.proposerPriority),
  }
}

/** A validator as the application's update makes it, for ValidatorSetUpdates. */
export function updatedValidatorJson({ keyType, pubKey, power }: ValidatorUpdate): Json {
  return validatorJson({ keyType, pubKey, power, address: validatorAddress(keyType, pubKey), proposerPriority: 0n })
}

export function txProofJson(root: Bytes, tx: Bytes, proof: MerkleProof): Json {
  const { total, index, leafHash, aunts } = proof
  const steps = { total: String(total), index: String(index), leaf_hash: base64(leafHash), aunts: aunts.map(base64) }
  return { root_hash: hex(root), data: base64(tx), proof: steps }
}

export function queryResultJson(result: QueryResult): Json {
  const ops = result.proofOps.map(({ type, key, data }) => ({ type, key: base64(key), data: base64(data) }))
  return {
    code: result.code,
    log: result.log,
    info: '',
    index: '0',
    key: base64OrNull(result.key),
    value: base64OrNull(result.value),
    proofOps: ops.length === 0 ? null : { ops },
    height: String(result.height),
    codespace: result.codespace,
  }
}

/** The genesis document as CometBFT's types.GenesisDoc; `app_state` is put in as it is. */
export function genesisText(genesis: Genesis): string {
  const validators = genesis.validators.map((validator) => ({
    address: hex(validator.address),
    pub_key: publicKeyJson(validator),
    power: String(validator.power),
    name: validator.name,
  }))
  const fields = toJsonText({
    genesis_time: formatTime(genesis.time),
    chain_id: genesis.chainId,
    initial_height: String(genesis.initialHeight),
    consensus_params: consensusParamsJson(genesis.consensusParams),
    ...(validators.length > 0 && { validators }),
    app_hash: hex(genesis.appHash),
  })
  if (genesis.appState.length === 0) return fields
  return `${fields.slice(0, -1)},"app_state":${escapeJson(Buffer.from(genesis.appState).toString('utf8'))}}`
}
