import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@coin/base/logger'
import { parseGenesis } from '@coin/engine/genesis'
import { createAddressCodecs } from '@coin/wire/addresses'
import { type Chain, openChain } from '../chain.js'
import type { NodeConfig } from '../config/node-config.js'
import { HeldBytes, heldBytesMax } from '../held-bytes.js'
import { newGenesis } from '../home/genesis-file.js'
import { newEd25519Key, signStateFile } from '../home/key-files.js'
import { noTxIndex } from '../index/no-index.js'
import { openTxIndex } from '../index/open-index.js'
import type { NodeFacts } from '../ports.js'
import { createRpcServer } from '../rpc/server.js'
import { createAbciQueries } from '../services/abci-queries.js'
import { createAppQueries } from '../services/app-queries.js'
import { createConsensus } from '../services/consensus.js'
import { createInclusions } from '../services/inclusions.js'
import { createServices } from '../services.js'
import { versionInfo } from '../version.js'

export interface RpcReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer
  readonly json: any
}

/** CometBFT's RPC of a real chain on a free port. Blocks are made by hand: `chain.engine.produceBlock()`. */
export interface OpenRpc {
  readonly chain: Chain
  readonly port: number
  /** What the server counts its large requests and answers with. */
  readonly held: HeldBytes
  /** What the server has warned of, newest last. */
  readonly warnings: readonly string[]
  /** A body to `/`; what is no text is sent as JSON. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<RpcReply>
  get(path: string, init?: RequestInit): Promise<RpcReply>
  /** `result` or `error` of a JSON-RPC call. */
  call(method: string, params?: unknown): Promise<RpcReply['json']>
  close(): Promise<void>
}

const rpcDefaults: NodeConfig['rpc'] = {
  address: { host: '127.0.0.1', port: 0 },
  corsAllowedOrigins: [],
  maxOpenConnections: 900,
  maxSubscriptionClients: 3,
  maxSubscriptionsPerClient: 3,
  subscriptionBufferSize: 200,
  broadcastCommitTimeoutMs: 200,
  maxBatchSize: 10,
  maxBodyBytes: 1_000_000,
  maxHeaderBytes: 16_384,
  unsafe: false,
}

export async function openRpc(options: Partial<NodeConfig['rpc']> = {}, hasIndex = true): Promise<OpenRpc> {
  const dataDir = mkdtempSync(join(tmpdir(), 'coind-rpc-'))
  const { chain, genesis } = await openTestChain(dataDir)
  const warnings: string[] = []
  const held = new HeldBytes(heldBytesMax)
  const { engine } = chain
  const index = hasIndex ? await openTxIndex({ dataDir, engine, log: silentLogger }) : undefined
  const consensus = createConsensus(engine, chain.app)
  const app = createAppQueries(chain.app)
  const services = createServices({
    blocks: engine.blocks,
    txs: index ?? noTxIndex,
    broadcaster: consensus,
    inclusions: createInclusions({ consensus, onBlock: (listener) => engine.onBlock(listener) }),
    broadcastBlockTimeoutMs: 200,
    app,
    facts,
    addresses: createAddressCodecs('coin'),
  })
  const server = createRpcServer(
    { ...rpcDefaults, ...options },
    {
      blocks: engine.blocks,
      consensus,
      validator: engine.validator,
      onBlock: (listener) => engine.onBlock(listener),
      query: createAbciQueries(services, app),
      genesis,
      index,
      facts,
      log: { ...silentLogger, warn: (_, message) => void warnings.push(message) },
      held,
    },
  )
  const { port } = await server.listen()
  return {
    chain,
    port,
    held,
    warnings,
    ...callsOf(`http://127.0.0.1:${port}`),
    async close() {
      await server.close()
      await index?.close()
      await chain.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Of the only validator. */
export const testValidatorKey = new Uint8Array(32).fill(9)

async function openTestChain(dataDir: string) {
  const key = newEd25519Key(testValidatorKey)
  const validator = { publicKey: key.publicKey, address: key.address, name: 'test' }
  const json = newGenesis({
    chainId: 'rpc-1',
    time: '2026-01-01T00:00:00Z',
    appVersion: 'test',
    denom: 'ucoin',
    displayDenom: 'COIN',
    validator,
  })
  const genesis = parseGenesis(JSON.stringify(json))
  const chain = await openChain(
    {
      dataDir,
      genesis,
      bech32Prefix: 'coin',
      denom: 'ucoin',
      minGasPrices: '',
      engine: { blockTimeMs: 3_600_000, blockAtOnce: false, createEmptyBlocks: true },
      privateKey: key.privateKey,
      signState: signStateFile(join(dataDir, 'priv_validator_state.json')),
    },
    {
      logger: silentLogger,
      onHalt: (error) => {
        throw error
      },
    },
  )
  return { chain, genesis }
}

function callsOf(base: string): Pick<OpenRpc, 'post' | 'get' | 'call'> {
  const fetchReply = async (path: string, init?: RequestInit): Promise<RpcReply> => {
    const response = await fetch(base + path, init)
    const text = await response.text()
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }
  const post: OpenRpc['post'] = (body, headers = {}) =>
    fetchReply('/', { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  return {
    post,
    get: fetchReply,
    async call(method, params) {
      const { json } = await post({ jsonrpc: '2.0', id: 1, method, params })
      return json.error ?? json.result
    },
  }
}

const facts: NodeFacts = {
  nodeId: '0123456789abcdef0123456789abcdef01234567',
  moniker: 'test',
  chainId: 'rpc-1',
  listenAddress: 'tcp://0.0.0.0:26656',
  rpcAddress: 'tcp://127.0.0.1:26657',
  consensusVersion: '0.38.17',
  version: { ...versionInfo, buildDeps: [] },
  minimumGasPrices: '',
  pruningKeepRecent: '0',
  pruningInterval: '0',
  haltHeight: 0,
  isSyncing: () => false,
  earliestStateHeight: () => 0,
}
