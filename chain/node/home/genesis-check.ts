import { createApp, storeNames } from '@coin/app/app'
import { addWasm } from '@coin/app/wasm'
import { CodedError } from '@coin/base/errors'
import { type Logger, silentLogger } from '@coin/base/logger'
import type { Genesis } from '@coin/engine/genesis'
import { memoryMultiStore } from '@coin/store/memory-multi-store'
import { memoryFiles } from '@coin/vm/files'
import { WasmVm } from '@coin/vm/vm'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import { nodeErrors } from '../errors.js'
import { version } from '../version.js'
import { denomOfGenesis, type GenesisJson } from './genesis-file.js'

/**
 * Starts the chain of a genesis in memory, as the first block would, and forgets it. Answers what the node would warn of. Throws
 * `badGenesis` naming the file, the module and the field.
 */
export function checkGenesis(
  { genesis, json }: { readonly genesis: Genesis; readonly json: GenesisJson },
  prefix: string,
  path: string,
): readonly string[] {
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (_fields, message) => void warnings.push(message) }
  const app = createApp({
    chain: { chainId: genesis.chainId, bech32Prefix: prefix, denom: denomOfGenesis(json) },
    store: memoryMultiStore({ stores: storeNames }),
    logger,
    verifier: ({ pubKey, digest, signature }) => verifySecp256k1(pubKey, digest, signature),
    version,
    wasm: addWasm(new WasmVm({ files: memoryFiles() })),
  })
  const { time, chainId, consensusParams, validators, appState, initialHeight } = genesis
  try {
    app.initChain({ time, chainId, consensusParams, validators, appState, initialHeight })
  } catch (error) {
    if (error instanceof CodedError) throw nodeErrors.badGenesis(`${path}: app_state: ${error.message}`)
    throw error
  }
  if (validators.length === 0)
    warnings.push('the genesis names no validator: the node that starts it will be the only one')
  return warnings
}
