import { AssertionError } from '@coin/base/assert'
import { CodedError, defineErrors } from '@coin/base/errors'

/** Why a contract call or a code was refused. None of them harms the node; the caller takes back what was written. */
export const errors = defineErrors('vm', {
  /** The gas limit was reached; all of it counts as used. */
  outOfGas: [1, 'ran out of gas during contract execution'],
  /** The contract recursed deeper than the stack budget allows. */
  stackLimit: [2, 'contract call stack exhausted'],
  /** A WebAssembly trap: unreachable, division by zero, memory out of bounds ... */
  trap: [3, 'contract trapped'],
  /** The contract called `abort`, which is what a Rust panic does. */
  aborted: [4, 'aborted'],
  /** The contract broke the protocol between it and the VM: bad regions, missing exports, writes in a query. */
  protocol: [5, 'error in guest/host communication'],
  /** A host function failed. */
  host: [6, "error calling into the VM's backend"],
  /** The code breaks a static rule; the text says which and where. */
  staticRule: [7, 'static Wasm validation failed'],
  /** No code is stored under this checksum. */
  noSuchCode: [8, 'no such code'],
  /** What the contract returned is not what its entry point may return. */
  badResponse: [9, 'contract returned an invalid response'],
})

/**
 * The machine, not the contract, is at fault (native stack overflow, memory that cannot be had): other nodes would see
 * another result, so this node must stop. Never caught inside the chain's rooms.
 */
export class FatalVmError extends AssertionError {}

/** Whether `error` means that the gas limit was reached. */
export function isOutOfGas(error: unknown): boolean {
  return error instanceof CodedError && error.codespace === 'vm' && error.code === errors.outOfGas.code
}
