import { join } from 'node:path'
import type { Bytes } from '@coin/base/bytes'
import type { Logger } from '@coin/base/logger'
import type { Genesis } from '@coin/engine/genesis'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { createAddressCodecs } from '@coin/wire/addresses'
import type { AppSettings } from '../app-settings.js'
import { createClosing } from '../closing.js'
import type { NodeConfig } from '../config/node-config.js'
import type { ConnectionLimits } from '../file-limit.js'
import { createGrpcServer } from '../grpc/server.js'
import { createGrpcWeb } from '../grpc/web.js'
import { HeldBytes, heldBytesMax } from '../held-bytes.js'
import { noTxIndex } from '../index/no-index.js'
import { openTxIndex } from '../index/open-index.js'
import { type Door, listen } from '../lifetime.js'
import { createSite } from '../openapi/site.js'
import type { AppQueries, Consensus, NodeFacts } from '../ports.js'
import { createReaderPool, type ReaderPoolOptions } from '../readers/reader-pool.js'
import { createGateway } from '../rest/gateway.js'
import { createRpcServer } from '../rpc/server.js'
import { createAbciQueries } from '../services/abci-queries.js'
import { createInclusions } from '../services/inclusions.js'
import type { ServicePorts, Services } from '../services/service.js'
import { createServices } from '../services.js'
import { type AnnouncedChain, type Announcement, createAnnouncedChain } from './announced-chain.js'
import type { Caller } from './calls.js'
import { type ConsensusApi, consensusOver } from './consensus-calls.js'
import { type ReadingApi, readingOver } from './reading-calls.js'

/** Everything that the doors are set up with; plain data, so that it can be sent to their thread. */
export interface DoorsSettings {
  readonly config: NodeConfig
  readonly connections: ConnectionLimits
  /** For the readers. */
  readonly app: AppSettings
  /** Type URLs of the messages that the application takes. */
  readonly messages: readonly string[]
  /** As it is written in the file. */
  readonly genesis: Genesis
  readonly validator: { readonly address: Bytes; readonly pubKey: Bytes }
  readonly facts: Omit<NodeFacts, 'isSyncing' | 'earliestStateHeight'>
}

/** REST, gRPC and RPC, and what they read: the tx index, the block files, the readers of the state. */
export interface Doors {
  /** Opens everything at the last block; answers name and `host:port` of each door. With an error nothing is left open. */
  open(first: Announcement): Promise<readonly (readonly [name: string, address: string])[]>
  /** Tells of the next block, in order. */
  announce(block: Announcement): void
  close(): Promise<void>
}

interface Insides {
  readonly settings: DoorsSettings
  readonly chain: AnnouncedChain
  readonly consensus: Consensus
  readonly app: AppQueries
  readonly log: Logger
  readonly held: HeldBytes
}

/** Runs in the thread of the doors; `caller` leads to the thread that makes blocks. */
export function createDoors(settings: DoorsSettings, caller: Caller<ConsensusApi & ReadingApi>, log: Logger): Doors {
  const closing = createClosing()
  const { dataDir } = settings.config.home
  let chain: AnnouncedChain | undefined
  return {
    async open(first) {
      try {
        const db = openKvDatabase(join(dataDir, 'blocks'))
        closing.add(() => db.close())
        chain = createAnnouncedChain(db, log)
        chain.announce(first)
        const { height } = chain.blocks
        const reads = { logger: log, height, reached: chain.reached, ...readingOver(caller) }
        const app = await createReaderPool({ ...readerOptions(settings), ...reads })
        closing.add(app.close)
        const held = new HeldBytes(heldBytesMax)
        const insides = { settings, chain, consensus: whenTold(consensusOver(caller), chain), app, log, held }
        const doors = await buildDoors(insides, closing.add)
        const addresses: [string, string][] = []
        for (const door of doors) {
          const { host, port } = await listen(door)
          closing.add(door.close)
          addresses.push([door.name, `${host}:${port}`])
        }
        return addresses
      } catch (error) {
        await closing.closeAll()
        throw error
      }
    },
    announce: (block) => chain?.announce(block),
    close: closing.closeAll,
  }
}

/** What the thread that makes blocks says of the last one is passed on when it can be read at every door. */
function whenTold(consensus: Consensus, { reached }: AnnouncedChain): Consensus {
  return {
    ...consensus,
    async info() {
      const info = await consensus.info()
      await reached(info.lastHeight)
      return info
    },
    async round() {
      const round = await consensus.round()
      if (round.lastCommit !== undefined) await reached(round.lastCommit.height)
      return round
    },
  }
}

function readerOptions({ app, config }: DoorsSettings): Pick<ReaderPoolOptions, 'app' | 'deadlineMs' | 'readers'> {
  const { timeoutMs, readers } = config.queries
  return { app, deadlineMs: timeoutMs, ...(readers > 0 && { readers }) }
}

async function buildDoors(insides: Insides, onClose: (close: () => Promise<void>) => void): Promise<readonly Door[]> {
  const { settings, chain, consensus, app, log, held } = insides
  const { config } = settings
  const { blocks, onBlock } = chain
  const { dataDir } = config.home
  const index =
    config.txIndex === 'null'
      ? undefined
      : await openTxIndex({ dataDir, engine: { blocks, onBlock }, log, indexEvents: config.indexEvents })
  if (index) onClose(index.close)
  const facts: NodeFacts = {
    ...settings.facts,
    isSyncing: () => false,
    earliestStateHeight: chain.earliestState,
  }
  const ports = {
    blocks,
    txs: index ?? noTxIndex,
    broadcaster: consensus,
    inclusions: createInclusions({ consensus, onBlock }),
    broadcastBlockTimeoutMs: config.api.broadcastBlockTimeoutMs,
    app,
    facts,
    messages: settings.messages,
    addresses: createAddressCodecs(settings.app.bech32Prefix),
  }
  const services = createServices(ports)
  const rpc = createRpcServer(
    { ...config.rpc, maxOpenConnections: settings.connections.rpc },
    {
      blocks,
      consensus,
      validator: settings.validator,
      onBlock,
      query: createAbciQueries(services, app),
      genesis: settings.genesis,
      index,
      facts,
      log,
      held,
    },
  )
  return [
    { name: 'RPC', address: config.rpc.address, listen: rpc.listen, close: rpc.close },
    ...grpcDoor(insides, services),
    ...restDoor(insides, ports, services),
  ]
}

function restDoor({ settings, app, log, held }: Insides, ports: ServicePorts, services: Services): readonly Door[] {
  const { api, grpc } = settings.config
  if (!api.enable) return []
  const hooks = [
    ...(api.swagger ? [createSite({ ...ports, services, denom: settings.app.denom, log })] : []),
    ...(grpc.web ? [createGrpcWeb({ receiveBytesMax: grpc.maxRecvBytes, held }, { services, app, log })] : []),
  ]
  const gateway = createGateway(
    {
      host: api.address.host,
      port: api.address.port,
      cors: api.unsafeCors,
      bodyBytesMax: api.maxBodyBytes,
      readTimeoutMs: api.readTimeoutMs,
      answerTimeoutMs: api.writeTimeoutMs,
      connectionsMax: settings.connections.api,
    },
    { services, app, log, hooks, held },
  )
  return [{ name: 'REST', address: api.address, listen: gateway.listen, close: gateway.close }]
}

function grpcDoor({ settings, app, log, held }: Insides, services: Services): readonly Door[] {
  const { enable, address, maxRecvBytes, maxSendBytes } = settings.config.grpc
  if (!enable) return []
  const limits = {
    receiveBytesMax: maxRecvBytes,
    sendBytesMax: maxSendBytes,
    connectionsMax: settings.connections.grpc,
  }
  const server = createGrpcServer({ ...limits, host: address.host, port: address.port, held }, { services, app, log })
  return [{ name: 'gRPC', address, listen: server.listen, close: server.close }]
}
