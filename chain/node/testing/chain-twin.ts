import { type Bytes, bytesToHex, emptyBytes, equalBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { TxResult } from '@coin/engine/application'
import { type Block, type BlockMeta, emptyBlockId, emptyCommit, type ValidatorSet } from '@coin/engine/comet/types'
import type { BlockListener } from '@coin/engine/embedded/engine'
import { mempoolErrors } from '@coin/engine/errors'
import { status } from '@coin/runtime/status'
import { createAddressCodecs } from '@coin/wire/addresses'
import { chainJson } from '@coin/wire/json'
import { codecOf, descriptors } from '@coin/wire/registry'
import { sha256 } from '@coin/wire/sha256'
import type { AppQueries, Broadcast, IndexedTx, NodeFacts, TxPosition, TxSearch } from '../ports.js'
import { createInclusions } from '../services/inclusions.js'
import type { ServicePorts } from '../services/service.js'

/** A query method of the twin's application: decoded request and height in, response message out. */
export type TwinQuery<Request = never> = (request: Request, height: number) => object

/** An in-memory chain behind every port, for tests of the doors. Blocks hold what `addBlock` is given; nothing is executed. */
export interface ChainTwin {
  readonly ports: ServicePorts
  /** Adds a block of these transactions; answers its height. */
  addBlock(...txs: readonly { bytes: Bytes; result?: Partial<TxResult> }[]): number
  /** Forgets blocks below a height. */
  pruneBelow(height: number): void
  answerQuery<Request>(method: string, query: TwinQuery<Request>): void
  /** What the next broadcasts do: a CheckTx result, or an error that the mempool throws. */
  setVerdict(verdict: Partial<Broadcast['checked']> | CodedError): void
  /** Searches that were made, newest last. */
  readonly searches: readonly TxSearch[]
  /** Transactions that were broadcast, in order. */
  readonly broadcasts: readonly Bytes[]
  /** Queries that reached the application. */
  queryCount(): number
}

const genesisTimeNs = 1_700_000_000_500_000_000n
const secondNs = 1_000_000_000n
const validatorKey = new Uint8Array(32).fill(7)
const validatorAddress = sha256(validatorKey).slice(0, 20)
const success: TxResult = {
  code: 0,
  codespace: '',
  data: emptyBytes,
  log: '',
  info: '',
  gasWanted: 200_000,
  gasUsed: 80_000,
  events: [],
}

const emptyResults = { events: [], validatorUpdates: [], appHash: emptyBytes }

export function createChainTwin(prefix = 'coin'): ChainTwin {
  const blocks: { block: Block; meta: BlockMeta }[] = []
  const txs: IndexedTx[] = []
  const searches: TxSearch[] = []
  const broadcasts: Bytes[] = []
  const queries = new Map<string, TwinQuery>()
  const pool = { verdict: {} as Partial<Broadcast['checked']> | CodedError, base: 1, queryCount: 0 }
  const at = (height: number) => (height < pool.base ? undefined : blocks[height - 1])
  const check = (tx: Bytes): Broadcast => {
    if (pool.verdict instanceof CodedError) throw pool.verdict
    if (broadcasts.some((known) => equalBytes(known, tx))) throw mempoolErrors.inCache()
    broadcasts.push(tx)
    return { hash: sha256(tx), checked: { ...success, gasUsed: 0, ...pool.verdict } }
  }
  const listeners = new Set<BlockListener>()
  const isWaiting = (hash: Bytes): boolean => {
    const has = (tx: { readonly bytes: Bytes }): boolean => equalBytes(sha256(tx.bytes), hash)
    return broadcasts.some((bytes) => has({ bytes })) && !txs.some(has)
  }
  const ports: ServicePorts = {
    addresses: createAddressCodecs(prefix),
    facts: twinFacts,
    blocks: {
      height: () => blocks.length,
      base: () => (blocks.length === 0 ? 0 : pool.base),
      meta: (height) => at(height)?.meta,
      block: async (height) => at(height)?.block,
      validators: () => twinValidators,
    },
    txs: {
      get: (hash) => txs.find((tx) => equalBytes(tx.hash, hash)),
      search: (search) => {
        searches.push(search)
        return searchTwin(txs, search)
      },
    },
    broadcaster: { sync: async (tx) => check(tx), async: (tx) => check(tx).hash },
    inclusions: createInclusions({
      consensus: {
        areWaiting: (hashes) => ({ height: blocks.length, waiting: hashes.map(isWaiting) }),
      },
      onBlock(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }),
    broadcastBlockTimeoutMs: 30_000,
    app: twinApp(() => blocks.length, queries, pool),
  }
  return {
    ports,
    searches,
    broadcasts,
    queryCount: () => pool.queryCount,
    addBlock(...given) {
      const height = blocks.length + 1
      const block = twinBlock(
        height,
        given.map(({ bytes }) => bytes),
      )
      const blockId = {
        hash: sha256(new TextEncoder().encode(`block ${height}`)),
        parts: { total: 1, hash: sha256(validatorKey) },
      }
      blocks.push({ block, meta: { blockId, blockSize: 1000, header: block.header, txCount: given.length } })
      for (const [index, { bytes, result }] of given.entries()) {
        txs.push({ hash: sha256(bytes), height, index, bytes, result: { ...success, ...result } })
      }
      const inBlock = txs.filter((tx) => tx.height === height)
      const results = { ...emptyResults, txResults: inBlock.map(({ result }) => result) }
      for (const listener of listeners) listener({ block, blockId, txHashes: inBlock.map(({ hash }) => hash), results })
      return height
    },
    pruneBelow: (height) => {
      pool.base = height
    },
    answerQuery: (method, query) => queries.set(method, query),
    setVerdict: (verdict) => {
      pool.verdict = verdict
    },
  }
}

function twinApp(
  height: () => number,
  queries: ReadonlyMap<string, TwinQuery>,
  pool: { queryCount: number },
): AppQueries {
  const ask = (method: string, request: Bytes, at: number) => {
    pool.queryCount++
    const query = queries.get(method)
    const descriptor = descriptors().method(method)
    if (query === undefined || descriptor === undefined) throw status('unimplemented', `unknown method ${method}`)
    return { output: descriptor.output, response: query(codecOf(descriptor.input).decode(request) as never, at) }
  }
  return {
    height,
    methods: () => [...queries.keys()].sort(),
    query: (method, request, at = height()) => {
      const { output, response } = ask(method, request, at)
      return { response: codecOf(output).encode(response).finish(), height: at }
    },
    queryJson: (method, request, at = height()) => {
      const { output, response } = ask(method, request, at)
      return { response: chainJson().stringify(output, response), height: at }
    },
    abci: ({ path, data, height }) => ({
      code: 0,
      codespace: '',
      log: '',
      key: data,
      value: new TextEncoder().encode(path),
      height,
      proofOps: [],
    }),
  }
}

const twinValidators: ValidatorSet = {
  validators: [
    { address: validatorAddress, keyType: 'ed25519', pubKey: validatorKey, power: 10n, proposerPriority: 0n },
  ],
  proposer: validatorAddress,
}

function twinBlock(height: number, txs: readonly Bytes[]): Block {
  const hash = sha256(Uint8Array.of(height & 255))
  return {
    header: {
      version: { block: 11n, app: 1n },
      chainId: 'twin-1',
      height,
      time: genesisTimeNs + BigInt(height) * secondNs,
      lastBlockId: emptyBlockId,
      lastCommitHash: hash,
      dataHash: hash,
      validatorsHash: hash,
      nextValidatorsHash: hash,
      consensusHash: hash,
      appHash: hash,
      lastResultsHash: hash,
      evidenceHash: hash,
      proposerAddress: validatorAddress,
    },
    txs,
    evidence: [],
    lastCommit: emptyCommit,
  }
}

/** Knows `tx.height=<n>`, `tx.height><n>`, `tx.hash='<hex>'` and `<type>.<key>='<value>'`, joined by AND. */
function searchTwin(txs: readonly IndexedTx[], { query, order, limit, skip, from, countTotal }: TxSearch) {
  const conditions = query.split(' AND ').map(parseCondition)
  const matches = txs.filter((tx) => conditions.every((condition) => condition(tx)))
  const ordered = order === 'asc' ? matches : [...matches].reverse()
  const isBefore = (tx: TxPosition, position: TxPosition): boolean =>
    tx.height !== position.height ? tx.height < position.height : tx.index < position.index
  const start =
    from === undefined ? 0 : ordered.findIndex((tx) => (order === 'asc' ? !isBefore(tx, from) : !isBefore(from, tx)))
  const rest = start < 0 ? [] : ordered.slice(start + skip)
  const next = rest[limit]
  return {
    txs: rest.slice(0, limit),
    next: next && { height: next.height, index: next.index },
    total: countTotal ? matches.length : undefined,
  }
}

function parseCondition(text: string): (tx: IndexedTx) => boolean {
  const match = /^([a-zA-Z0-9_.-]+)\s*(=|>)\s*(?:'([^']*)'|([0-9]+))$/.exec(text)
  if (match === null) throw new CodedError('index', 1, `cannot read the condition "${text}"`)
  const [, tag = '', operator, word, number] = match
  if (tag === 'tx.height') return (tx) => (operator === '=' ? tx.height === Number(number) : tx.height > Number(number))
  if (tag === 'tx.hash') return (tx) => bytesToHex(tx.hash).toUpperCase() === word
  return ({ result }) =>
    result.events.some(({ type, attributes }) =>
      attributes.some((it) => `${type}.${it.key}` === tag && it.value === word),
    )
}

const twinFacts: NodeFacts = {
  nodeId: '0123456789abcdef0123456789abcdef01234567',
  moniker: 'twin',
  chainId: 'twin-1',
  listenAddress: 'tcp://0.0.0.0:26656',
  rpcAddress: 'tcp://127.0.0.1:26657',
  consensusVersion: '0.38.17',
  version: {
    name: 'coin',
    appName: 'coind',
    version: '0.1.0',
    gitCommit: '',
    buildTags: '',
    goVersion: '',
    buildDeps: [{ path: 'a', version: '1', sum: '' }],
    cosmosSdkVersion: 'v0.53.4',
  },
  minimumGasPrices: '0.001000000000000000ucoin',
  pruningKeepRecent: '0',
  pruningInterval: '0',
  haltHeight: 0,
  isSyncing: () => false,
  earliestStateHeight: () => 0,
}
