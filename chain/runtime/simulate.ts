import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { SimulationResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import { SimulateRequest, SimulateResponse } from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { AuthInfo, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { uint64Max } from '@coin/wire/int'
import { noGasLimit } from './gas.js'
import { type Module, onQuery } from './module.js'
import type { TxOutcome } from './run-tx.js'
import { status } from './status.js'

/** What a transaction would do and cost, by the same path as delivery; nothing of it is kept. */
export type Simulate = (txBytes: Bytes) => TxOutcome

/** `cosmos.tx.v1beta1.Service/Simulate`, which wallets call before they sign. */
export function createSimulateModule(simulate: Simulate): Module {
  const handle = (request: SimulateRequest): SimulateResponse => {
    const txBytes = simulatedTx(request)
    if (txBytes.length === 0) throw status('invalidArgument', 'empty txBytes is not allowed')
    let outcome: TxOutcome
    try {
      outcome = simulate(txBytes)
    } catch (error) {
      throw error instanceof CodedError ? simulationError(error, 0) : error
    }
    if (outcome.error !== undefined) throw simulationError(outcome.error, outcome.gasUsed)
    return toSimulationResponse(outcome)
  }
  return {
    name: 'tx',
    queries: {
      '/cosmos.tx.v1beta1.Service/Simulate': onQuery(SimulateRequest, SimulateResponse, (_, request) =>
        handle(request),
      ),
    },
  }
}

export function toSimulationResponse({ gasWanted, gasUsed, data, events, responses }: TxOutcome): SimulationResponse {
  return {
    gasInfo: { gasWanted: gasWanted === noGasLimit ? uint64Max : BigInt(gasWanted), gasUsed: BigInt(gasUsed) },
    result: {
      data,
      log: '',
      // What is not in a block is not indexed.
      events: events.map(({ type, attributes }) => ({
        type,
        attributes: attributes.map(({ key, value }) => ({ key, value, index: false })),
      })),
      msgResponses: [...responses],
    },
  }
}

function simulationError(error: CodedError, gasUsed: number): CodedError {
  return status('unknown', `${error.message} with gas used: '${gasUsed}'`)
}

/** The transaction that is to be simulated; empty when there is none. */
export function simulatedTx(request: SimulateRequest): Bytes {
  return request.txBytes.length > 0 ? request.txBytes : encodeDeprecated(request)
}

/** Old clients send the parts instead of the bytes. */
function encodeDeprecated({ tx }: SimulateRequest): Bytes {
  if (tx?.body === undefined || tx.authInfo === undefined) return new Uint8Array(0)
  const raw: TxRaw = {
    bodyBytes: TxBody.encode(tx.body).finish(),
    authInfoBytes: AuthInfo.encode(tx.authInfo).finish(),
    signatures: tx.signatures,
  }
  return TxRaw.encode(raw).finish()
}
