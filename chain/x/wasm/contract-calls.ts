import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read, Write } from '@coin/runtime/context'
import { type GasMeter, OutOfGas } from '@coin/runtime/gas'
import type { Host } from '@coin/vm/host'
import type { Env } from '@coin/vm/json'
import type { Call, CallResult } from '@coin/vm/vm'
import { errors } from './errors.js'
import { deserializationCostPerByte, fromVmGas, toVmGas, unlimitedVmGas } from './gas-register.js'
import type { ContractResult } from './response.js'

/** What a contract learns of where and when it runs. */
export function envOf(ctx: Read, contract: string): Env {
  const index = ctx.tx?.index
  return {
    block: { height: ctx.height, timeNs: ctx.time, chainId: ctx.chainId },
    transaction: index === undefined ? undefined : { index },
    contract: { address: contract },
  }
}

/** VM gas that a contract may use with what is left in the meter. */
export function vmGasLeft(meter: GasMeter): bigint {
  if (meter.isOutOfGas) return 0n
  return meter.isInfinite ? unlimitedVmGas : toVmGas(meter.remaining)
}

/** Pays for what the VM used; using up exactly what is left counts as running out. */
export function consumeVmGas(meter: GasMeter, gas: bigint): void {
  meter.consume(fromVmGas(gas), 'wasm contract')
  if (meter.isOutOfGas) throw new OutOfGas('Wasm engine function execution')
}

/**
 * Runs a contract and reads its answer, which costs gas too. Throws `OutOfGas` when the meter is used up, and `vmError` for
 * whatever kept the contract from answering; that the contract refused is an answer.
 */
export function callContract<T>(
  ctx: Read | Write,
  host: Host,
  stackLeft: number | undefined,
  run: (call: Call) => CallResult,
  parse: (data: Bytes) => ContractResult<T>,
): ContractResult<T> {
  const gasLimit = vmGasLeft(ctx.gas)
  const result = run({ host, gasLimit, ...(stackLeft === undefined ? {} : { stackLeft }) })
  let used = result.gas.usedInternally
  if ('error' in result) {
    consumeVmGas(ctx.gas, used)
    throw errors.vmError(result.error.message)
  }
  const reading = BigInt(result.data.length) * deserializationCostPerByte
  const canRead = used + reading <= gasLimit
  if (canRead) used += reading
  const answer = canRead
    ? attemptParse(() => parse(result.data))
    : errors.vmError(`Insufficient gas left to deserialize contract execution result (${result.data.length} bytes)`)
  consumeVmGas(ctx.gas, used)
  if (answer instanceof CodedError) throw answer
  return answer
}

function attemptParse<T>(parse: () => T): T | CodedError {
  try {
    return parse()
  } catch (error) {
    if (error instanceof CodedError) return errors.vmError(error.message)
    throw error
  }
}
