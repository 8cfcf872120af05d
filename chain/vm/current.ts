import { assert } from '@coin/base/assert'
import type { ContractInstance } from './instance.js'

/**
 * The instance whose code is running. The import functions are made once and shared by all instances (making them anew
 * costs 100 us per instance), so they find their instance here; every way into WebAssembly sets and restores it.
 */
let current: ContractInstance | undefined

type WasmFunction = (...args: number[]) => number | bigint | undefined

export function withCurrent(instance: ContractInstance, target: WasmFunction, args: readonly number[]) {
  const outer = current
  current = instance
  try {
    switch (args.length) {
      case 1:
        return target(args[0]!)
      case 2:
        return target(args[0]!, args[1]!)
      default:
        return target(...args)
    }
  } finally {
    current = outer
  }
}

function currentInstance(): ContractInstance {
  assert(current !== undefined, 'a host function was called outside of a contract call')
  return current
}

/** Runs a host function's body with the counter in hand and the host call paid. */
export function hostFunction<T>(body: (instance: ContractInstance) => T): T {
  const instance = currentInstance()
  instance.enterHost()
  instance.chargeHostCall()
  const result = body(instance)
  instance.leaveHost()
  return result
}
