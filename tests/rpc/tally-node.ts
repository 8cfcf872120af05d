import { utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { type OpenEngine, openEngine, testGenesis } from '@coin/engine/testing/open-engine'
import type { NodeConfig } from '@coin/node/config/node-config'
import { createTxIndexing, indexHere } from '@coin/node/index/index-thread'
import { createRpcServer } from '@coin/node/rpc/server'
import { createConsensus } from '@coin/node/services/consensus'
import { memoryKvDatabase } from '@coin/store/kv-database'

/** A real engine with the tally application behind a real RPC server; blocks are made when the test says so. */
export interface TallyNode extends OpenEngine {
  readonly http: string
  readonly socket: string
  /** Submits transactions and puts them into one block a second later. */
  block(...texts: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** With nanoseconds in its time, as real chains have them. */
export const tallyGenesis = { ...testGenesis, time: testGenesis.time + 123_456_789n }

const defaults: NodeConfig['rpc'] = {
  address: { host: '127.0.0.1', port: 0 },
  corsAllowedOrigins: [],
  maxOpenConnections: 100,
  maxSubscriptionClients: 3,
  maxSubscriptionsPerClient: 3,
  subscriptionBufferSize: 5,
  broadcastCommitTimeoutMs: 200,
  maxBatchSize: 3,
  maxBodyBytes: 100_000,
  maxHeaderBytes: 16_384,
  unsafe: false,
}

const facts = {
  nodeId: '0a'.repeat(20),
  moniker: 'tally',
  chainId: tallyGenesis.chainId,
  listenAddress: 'tcp://0.0.0.0:26656',
  rpcAddress: 'tcp://127.0.0.1:26657',
  consensusVersion: '0.38.17',
  version: {
    name: 'tally',
    appName: 'tallyd',
    version: '1.0',
    gitCommit: '',
    buildTags: '',
    goVersion: '',
    buildDeps: [],
    cosmosSdkVersion: '',
  },
  isSyncing: () => false,
}

export async function startTallyNode(changes: Partial<NodeConfig['rpc']> = {}): Promise<TallyNode> {
  const open = openEngine({ genesis: tallyGenesis })
  const { engine, app, time } = open
  const db = memoryKvDatabase()
  const start = indexHere(db, engine.blocks)
  const index = createTxIndexing({ db, blocks: engine.blocks, log: silentLogger, start })
  engine.onBlock(index.add)
  const server = createRpcServer(
    { ...defaults, ...changes },
    {
      blocks: engine.blocks,
      consensus: createConsensus(engine, app),
      validator: engine.validator,
      onBlock: (listener) => engine.onBlock(listener),
      query: (request) => app.query(request),
      genesis: tallyGenesis,
      index,
      facts,
      log: silentLogger,
    },
  )
  const { host, port } = await server.listen()
  return {
    ...open,
    http: `http://${host}:${port}`,
    socket: `ws://${host}:${port}`,
    async block(...texts) {
      await Promise.all(texts.map((text) => engine.mempool.submit(utf8ToBytes(text)).checked))
      engine.produceBlock()
      time.advance(1000)
    },
    async close() {
      await server.close()
      await index.close()
    },
  }
}
