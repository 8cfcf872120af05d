import { AssertionError, assert } from '@coin/base/assert'
import { type Bytes, bytesToHex } from '@coin/base/bytes'
import type { ConsensusParams, FinalizeBlockResult, InitChainResult, TimeNs, ValidatorUpdate } from '../application.js'
import { resultsHash } from '../comet/hashes.js'
import { type BlockId, emptyBlockId, type Header, type ValidatorSet } from '../comet/types.js'
import { advanceProposer, createValidatorSet, updateValidators } from '../comet/validator-set.js'
import { engineErrors } from '../errors.js'
import { consensusParamsProblem, type Genesis } from '../genesis.js'

/** Everything the next block is made from, besides its transactions (CometBFT's state.State). */
export interface ChainState {
  readonly chainId: string
  readonly initialHeight: number
  /** 0 before the first block, whatever the initial height is. */
  readonly lastHeight: number
  readonly lastBlockId: BlockId
  readonly lastBlockTime: TimeNs
  /** Signers of the last block; absent before the first. */
  readonly lastValidators: ValidatorSet | undefined
  /** Of the next block. */
  readonly validators: ValidatorSet
  /** Of the one after it: changes take effect two blocks later. */
  readonly nextValidators: ValidatorSet
  /** In force from the next block. */
  readonly consensusParams: ConsensusParams
  readonly appVersion: bigint
  readonly lastResultsHash: Bytes
  readonly appHash: Bytes
}

export function nextHeight(state: ChainState): number {
  return state.lastHeight === 0 ? state.initialHeight : state.lastHeight + 1
}

/** The state before the first block, from genesis and the application's answer to InitChain. */
export function genesisState(genesis: Genesis, answer: InitChainResult, appVersion: bigint): ChainState {
  const updates: readonly ValidatorUpdate[] = answer.validators.length > 0 ? answer.validators : genesis.validators
  if (updates.length === 0) throw engineErrors.badGenesis('no validators, neither in genesis nor from the application')
  const consensusParams = answer.consensusParams ?? genesis.consensusParams
  requireValidParams(consensusParams)
  const validators = createValidatorSet(updates)
  return {
    chainId: genesis.chainId,
    initialHeight: genesis.initialHeight,
    lastHeight: 0,
    lastBlockId: emptyBlockId,
    lastBlockTime: genesis.time,
    lastValidators: undefined,
    validators,
    nextValidators: advanceProposer(validators),
    consensusParams,
    appVersion: answer.consensusParams ? consensusParams.version.app : appVersion,
    lastResultsHash: resultsHash([]),
    appHash: answer.appHash.length > 0 ? answer.appHash : genesis.appHash,
  }
}

/** The state after a block. Pure; throws `badConsensusUpdate` for changes that CometBFT would stop at. */
export function stateAfter(
  state: ChainState,
  header: Header,
  blockId: BlockId,
  txCount: number,
  result: FinalizeBlockResult,
): ChainState {
  assert(
    result.txResults.length === txCount,
    `the application gave ${result.txResults.length} results for ${txCount} transactions`,
  )
  checkKeyTypes(result.validatorUpdates, state.consensusParams)
  const consensusParams = result.consensusParamUpdates ?? state.consensusParams
  requireValidParams(consensusParams)
  return {
    ...state,
    lastHeight: header.height,
    lastBlockId: blockId,
    lastBlockTime: header.time,
    lastValidators: state.validators,
    validators: state.nextValidators,
    nextValidators: advanceProposer(updateValidators(state.nextValidators, result.validatorUpdates)),
    consensusParams,
    appVersion: result.consensusParamUpdates ? consensusParams.version.app : state.appVersion,
    lastResultsHash: resultsHash(result.txResults),
    appHash: result.appHash,
  }
}

function requireValidParams(params: ConsensusParams): void {
  const problem = consensusParamsProblem(params)
  if (problem) throw engineErrors.badConsensusUpdate(problem)
}

function checkKeyTypes(updates: readonly ValidatorUpdate[], { validator }: ConsensusParams): void {
  for (const { keyType, pubKey, power } of updates) {
    if (power > 0n && !validator.pubKeyTypes.includes(keyType))
      throw engineErrors.badConsensusUpdate(
        `validator ${bytesToHex(pubKey)} has a key of type ${keyType}, allowed are ${validator.pubKeyTypes.join(', ')}`,
      )
  }
}

/** Our bug and the application's bugs stop the node; nothing that a user sends may throw here. */
export function asFatal(error: unknown): Error {
  return error instanceof Error ? error : new AssertionError(String(error))
}
