import { hexToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { errors, FatalVmError } from './errors.js'
import { memoryFiles } from './files.js'
import type { Host } from './host.js'
import { selfTestCode } from './self-test-code.js'
import { WasmVm } from './vm.js'

const refuse = (): never => {
  throw errors.host('not available in the self-test')
}

const host: Host = {
  storage: { get: refuse, set: refuse, remove: refuse, scan: refuse },
  api: { canonicalize: refuse, humanize: refuse, validate: refuse },
  querier: { query: refuse },
}

/** What the two calls must use, VM gas. They change only with the rewriter or the schedule. */
const gas = { recursion: 4_140_460n, floats: 217_480n } as const

/**
 * Shows at a node's start that this machine runs contracts as every other one does: the native stack takes the whole stack
 * budget, NaNs are canonical, and gas is counted to the last unit. Throws `FatalVmError`.
 */
export function selfTest(): void {
  const vm = new WasmVm({ files: memoryFiles() })
  const { checksum } = vm.storeCode(hexToBytes(selfTestCode))
  const run = (entry: string) =>
    vm.call(checksum, entry, [new Uint8Array(0), new Uint8Array(0)], { host, gasLimit: 10n ** 12n })
  const deep = run('query')
  const isStopped = 'error' in deep && deep.error instanceof CodedError && deep.error.code === errors.stackLimit.code
  check(isStopped, 'recursion does not end at the stack limit')
  check(deep.gas.usedInternally === gas.recursion, `recursion uses ${deep.gas.usedInternally} gas`)
  const floats = run('sudo')
  check('data' in floats, 'a NaN is not canonical')
  check(floats.gas.usedInternally === gas.floats, `the float test uses ${floats.gas.usedInternally} gas`)
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new FatalVmError(`this machine cannot run contracts as every other node does: ${what}`)
}
