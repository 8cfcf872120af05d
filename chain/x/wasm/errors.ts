import { CodedError, defineErrors } from '@coin/base/errors'
import type { SystemError } from '@coin/vm/host'

/** Numbers and texts of wasmd's x/wasm (types/errors.go). */
export const errors = defineErrors('wasm', {
  createFailed: [2, 'create wasm contract failed'],
  accountExists: [3, 'contract account already exists'],
  instantiateFailed: [4, 'instantiate wasm contract failed'],
  executeFailed: [5, 'execute wasm contract failed'],
  gasLimit: [6, 'insufficient gas'],
  invalidGenesis: [7, 'invalid genesis'],
  notFound: [8, 'not found'],
  queryFailed: [9, 'query wasm contract failed'],
  invalidMsg: [10, 'invalid CosmosMsg from the contract'],
  migrationFailed: [11, 'migrate wasm contract failed'],
  empty: [12, 'empty'],
  limit: [13, 'exceeds limit'],
  invalid: [14, 'invalid'],
  duplicate: [15, 'duplicate'],
  unsupportedForContract: [17, 'unsupported for this contract'],
  pinFailed: [18, 'pinning contract failed'],
  unpinFailed: [19, 'unpinning contract failed'],
  unknownMsg: [20, 'unknown message from the contract'],
  invalidEvent: [21, 'invalid event'],
  noSuchContract: [22, 'no such contract'],
  exceedMaxQueryStackSize: [27, 'max query stack size exceeded'],
  noSuchCode: [28, 'no such code'],
  vmError: [29, 'wasmvm error'],
  exceedMaxCallDepth: [30, 'max call depth exceeded'],
})

/** Errors whose text is the same on every node, so that a contract may see it. A wrapped error is none of them any more. */
const deterministic = new WeakSet<CodedError>()

/** What a contract is told instead of an error that has a name in cosmwasm-std. Found below wrapped errors too. */
const systemErrors = new WeakMap<CodedError, SystemError>()

/** Marks an error made from a contract's own words. */
export function markDeterministic(error: CodedError): CodedError {
  deterministic.add(error)
  return error
}

export function noSuchContract(address: string): CodedError {
  const error = errors.noSuchContract(`address ${address}`)
  systemErrors.set(error, { no_such_contract: { addr: address } })
  return error
}

export function noSuchCode(codeId: bigint): CodedError {
  const error = errors.noSuchCode(`code id ${codeId}`)
  systemErrors.set(error, { no_such_code: { code_id: codeId } })
  return error
}

/** A query of a kind that this chain does not answer. */
export function unsupportedRequest(kind: string): CodedError {
  const error = errors.queryFailed(`unsupported request: ${kind}`)
  systemErrors.set(error, { unsupported_request: { kind } })
  return error
}

export function unknownRequest(): CodedError {
  const error = errors.queryFailed('unknown system error')
  systemErrors.set(error, { unknown: {} })
  return error
}

/** The `SystemError` that an error, or what it wraps, stands for. */
export function systemErrorOf(error: CodedError): SystemError | undefined {
  const found = systemErrors.get(error)
  if (found !== undefined) return found
  return error.cause instanceof CodedError ? systemErrorOf(error.cause) : undefined
}

/** The text of an error as a contract may see it: anything that could differ between nodes becomes its numbers. */
export function redacted(error: CodedError): string {
  if (deterministic.has(error)) return error.message
  return `codespace: ${error.codespace}, code: ${error.code}`
}

/** A query that cannot be read. */
export function invalidRequest(why: string, request: Uint8Array): CodedError {
  const error = errors.queryFailed(`invalid request: ${why}`)
  systemErrors.set(error, { invalid_request: { error: why, request } })
  return error
}
