import { type Bytes, base64ToBytes, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import type { ConsensusParams, TimeNs } from './application.js'
import { parseTime } from './comet/time.js'
import { validatorAddress } from './comet/validator-set.js'
import { engineErrors } from './errors.js'

export interface GenesisValidator {
  readonly address: Bytes
  readonly keyType: 'ed25519' | 'secp256k1'
  readonly pubKey: Bytes
  readonly power: bigint
  readonly name: string
}

/** What a chain starts from. Reads both forms of genesis.json: the Cosmos SDK's (v0.50 and later) and CometBFT's. */
export interface Genesis {
  readonly chainId: string
  readonly time: TimeNs
  readonly initialHeight: number
  readonly consensusParams: ConsensusParams
  /** Usually empty: the application's genesis transactions name the validators. */
  readonly validators: readonly GenesisValidator[]
  readonly appHash: Bytes
  /** `app_state` as UTF-8 JSON. */
  readonly appState: Bytes
}

/** CometBFT's defaults (types/params.go): 21 MiB blocks, no gas limit, evidence for two days. */
export const defaultConsensusParams: ConsensusParams = {
  block: { maxBytes: 22_020_096n, maxGas: -1n },
  evidence: { maxAgeNumBlocks: 100_000n, maxAgeDurationNs: 172_800_000_000_000n, maxBytes: 1_048_576n },
  validator: { pubKeyTypes: ['ed25519'] },
  version: { app: 0n },
  abci: { voteExtensionsEnableHeight: 0n },
}

/** types/params.go, MaxBlockSizeBytes. */
export const blockBytesMax = 104_857_600n
const chainIdLengthMax = 50

type Json = Readonly<Record<string, unknown>>

function bad(path: string, expected: string, value: unknown): Error {
  return engineErrors.badGenesis(`${path} is ${JSON.stringify(value)?.slice(0, 80)}, expected ${expected}`)
}

function readObject(value: unknown, path: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(path, 'an object', value)
  return value as Json
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw bad(path, 'a string', value)
  return value
}

/** Go writes 64-bit numbers as strings; the SDK's initial_height is a plain number. */
function readInt(value: unknown, path: string): bigint {
  const plain = typeof value === 'number' && Number.isSafeInteger(value)
  if (!plain && !(typeof value === 'string' && /^-?\d{1,19}$/.test(value))) throw bad(path, 'an integer', value)
  return BigInt(value as string | number)
}

/**
 * Throws `badGenesis`, naming the field, what it holds and what was expected.
 *
 * @example
 * parseGenesis(readFileSync('config/genesis.json', 'utf8')).chainId // 'coin-1'
 */
export function parseGenesis(text: string): Genesis {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw engineErrors.badGenesis(`not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const root = readObject(parsed, 'genesis')
  const consensus = root.consensus === undefined ? root : readObject(root.consensus, 'consensus')
  const chainId = readText(root.chain_id, 'chain_id')
  if (chainId === '' || chainId.length > chainIdLengthMax) throw bad('chain_id', '1 to 50 characters', chainId)
  const height = readInt(root.initial_height ?? 1, 'initial_height')
  if (height < 0n || height > BigInt(Number.MAX_SAFE_INTEGER))
    throw bad('initial_height', 'at least 1', root.initial_height)
  const params = root.consensus === undefined ? root.consensus_params : consensus.params
  const appState = root.app_state === undefined ? '' : JSON.stringify(root.app_state)
  return {
    chainId,
    time: parseTime(readText(root.genesis_time, 'genesis_time')),
    initialHeight: height === 0n ? 1 : Number(height),
    consensusParams: params === undefined || params === null ? defaultConsensusParams : readParams(params),
    validators: readValidators(consensus.validators),
    appHash: readAppHash(root.app_hash),
    appState: utf8ToBytes(appState),
  }
}

function readAppHash(value: unknown): Bytes {
  return value === undefined || value === null ? new Uint8Array(0) : hexToBytes(readText(value, 'app_hash'))
}

function readParams(value: unknown): ConsensusParams {
  const path = 'consensus params'
  const params = readObject(value, path)
  const block = readObject(params.block, `${path}.block`)
  const evidence = readObject(params.evidence, `${path}.evidence`)
  const validator = readObject(params.validator, `${path}.validator`)
  const version = readObject(params.version ?? {}, `${path}.version`)
  const abci = readObject(params.abci ?? {}, `${path}.abci`)
  const keyTypes = validator.pub_key_types
  if (!Array.isArray(keyTypes)) throw bad(`${path}.validator.pub_key_types`, 'a list', keyTypes)
  const read: ConsensusParams = {
    block: { maxBytes: readInt(block.max_bytes, 'max_bytes'), maxGas: readInt(block.max_gas, 'max_gas') },
    evidence: {
      maxAgeNumBlocks: readInt(evidence.max_age_num_blocks, 'max_age_num_blocks'),
      maxAgeDurationNs: readInt(evidence.max_age_duration, 'max_age_duration'),
      maxBytes: readInt(evidence.max_bytes ?? 0, 'evidence.max_bytes'),
    },
    validator: { pubKeyTypes: keyTypes.map((type) => readText(type, 'pub_key_types')) },
    version: { app: readInt(version.app ?? 0, 'version.app') },
    abci: {
      voteExtensionsEnableHeight: readInt(abci.vote_extensions_enable_height ?? 0, 'vote_extensions_enable_height'),
    },
  }
  const problem = consensusParamsProblem(read)
  if (problem) throw engineErrors.badGenesis(problem)
  return read
}

/** Says what is wrong with parameters, or nothing: the limits of CometBFT's ConsensusParams.ValidateBasic. */
export function consensusParamsProblem({ block, evidence, validator }: ConsensusParams): string | undefined {
  if (block.maxBytes === 0n || block.maxBytes < -1n || block.maxBytes > blockBytesMax)
    return `block.max_bytes is ${block.maxBytes}, expected -1 or 1 to ${blockBytesMax}`
  if (block.maxGas < -1n) return `block.max_gas is ${block.maxGas}, expected at least -1`
  if (evidence.maxAgeNumBlocks <= 0n)
    return `evidence.max_age_num_blocks is ${evidence.maxAgeNumBlocks}, expected above 0`
  if (evidence.maxAgeDurationNs <= 0n)
    return `evidence.max_age_duration is ${evidence.maxAgeDurationNs}, expected above 0`
  const room = block.maxBytes === -1n ? blockBytesMax : block.maxBytes
  if (evidence.maxBytes < 0n || evidence.maxBytes > room)
    return `evidence.max_bytes is ${evidence.maxBytes}, expected 0 to ${room}`
  if (validator.pubKeyTypes.length === 0) return 'validator.pub_key_types is empty'
  const unknown = validator.pubKeyTypes.find((type) => type !== 'ed25519' && type !== 'secp256k1')
  return unknown === undefined ? undefined : `validator key type "${unknown}" is not known`
}

const keyTypesByName: Readonly<Record<string, GenesisValidator['keyType']>> = {
  'tendermint/PubKeyEd25519': 'ed25519',
  'tendermint/PubKeySecp256k1': 'secp256k1',
}

function readValidators(value: unknown): readonly GenesisValidator[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw bad('validators', 'a list', value)
  return value.map((entry, i) => {
    const path = `validators[${i}]`
    const validator = readObject(entry, path)
    const key = readObject(validator.pub_key, `${path}.pub_key`)
    const keyType = keyTypesByName[readText(key.type, `${path}.pub_key.type`)]
    if (keyType === undefined) throw bad(`${path}.pub_key.type`, Object.keys(keyTypesByName).join(' or '), key.type)
    const pubKey = base64ToBytes(readText(key.value, `${path}.pub_key.value`))
    const power = readInt(validator.power, `${path}.power`)
    if (power <= 0n) throw bad(`${path}.power`, 'above 0', validator.power)
    const name = validator.name === undefined ? '' : readText(validator.name, `${path}.name`)
    return { address: validatorAddress(keyType, pubKey), keyType, pubKey, power, name }
  })
}
