import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DecCoins } from '@coin/wire/coins'
import { nodeErrors } from '../errors.js'
import { type HomePaths, homePaths } from '../home/paths.js'
import { appSettings, appUnused } from './app-settings.js'
import { cometSettings, cometUnused } from './comet-settings.js'
import { type Environment, overridesOf } from './environment.js'
import type { ListenAddress, Values } from './settings.js'
import { readTomlFile } from './toml-file.js'

export const logLevels = ['debug', 'info', 'warn', 'error'] as const

export type LogLevel = (typeof logLevels)[number]

/** How many past states are kept: every `interval` blocks all but the last `keepRecent` go. `keepRecent` 0 keeps all. */
export interface Pruning {
  readonly keepRecent: number
  readonly interval: number
}

/** Everything that an operator decides about a node, validated and frozen. Times are milliseconds, sizes bytes. */
export interface NodeConfig {
  readonly home: HomePaths
  readonly moniker: string
  readonly log: { readonly level: LogLevel; readonly format: 'plain' | 'json' }
  /** Empty: to be taken from the genesis file. */
  readonly bech32Prefix: string
  readonly minimumGasPrices: DecCoins
  /** Always there: what a query collects is held in memory. */
  readonly queryGasLimit: number
  readonly pruning: Pruning
  /** 0 never halts. */
  readonly haltHeight: number
  /** Unix seconds; 0 never halts. */
  readonly haltTime: number
  /** 0 keeps every block. */
  readonly minRetainBlocks: number
  /** Empty indexes every event attribute. */
  readonly indexEvents: readonly string[]
  readonly engine: {
    readonly blockTimeMs: number
    readonly createBlocksOnDemand: boolean
    readonly createEmptyBlocks: boolean
    /** 0 is the block time. */
    readonly emptyBlockIntervalMs: number
  }
  readonly api: {
    readonly enable: boolean
    readonly address: ListenAddress
    readonly maxOpenConnections: number
    readonly readTimeoutMs: number
    /** 0 is unlimited. */
    readonly writeTimeoutMs: number
    readonly maxBodyBytes: number
    readonly unsafeCors: boolean
    /** Serve the OpenAPI document and the pages. */
    readonly swagger: boolean
    /** How long a broadcast waits for the block of its transaction; shorter than `writeTimeoutMs`, so that its answer gets out. */
    readonly broadcastBlockTimeoutMs: number
  }
  readonly queries: {
    readonly timeoutMs: number
    /** 0 is one a core, and at least two. */
    readonly readers: number
  }
  readonly grpc: {
    readonly enable: boolean
    readonly address: ListenAddress
    readonly maxRecvBytes: number
    readonly maxSendBytes: number
    /** Serve gRPC-Web with the REST API. */
    readonly web: boolean
  }
  readonly rpc: {
    readonly address: ListenAddress
    readonly corsAllowedOrigins: readonly string[]
    /** 0 is unlimited. */
    readonly maxOpenConnections: number
    readonly maxSubscriptionClients: number
    readonly maxSubscriptionsPerClient: number
    readonly subscriptionBufferSize: number
    readonly broadcastCommitTimeoutMs: number
    /** 0 is unlimited. */
    readonly maxBatchSize: number
    readonly maxBodyBytes: number
    readonly maxHeaderBytes: number
    /** Methods for the operator alone. */
    readonly unsafe: boolean
  }
  readonly p2p: { readonly address: ListenAddress }
  readonly mempool: {
    readonly maxTxs: number
    readonly maxTxsBytes: number
    readonly maxTxBytes: number
    readonly cacheSize: number
    readonly recheck: boolean
    readonly keepInvalidTxsInCache: boolean
  }
  readonly txIndex: 'kv' | 'null'
  readonly wasm: {
    readonly smartQueryGasLimit: number
    readonly memoryCacheMiB: number
    /** `undefined` is the gas limit of a block. */
    readonly simulationGasLimit: number | undefined
  }
  readonly metrics: { readonly enable: boolean; readonly address: ListenAddress }
}

export interface LoadedConfig {
  readonly config: NodeConfig
  /** Unknown keys and the like, to be logged. */
  readonly warnings: readonly string[]
}

export const appForm = { name: 'app.toml', settings: appSettings, unused: appUnused } as const
export const cometForm = { name: 'config.toml', settings: cometSettings, unused: cometUnused } as const

/** Every setting that a flag or the environment may override. */
export const nodeSettings = { ...appSettings, ...cometSettings } as const

/**
 * Reads app.toml and config.toml of a home folder, once. `flags` are named as the keys: `{ 'rpc.laddr': 'tcp://127.0.0.1:0' }`.
 * Throws `noHome` when there is no node, and `badConfig` with file, key, value and what is expected.
 */
export function loadNodeConfig(
  root: string,
  environment: Environment,
  flags: Readonly<Record<string, string | undefined>> = {},
): LoadedConfig {
  const usual = homePaths(resolve(root))
  if (!existsSync(usual.configToml))
    throw nodeErrors.noHome(`${usual.configToml} is not there; run "coind init <moniker>" first`)
  const overrides = overridesOf(nodeSettings, environment, flags)
  const app = readTomlFile(usual.appToml, appForm, overrides)
  const comet = readTomlFile(usual.configToml, cometForm, overrides)
  const blockTimeMs = app.given.has('engine.block-time')
    ? app.values['engine.block-time']
    : comet.values['consensus.timeout_commit']
  const config: NodeConfig = {
    home: namedFiles(usual, comet.values),
    moniker: comet.values.moniker,
    log: { level: logLevel(comet.values.log_level), format: comet.values.log_format },
    p2p: { address: comet.values['p2p.laddr'] },
    txIndex: comet.values['tx_index.indexer'],
    ...appPart(app.values),
    engine: {
      blockTimeMs,
      createBlocksOnDemand: app.values['engine.create-blocks-on-demand'],
      createEmptyBlocks: comet.values['consensus.create_empty_blocks'],
      emptyBlockIntervalMs: comet.values['consensus.create_empty_blocks_interval'],
    },
    ...cometPart(comet.values),
  }
  return { config: deepFreeze(config), warnings: [...app.warnings, ...comet.warnings] }
}

function namedFiles(usual: HomePaths, comet: Values<typeof cometSettings>): HomePaths {
  return {
    ...usual,
    genesis: resolve(usual.root, comet.genesis_file),
    privValidatorKey: resolve(usual.root, comet.priv_validator_key_file),
    privValidatorState: resolve(usual.root, comet.priv_validator_state_file),
    nodeKey: resolve(usual.root, comet.node_key_file),
  }
}

/** The last level that is named, so that CometBFT's `state:info,*:error` works too. */
function logLevel(given: string): LogLevel {
  const name = given.split(',').at(-1)!.split(':').at(-1)!
  const level = logLevels.find((it) => it === name)
  if (level === undefined)
    throw nodeErrors.badConfig(`log_level is "${given}", expected one of ${logLevels.join(', ')}`)
  return level
}

function pruningOf(app: Values<typeof appSettings>): Pruning {
  switch (app.pruning) {
    case 'nothing':
      return { keepRecent: 0, interval: 0 }
    case 'everything':
      return { keepRecent: 2, interval: 10 }
    case 'custom': {
      const [keepRecent, interval] = [app['pruning-keep-recent'], app['pruning-interval']]
      if (keepRecent < 2 || interval < 10) {
        throw nodeErrors.badConfig(
          `app.toml: pruning is "custom" with pruning-keep-recent ${keepRecent} and pruning-interval ${interval}, expected at least 2 and 10`,
        )
      }
      return { keepRecent, interval }
    }
    default:
      return { keepRecent: 362_880, interval: 10 }
  }
}

function simulationLimit(given: string): number | undefined {
  if (given === '') return undefined
  if (!/^[0-9]{1,15}$/.test(given))
    throw nodeErrors.badConfig(`app.toml: wasm.simulation_gas_limit is "${given}", expected an integer`)
  return Number(given)
}

/** A broadcast that waits answers half a second before the connection gives up on it. */
function broadcastBlockTimeout(app: Values<typeof appSettings>): number {
  const [asked, write] = [app['api.broadcast-block-timeout'] * 1000, app['api.rpc-write-timeout'] * 1000]
  return write === 0 ? asked : Math.min(asked, write - 500)
}

/**
 * Of one query when the operator names no limit: 100 MB of state, or a list of some 800,000 entries that is counted. A reader that
 * runs out of memory may take the process, and so the chain, with it.
 */
const queryGasMax = 300_000_000

function queryGasLimit(app: Values<typeof appSettings>): number {
  return app['query-gas-limit'] || Math.max(queryGasMax, app['wasm.query_gas_limit'])
}

/** Throws `badConfig` for a time in which no query could be answered. */
function queryTimeout(app: Values<typeof appSettings>): number {
  const timeoutMs = app['queries.timeout']
  if (timeoutMs < 100)
    throw nodeErrors.badConfig(`queries.timeout of app.toml is ${timeoutMs} ms, expected 100ms or more`)
  return timeoutMs
}

function appPart(app: Values<typeof appSettings>) {
  return {
    bech32Prefix: app['bech32-prefix'],
    minimumGasPrices: app['minimum-gas-prices'],
    queryGasLimit: queryGasLimit(app),
    pruning: pruningOf(app),
    haltHeight: app['halt-height'],
    haltTime: app['halt-time'],
    minRetainBlocks: app['min-retain-blocks'],
    indexEvents: app['index-events'],
    api: {
      enable: app['api.enable'],
      address: app['api.address'],
      maxOpenConnections: app['api.max-open-connections'],
      readTimeoutMs: app['api.rpc-read-timeout'] * 1000,
      writeTimeoutMs: app['api.rpc-write-timeout'] * 1000,
      maxBodyBytes: app['api.rpc-max-body-bytes'],
      unsafeCors: app['api.enabled-unsafe-cors'],
      swagger: app['api.swagger'],
      broadcastBlockTimeoutMs: broadcastBlockTimeout(app),
    },
    queries: { timeoutMs: queryTimeout(app), readers: app['queries.readers'] },
    grpc: {
      enable: app['grpc.enable'],
      address: app['grpc.address'],
      maxRecvBytes: app['grpc.max-recv-msg-size'],
      maxSendBytes: app['grpc.max-send-msg-size'],
      // As in the SDK: no gRPC-Web without gRPC.
      web: app['grpc.enable'] && app['grpc-web.enable'],
    },
    wasm: {
      smartQueryGasLimit: app['wasm.query_gas_limit'],
      memoryCacheMiB: app['wasm.memory_cache_size'],
      simulationGasLimit: simulationLimit(app['wasm.simulation_gas_limit']),
    },
  }
}

function cometPart(comet: Values<typeof cometSettings>) {
  return {
    rpc: {
      address: comet['rpc.laddr'],
      corsAllowedOrigins: comet['rpc.cors_allowed_origins'],
      maxOpenConnections: comet['rpc.max_open_connections'],
      maxSubscriptionClients: comet['rpc.max_subscription_clients'],
      maxSubscriptionsPerClient: comet['rpc.max_subscriptions_per_client'],
      subscriptionBufferSize: comet['rpc.experimental_subscription_buffer_size'],
      broadcastCommitTimeoutMs: comet['rpc.timeout_broadcast_tx_commit'],
      maxBatchSize: comet['rpc.max_request_batch_size'],
      maxBodyBytes: comet['rpc.max_body_bytes'],
      maxHeaderBytes: comet['rpc.max_header_bytes'],
      unsafe: comet['rpc.unsafe'],
    },
    mempool: {
      maxTxs: comet['mempool.size'],
      maxTxsBytes: comet['mempool.max_txs_bytes'],
      maxTxBytes: comet['mempool.max_tx_bytes'],
      cacheSize: comet['mempool.cache_size'],
      recheck: comet['mempool.recheck'],
      keepInvalidTxsInCache: comet['mempool.keep-invalid-txs-in-cache'],
    },
    metrics: {
      enable: comet['instrumentation.prometheus'],
      address: comet['instrumentation.prometheus_listen_addr'],
    },
  }
}

/** Freezes plain objects and lists all the way down; values of classes are immutable already. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const child of Object.values(value)) deepFreeze(child)
  return value
}
