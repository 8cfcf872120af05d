import { join } from 'node:path'
import { type AppReaderOptions, createApp, createChainReader } from '@coin/app/app'
import { addWasm } from '@coin/app/wasm'
import type { Logger } from '@coin/base/logger'
import type { Genesis } from '@coin/engine/genesis'
import type { AppReader, ReadSources } from '@coin/runtime/app-reader'
import type { NodeApplication } from '@coin/runtime/application'
import type { BlockTime } from '@coin/runtime/chain-state'
import type { MultiStore } from '@coin/store/multi-store'
import { diskFiles, type FilePort, readOnlyFiles } from '@coin/vm/files'
import type { PoolLimits } from '@coin/vm/pool'
import { selfTest } from '@coin/vm/self-test'
import { WasmVm } from '@coin/vm/vm'
import { verifySecp256k1 } from '@coin/wire/secp256k1'
import type { AppSettings } from './app-settings.js'
import { version } from './version.js'

/** The part of a chain's settings that its readers need too. */
export function appSettingsOf(settings: Omit<AppSettings, 'chainId'> & { readonly genesis: Genesis }): AppSettings {
  const { dataDir, bech32Prefix, denom, minGasPrices, queryGasLimit, smartQueryGasLimit, simulationGasLimit } = settings
  return {
    ...{ dataDir, bech32Prefix, denom, minGasPrices },
    chainId: settings.genesis.chainId,
    ...given({ queryGasLimit, smartQueryGasLimit, simulationGasLimit }),
  }
}

export interface AppDependencies {
  readonly store: MultiStore
  readonly logger: Logger
  readonly blockTime: BlockTime
  readonly minRetainBlocks?: number
}

/** The state machine over `store`, with the machine that runs contracts. */
export function openApp(settings: AppSettings, dependencies: AppDependencies): NodeApplication {
  const { store, logger, blockTime, minRetainBlocks } = dependencies
  selfTest()
  const { chain, ...parts } = partsOf(settings, logger, new WasmVm({ files: filesOf(settings) }))
  return createApp({
    ...parts,
    chain: { ...chain, ...given({ minRetainBlocks }) },
    store,
    verifier: ({ pubKey, digest, signature }) => verifySecp256k1(pubKey, digest, signature),
    blockTime,
  })
}

/** One call at a time, and the contracts that it calls: fewer instances than where blocks are made. */
const readerPool: PoolLimits = { perCode: 2, total: 16, pagesMax: 64 }

/** The same for a thread that only reads: it writes no file. */
export function openAppReader(settings: AppSettings, logger: Logger, sources: ReadSources): AppReader {
  const vm = new WasmVm({ files: readOnlyFiles(filesOf(settings)), pool: readerPool })
  return createChainReader(partsOf(settings, logger, vm), sources)
}

function filesOf({ dataDir }: AppSettings): FilePort {
  return diskFiles(join(dataDir, 'wasm'))
}

function partsOf(settings: AppSettings, logger: Logger, vm: WasmVm): AppReaderOptions {
  const { chainId, bech32Prefix, denom, minGasPrices, smartQueryGasLimit, simulationGasLimit } = settings
  const chain = { chainId, bech32Prefix, denom, minGasPrices, ...given({ queryGasLimit: settings.queryGasLimit }) }
  const wasm = addWasm(vm, given({ queryGasLimit: smartQueryGasLimit, simulationGasLimit }))
  return { chain, logger, version, wasm }
}

/** The properties that are not undefined: optional ones may be left out but not be undefined. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
