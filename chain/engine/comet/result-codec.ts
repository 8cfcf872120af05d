import type { Bytes } from '@coin/base/bytes'
import { type Event as EventMessage, ExecTxResult, ResponseFinalizeBlock } from '@coin/wire/gen/tendermint/abci/types'
import { ConsensusParams as ConsensusParamsMessage } from '@coin/wire/gen/tendermint/types/params'
import type { ConsensusParams, Event, FinalizeBlockResult, TxResult, ValidatorUpdate } from '../application.js'
import { engineErrors } from '../errors.js'
import { publicKeyToMessage } from './codec.js'

const nsPerSecond = 1_000_000_000n

function eventToMessage(event: Event): EventMessage {
  return { type: event.type, attributes: event.attributes as EventMessage['attributes'] }
}

/** `tendermint.abci.ExecTxResult`. */
export function encodeTxResult(result: TxResult): Bytes {
  return ExecTxResult.encode({
    code: result.code,
    data: result.data,
    log: result.log,
    info: result.info,
    gasWanted: BigInt(result.gasWanted),
    gasUsed: BigInt(result.gasUsed),
    events: result.events.map(eventToMessage),
    codespace: result.codespace,
  }).finish()
}

export function decodeTxResult(bytes: Bytes): TxResult {
  const message = ExecTxResult.decode(bytes)
  return {
    code: message.code,
    codespace: message.codespace,
    data: message.data,
    log: message.log,
    info: message.info,
    gasWanted: Number(message.gasWanted),
    gasUsed: Number(message.gasUsed),
    events: message.events.map(messageToEvent),
  }
}

function messageToEvent(message: EventMessage): Event {
  return {
    type: message.type,
    attributes: message.attributes.map(({ key, value, index }) => ({ key, value, index })),
  }
}

/** `tendermint.abci.ResponseFinalizeBlock` without the transactions' results, which are stored one by one. */
export function encodeResults(result: FinalizeBlockResult): Bytes {
  const { consensusParamUpdates: params } = result
  return ResponseFinalizeBlock.encode({
    events: result.events.map(eventToMessage),
    txResults: [],
    validatorUpdates: result.validatorUpdates.map((update) => ({
      pubKey: publicKeyToMessage(update),
      power: update.power,
    })),
    consensusParamUpdates: params && paramsToMessage(params),
    appHash: result.appHash,
  }).finish()
}

export function decodeResults(bytes: Bytes, txResults: readonly TxResult[]): FinalizeBlockResult {
  const message = ResponseFinalizeBlock.decode(bytes)
  const params = message.consensusParamUpdates
  return {
    appHash: message.appHash,
    txResults,
    events: message.events.map(messageToEvent),
    validatorUpdates: message.validatorUpdates.map(({ pubKey, power }): ValidatorUpdate => {
      if (pubKey?.ed25519 !== undefined) return { keyType: 'ed25519', pubKey: pubKey.ed25519, power }
      if (pubKey?.secp256k1 !== undefined) return { keyType: 'secp256k1', pubKey: pubKey.secp256k1, power }
      throw engineErrors.corruptStore('a validator update has no key')
    }),
    ...(params && { consensusParamUpdates: messageToParams(params) }),
  }
}

export function encodeParams(params: ConsensusParams): Bytes {
  return ConsensusParamsMessage.encode(paramsToMessage(params)).finish()
}

export function decodeParams(bytes: Bytes): ConsensusParams {
  return messageToParams(ConsensusParamsMessage.decode(bytes))
}

export function paramsToMessage({
  block,
  evidence,
  validator,
  version,
  abci,
}: ConsensusParams): ConsensusParamsMessage {
  const nanos = evidence.maxAgeDurationNs
  return {
    block: { maxBytes: block.maxBytes, maxGas: block.maxGas },
    evidence: {
      maxAgeNumBlocks: evidence.maxAgeNumBlocks,
      maxAgeDuration: { seconds: nanos / nsPerSecond, nanos: Number(nanos % nsPerSecond) },
      maxBytes: evidence.maxBytes,
    },
    validator: { pubKeyTypes: [...validator.pubKeyTypes] },
    version: { app: version.app },
    abci: { voteExtensionsEnableHeight: abci.voteExtensionsEnableHeight },
  }
}

export function messageToParams(message: ConsensusParamsMessage): ConsensusParams {
  const age = message.evidence?.maxAgeDuration
  return {
    block: { maxBytes: message.block?.maxBytes ?? 0n, maxGas: message.block?.maxGas ?? 0n },
    evidence: {
      maxAgeNumBlocks: message.evidence?.maxAgeNumBlocks ?? 0n,
      maxAgeDurationNs: age ? age.seconds * nsPerSecond + BigInt(age.nanos) : 0n,
      maxBytes: message.evidence?.maxBytes ?? 0n,
    },
    validator: { pubKeyTypes: message.validator?.pubKeyTypes ?? [] },
    version: { app: message.version?.app ?? 0n },
    abci: { voteExtensionsEnableHeight: message.abci?.voteExtensionsEnableHeight ?? 0n },
  }
}
