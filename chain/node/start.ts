import type { Logger } from '@coin/base/logger'
import type { EngineOptions } from '@coin/engine/embedded/engine'
import type { Genesis } from '@coin/engine/genesis'
import { formatDecCoins } from '@coin/wire/coins'
import { secp256k1Backend } from '@coin/wire/secp256k1'
import type { AppSettings } from './app-settings.js'
import { type Chain, openChain } from './chain.js'
import { type Closing, createClosing } from './closing.js'
import type { NodeConfig } from './config/node-config.js'
import { historyBlocksOf, nodeFacts } from './facts.js'
import { connectionsWithin, openFilesMax } from './file-limit.js'
import { addressPrefix, denomOfGenesis, readGenesisFile } from './home/genesis-file.js'
import { type Ed25519Key, nodeIdOf, readKeyFile, signStateFile } from './home/key-files.js'
import { createLifetime, haltWhenDue } from './lifetime.js'
import { given } from './open-app.js'
import type { RunningNode } from './running-node.js'
import { createConsensus } from './services/consensus.js'
import type { DoorsSettings } from './threads/doors.js'
import { openDoors } from './threads/open-doors.js'

/** app.toml has no setting for it. */
const grpcConnectionsMax = 1000

/** Power of the only validator of a genesis that names none. */
const soleValidatorPower = 1n

export interface NodeDependencies {
  readonly logger: Logger
  /** Aborted when the operator wants the node to stop while it is still starting. */
  readonly signal: AbortSignal
}

/**
 * Starts the node of a home folder: opens the chain, then the doors, then makes blocks. Resolves when all of it runs; throws what
 * went wrong, or the reason of `signal`, with nothing left open.
 */
export async function startNode(config: NodeConfig, { logger, signal }: NodeDependencies): Promise<RunningNode> {
  const backend = secp256k1Backend()
  if (backend.reason !== undefined) logger.warn({ backend: backend.name }, backend.reason)
  if (config.engine.emptyBlockIntervalMs > 0)
    logger.warn({}, 'consensus.create_empty_blocks_interval has no effect: empty blocks come at the block time')
  const closing = createClosing()
  const lifetime = createLifetime(closing.closeAll, logger)
  let addresses: ReadonlyMap<string, string>
  try {
    const node = await openNode(config, logger, lifetime.fail, closing)
    signal.throwIfAborted()
    const { engine, store, app } = node.chain
    const consensus = createConsensus(engine, app)
    const doors = await openDoors({ settings: node.doors, engine, store, consensus, app, logger })
    closing.add(doors.close)
    addresses = doors.addresses
    signal.throwIfAborted()
    haltWhenDue(config, engine, logger, lifetime.stop)
    engine.start()
    if (config.engine.createEmptyBlocks) await Promise.race([doors.firstBlock, lifetime.finished])
    // Who waits for these lines wants to talk to a chain that has a block.
    for (const [name, address] of addresses) logger.info({ address }, `${name} is open`)
    signal.throwIfAborted()
  } catch (error) {
    await closing.closeAll().catch((failure: unknown) => logger.error({ error: String(failure) }, 'not all is closed'))
    throw error
  }
  return { addresses, stop: lifetime.stop, finished: lifetime.finished }
}

interface OpenNode {
  readonly chain: Chain
  readonly doors: DoorsSettings
}

async function openNode(
  config: NodeConfig,
  logger: Logger,
  onHalt: (error: Error) => void,
  closing: Closing,
): Promise<OpenNode> {
  const { genesis, json } = readGenesisFile(config.home.genesis)
  const key = readKeyFile(config.home.privValidatorKey)
  const nodeId = nodeIdOf(readKeyFile(config.home.nodeKey))
  const app: AppSettings = {
    dataDir: config.home.dataDir,
    chainId: genesis.chainId,
    bech32Prefix: addressPrefix(config.bech32Prefix, json, config.home.genesis),
    denom: denomOfGenesis(json),
    minGasPrices: formatDecCoins(config.minimumGasPrices),
    smartQueryGasLimit: config.wasm.smartQueryGasLimit,
    queryGasLimit: config.queryGasLimit,
    ...given({ simulationGasLimit: config.wasm.simulationGasLimit }),
  }
  const chain = await openChain(
    {
      ...app,
      genesis: withValidator(genesis, key, config.moniker, logger),
      engine: engineOptions(config),
      historyBlocks: historyBlocksOf(config.pruning),
      minRetainBlocks: config.minRetainBlocks,
      privateKey: key.privateKey,
      signState: signStateFile(config.home.privValidatorState),
    },
    { logger, onHalt },
  )
  closing.add(chain.close)
  const { address, pubKey } = chain.engine.validator
  const asked = { rpc: config.rpc.maxOpenConnections, api: config.api.maxOpenConnections, grpc: grpcConnectionsMax }
  const connections = connectionsWithin(asked, openFilesMax(), logger)
  const facts = nodeFacts(config, nodeId, genesis.chainId)
  return {
    chain,
    doors: {
      config,
      connections,
      app,
      messages: chain.app.msgs.list(),
      genesis,
      validator: { address, pubKey },
      facts,
    },
  }
}

function engineOptions({ engine, mempool }: NodeConfig): EngineOptions {
  return {
    blockTimeMs: engine.blockTimeMs,
    blockAtOnce: engine.createBlocksOnDemand,
    createEmptyBlocks: engine.createEmptyBlocks,
    mempool: {
      size: mempool.maxTxs,
      txsBytesMax: mempool.maxTxsBytes,
      txBytesMax: mempool.maxTxBytes,
      cacheSize: mempool.cacheSize,
      recheck: mempool.recheck,
      keepInvalidInCache: mempool.keepInvalidTxsInCache,
    },
  }
}

/** The embedded engine has one validator: this node. A genesis that leaves that to its genesis transactions gets it here. */
function withValidator(genesis: Genesis, key: Ed25519Key, name: string, logger: Logger): Genesis {
  if (genesis.validators.length > 0) return genesis
  logger.warn({}, 'the genesis names no validator; this node is the only one')
  const { address, publicKey: pubKey } = key
  return { ...genesis, validators: [{ address, keyType: 'ed25519', pubKey, power: soleValidatorPower, name }] }
}
