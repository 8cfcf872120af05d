import { utf8ToBytes } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import type { BlockListener } from '@coin/engine/embedded/engine'
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
  /** While they are held, the server is not told of blocks, as when it runs in another thread; `false` tells it of all of them. */
  holdBlocks(held: boolean): void
  /** Who listens to blocks on behalf of clients. */
  listeners(): number
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

export async function startTallyNode(
  changes: Partial<NodeConfig['rpc']> = {},
  limits: { readonly maxGas?: bigint } = {},
): Promise<TallyNode> {
  const { consensusParams } = tallyGenesis
  const block = { ...consensusParams.block, ...limits }
  const open = openEngine({ genesis: { ...tallyGenesis, consensusParams: { ...consensusParams, block } } })
  const { engine, app, time } = open
  const db = memoryKvDatabase()
  const start = indexHere(db, engine.blocks)
  const index = createTxIndexing({ db, blocks: engine.blocks, log: silentLogger, start })
  engine.onBlock(index.add)
  const told = holdable(engine)
  const server = createRpcServer(
    { ...defaults, ...changes },
    {
      blocks: engine.blocks,
      consensus: createConsensus(engine, app),
      validator: engine.validator,
      onBlock: told.onBlock,
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
    holdBlocks: told.hold,
    listeners: told.count,
    async close() {
      await server.close()
      await index.close()
    },
  }
}

/** The engine's blocks, which can be kept back. */
function holdable(engine: OpenEngine['engine']) {
  const listeners = new Set<BlockListener>()
  let held: Parameters<BlockListener>[0][] | undefined
  const tell: BlockListener = (committed) => {
    for (const listener of listeners) listener(committed)
  }
  engine.onBlock((committed) => (held ? void held.push(committed) : tell(committed)))
  return {
    onBlock(listener: BlockListener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    hold(isHeld: boolean) {
      const waiting = held ?? []
      held = isHeld ? waiting : undefined
      if (!isHeld) for (const committed of waiting) tell(committed)
    },
    count: () => listeners.size,
  }
}
