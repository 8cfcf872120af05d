import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@coin/base/logger'
import type { Genesis } from '@coin/engine/genesis'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { createAddressCodecs } from '@coin/wire/addresses'
import { formatDecCoins } from '@coin/wire/coins'
import { secp256k1Backend } from '@coin/wire/secp256k1'
import { type Chain, openChain } from './chain.js'
import type { NodeConfig } from './config/node-config.js'
import { nodeFacts } from './facts.js'
import { denomOfGenesis, prefixOfGenesis, readGenesisFile } from './home/genesis-file.js'
import { type Ed25519Key, nodeIdOf, readKeyFile, signStateFile } from './home/key-files.js'
import { createTxIndexing, indexInWorker, type TxIndexing } from './index/index-thread.js'

import type { NodeFacts } from './ports.js'
import { createGateway } from './rest/gateway.js'
import { createRpcServer } from './rpc/server.js'
import type { RunningNode } from './running-node.js'
import { createAppQueries } from './services/app-queries.js'
import { createBroadcaster } from './services/broadcaster.js'
import type { ServicePorts } from './services/service.js'
import { createServices } from './services.js'

/** More versions of the trees than this are not kept in memory, whatever app.toml's pruning says. */
const historyBlocksMax = 200

/** Power of the only validator of a genesis that names none. */
const soleValidatorPower = 1n

export interface NodeDependencies {
  readonly logger: Logger
  /** Aborted when the operator wants the node to stop while it is still starting. */
  readonly signal: AbortSignal
}

/**
 * Starts the node of a home folder: opens the chain, then the doors, then makes blocks. Resolves when all of it runs; throws what
 * went wrong with nothing left open.
 */
export async function startNode(config: NodeConfig, { logger, signal }: NodeDependencies): Promise<RunningNode> {
  const backend = secp256k1Backend()
  if (backend.reason !== undefined) logger.warn({ backend: backend.name }, backend.reason)
  const opened: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  failed.catch(() => undefined) // `finished` reports it
  const addresses = new Map<string, string>()
  try {
    const node = await openNode(config, logger, fail)
    opened.push(
      () => node.chain.close(),
      () => node.index.close(),
    )
    for (const door of createDoors(config, node, logger)) {
      signal.throwIfAborted()
      const { host, port } = await door.listen()
      opened.push(door.close)
      addresses.set(door.name, `${host}:${port}`)
      logger.info({ address: `${host}:${port}` }, `${door.name} is open`)
    }
    node.chain.engine.start()
  } catch (error) {
    await closeAll()
    throw error
  }
  let stopping: Promise<void> | undefined
  let stopped: () => void = () => undefined
  const clean = new Promise<void>((resolve) => {
    stopped = resolve
  })
  const stop = () => {
    stopping ??= closeAll().then(stopped)
    return stopping
  }
  failed.catch(() => closeAll())
  return { addresses, stop, finished: Promise.race([clean, failed]) }
}

interface OpenNode {
  readonly chain: Chain
  readonly index: TxIndexing
  readonly genesis: Genesis
  readonly prefix: string
  readonly facts: NodeFacts
}

async function openNode(config: NodeConfig, logger: Logger, onHalt: (error: Error) => void): Promise<OpenNode> {
  const { genesis: written, json } = readGenesisFile(config.home.genesis)
  const key = readKeyFile(config.home.privValidatorKey)
  const genesis = withValidator(written, key, config.moniker, logger)
  const prefix = config.bech32Prefix === '' ? prefixOfGenesis(json) : config.bech32Prefix
  const { keepRecent } = config.pruning
  const chain = await openChain(
    {
      dataDir: config.home.dataDir,
      genesis,
      bech32Prefix: prefix,
      denom: denomOfGenesis(json),
      minGasPrices: formatDecCoins(config.minimumGasPrices),
      engine: {
        blockTimeMs: config.engine.blockTimeMs,
        blockAtOnce: config.engine.createBlocksOnDemand,
        createEmptyBlocks: config.engine.createEmptyBlocks,
        mempool: {
          size: config.mempool.maxTxs,
          txsBytesMax: config.mempool.maxTxsBytes,
          txBytesMax: config.mempool.maxTxBytes,
          cacheSize: config.mempool.cacheSize,
          recheck: config.mempool.recheck,
          keepInvalidInCache: config.mempool.keepInvalidTxsInCache,
        },
      },
      historyBlocks: keepRecent === 0 ? historyBlocksMax : Math.min(keepRecent, historyBlocksMax),
      minRetainBlocks: config.minRetainBlocks,
      ...(config.queryGasLimit > 0 && { queryGasLimit: config.queryGasLimit }),
      smartQueryGasLimit: config.wasm.smartQueryGasLimit,
      ...(config.wasm.simulationGasLimit !== undefined && { simulationGasLimit: config.wasm.simulationGasLimit }),
      privateKey: key.privateKey,
      signState: signStateFile(config.home.privValidatorState),
    },
    { logger, onHalt },
  )
  const index = openIndex(config, chain, logger)
  const nodeId = nodeIdOf(readKeyFile(config.home.nodeKey))
  return { chain, index, genesis, prefix, facts: nodeFacts(config, nodeId, genesis.chainId, chain.store) }
}

function openIndex(config: NodeConfig, { engine }: Chain, log: Logger): TxIndexing {
  const path = join(config.home.dataDir, 'tx_index')
  mkdirSync(path, { recursive: true })
  const db = openKvDatabase(path)
  const index = createTxIndexing({
    db,
    blocks: engine.blocks,
    log,
    start: indexInWorker({ index: path, blocks: join(config.home.dataDir, 'blocks') }),
  })
  const unsubscribe = engine.onBlock(index.add)
  return {
    ...index,
    close: async () => {
      unsubscribe()
      await index.close()
      await db.close()
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

interface Door {
  readonly name: string
  listen(): Promise<{ readonly host: string; readonly port: number }>
  close(): Promise<void>
}

function createDoors(config: NodeConfig, node: OpenNode, log: Logger): readonly Door[] {
  const { chain, index, facts, genesis } = node
  const { engine } = chain
  const app = createAppQueries(chain.app)
  const ports: ServicePorts = {
    blocks: engine.blocks,
    txs: index,
    broadcaster: createBroadcaster(engine.mempool),
    app,
    facts,
    addresses: createAddressCodecs(node.prefix),
  }
  const services = createServices(ports)
  const rpc = createRpcServer(config.rpc, {
    blocks: engine.blocks,
    mempool: engine.mempool,
    state: () => engine.state(),
    validator: engine.validator,
    onBlock: (listener) => engine.onBlock(listener),
    app: chain.app,
    query: (request) => chain.app.query(request),
    genesis,
    index,
    facts,
    log,
  })
  const { api } = config
  const rest = createGateway(
    {
      host: api.address.host,
      port: api.address.port,
      cors: api.unsafeCors,
      bodyBytesMax: api.maxBodyBytes,
      timeoutMs: api.readTimeoutMs,
      connectionsMax: api.maxOpenConnections,
    },
    { services, app, log },
  )
  return [
    { name: 'RPC', listen: rpc.listen, close: rpc.close },
    ...(api.enable ? [{ name: 'REST', listen: rest.listen, close: rest.close }] : []),
  ]
}
