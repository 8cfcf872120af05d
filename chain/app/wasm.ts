import type { WasmVm } from '@coin/vm/vm'
import { moduleAddress } from '@coin/wire/addresses'
import { countTransactions, limitSimulation } from '@coin/x/wasm/ante'
import { createWasmKeeper, type WasmOptions } from '@coin/x/wasm/keeper'
import { createWasmModule } from '@coin/x/wasm/module'
import type { AddedModule, AppParts } from './app.js'

export interface WasmSettings extends Pick<WasmOptions, 'acceptedQueries' | 'queryGasLimit'> {
  /** SDK gas that a simulation may use; the block's limit when left out. */
  readonly simulationGasLimit?: number
}

/** x/wasm for `createApp`, run by `vm`. Governance has authority over it. */
export function addWasm(
  vm: WasmVm,
  { simulationGasLimit, ...options }: WasmSettings = {},
): (parts: AppParts) => AddedModule {
  return ({ addresses, auth, bank, msgs, queries }) => {
    const authority = addresses.encode(moduleAddress('gov'))
    const keeper = createWasmKeeper({
      ...{ vm, addresses, bank, authority, queries },
      accounts: auth,
      router: msgs,
      ...options,
    })
    return { module: createWasmModule(keeper), steps: [limitSimulation(simulationGasLimit), countTransactions] }
  }
}
