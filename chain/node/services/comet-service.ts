import { hexToBytes } from '@coin/base/bytes'
import { encodeBlock } from '@coin/engine/comet/block-codec'
import { blockIdToMessage } from '@coin/engine/comet/codec'
import type { ValidatorSet } from '@coin/engine/comet/types'
import type { PageRequest } from '@coin/wire/gen/cosmos/base/query/v1beta1/pagination'
import type {
  ABCIQueryRequest,
  ABCIQueryResponse,
  GetBlockByHeightRequest,
  GetBlockByHeightResponse,
  GetLatestBlockResponse,
  GetLatestValidatorSetRequest,
  GetLatestValidatorSetResponse,
  GetNodeInfoResponse,
  GetSyncingResponse,
  GetValidatorSetByHeightRequest,
  GetValidatorSetByHeightResponse,
} from '@coin/wire/gen/cosmos/base/tendermint/v1beta1/query'
import { Block } from '@coin/wire/gen/tendermint/types/block'
import type { BlockID } from '@coin/wire/gen/tendermint/types/types'
import { encodeAny } from '@coin/wire/registry'
import { noTxIndex } from '../index/no-index.js'
import { checkHeight } from './heights.js'
import { method, type ServiceMethod, type ServicePorts } from './service.js'
import { invalidArgument, unavailable } from './service-errors.js'

type Ports = Pick<ServicePorts, 'blocks' | 'txs' | 'facts' | 'app' | 'addresses'>

const service = '/cosmos.base.tendermint.v1beta1.Service'
const pageLimitMax = 100n
/** Go's int, which these are there. */
const pageNumberMax = (1n << 63n) - 1n
/** CometBFT v0.38's P2P protocol. */
const p2pProtocol = 8n
/** What a CometBFT node's reactors listen on; clients compare it with what they know, and so the same is told over every door. */
const channels = hexToBytes('40202122233038606100')

/** `cosmos.base.tendermint.v1beta1.Service`: blocks, validators and the node itself. */
export function cometService(ports: Ports): readonly (readonly [string, ServiceMethod])[] {
  return [
    method(`${service}/GetNodeInfo`, () => nodeInfo(ports)),
    method(`${service}/GetSyncing`, (): GetSyncingResponse => ({ syncing: ports.facts.isSyncing() })),
    method(`${service}/GetLatestBlock`, (): Promise<GetLatestBlockResponse> => readBlock(ports, latestHeight(ports))),
    method(
      `${service}/GetBlockByHeight`,
      ({ height }: GetBlockByHeightRequest): Promise<GetBlockByHeightResponse> =>
        readBlock(ports, checkHeight(height, ports.blocks)),
    ),
    method(
      `${service}/GetLatestValidatorSet`,
      ({ pagination }: GetLatestValidatorSetRequest): Promise<GetLatestValidatorSetResponse> =>
        // CometBFT's "latest" is the set of the block that is being made.
        readValidators(ports, latestHeight(ports) + 1, pagination),
    ),
    method(
      `${service}/GetValidatorSetByHeight`,
      ({ height, pagination }: GetValidatorSetByHeightRequest): Promise<GetValidatorSetByHeightResponse> =>
        readValidators(ports, checkHeight(height, ports.blocks), pagination),
    ),
    method(`${service}/ABCIQuery`, (request: ABCIQueryRequest) => abciQuery(ports, request)),
  ]
}

function latestHeight({ blocks }: Ports): number {
  const height = blocks.height()
  if (height === 0) throw unavailable('the chain has no block yet')
  return height
}

/** A block as CometBFT's own message, for this and for `GetBlockWithTxs`. */
export async function readProtoBlock(
  { blocks }: Pick<Ports, 'blocks'>,
  height: number,
): Promise<{ blockId: BlockID; block: Block }> {
  const [block, meta] = [await blocks.block(height), await blocks.meta(height)]
  if (block === undefined || meta === undefined) throw unavailable(`block ${height} cannot be read`)
  return { blockId: blockIdToMessage(meta.blockId), block: Block.decode(encodeBlock(block)) }
}

async function readBlock(ports: Ports, height: number): Promise<GetLatestBlockResponse> {
  const { blockId, block } = await readProtoBlock(ports, height)
  const { proposerAddress, ...header } = block.header
  // The SDK's own form of the block differs in the proposer alone: bech32 instead of bytes.
  const sdkBlock = {
    ...block,
    header: { ...header, proposerAddress: ports.addresses.consensus.encode(proposerAddress) },
  }
  return { blockId, block, sdkBlock }
}

async function readValidators(
  ports: Ports,
  height: number,
  pagination: PageRequest | undefined,
): Promise<GetLatestValidatorSetResponse> {
  const set: ValidatorSet | undefined = await ports.blocks.validators(height)
  if (set === undefined) throw unavailable(`the validators of height ${height} cannot be read`)
  if (pagination !== undefined && pagination.key.length > 0) {
    throw invalidArgument('pagination.key is not supported here, expected pagination.offset')
  }
  const [asked, start] = [pagination?.limit ?? 0n, pagination?.offset ?? 0n]
  if (asked > pageNumberMax || start > pageNumberMax)
    throw invalidArgument(`pagination.limit ${asked} with offset ${start}, expected at most ${pageNumberMax}`)
  const limit = asked === 0n || asked > pageLimitMax ? pageLimitMax : asked
  return {
    blockHeight: BigInt(height),
    validators: set.validators.slice(Number(start), Number(start + limit)).map((validator) => ({
      address: ports.addresses.consensus.encode(validator.address),
      pubKey: encodeAny(`cosmos.crypto.${validator.keyType}.PubKey`, { key: validator.pubKey }),
      votingPower: validator.power,
      proposerPriority: validator.proposerPriority,
    })),
    pagination: { nextKey: new Uint8Array(0), total: BigInt(set.validators.length) },
  }
}

async function nodeInfo({ facts, blocks, txs }: Ports): Promise<GetNodeInfoResponse> {
  const version = (await blocks.meta(blocks.height()))?.header.version
  return {
    defaultNodeInfo: {
      protocolVersion: { p2p: p2pProtocol, block: version?.block ?? 11n, app: version?.app ?? 0n },
      defaultNodeId: facts.nodeId,
      listenAddr: facts.listenAddress,
      network: facts.chainId,
      version: facts.consensusVersion,
      channels,
      moniker: facts.moniker,
      other: { txIndex: txs === noTxIndex ? 'off' : 'on', rpcAddress: facts.rpcAddress },
    },
    applicationVersion: {
      ...facts.version,
      buildDeps: facts.version.buildDeps.map((dependency) => ({ ...dependency })),
    },
  }
}

/** Paths whose queries are no gRPC methods; those have their own routes. */
const rawPaths = new Set(['app', 'store', 'p2p', 'custom'])

async function abciQuery({ app }: Ports, request: ABCIQueryRequest): Promise<ABCIQueryResponse> {
  const { path, data, height, prove } = request
  if (path === '') throw invalidArgument('empty query path')
  if (!rawPaths.has(path.split('/').find((part) => part !== '') ?? '')) {
    throw invalidArgument(`unsupported ABCI query path: ${path}`)
  }
  if (height < 0n || height > BigInt(Number.MAX_SAFE_INTEGER)) throw invalidArgument(`invalid height ${height}`)
  const result = await app.abci({ path, data, height: Number(height), prove })
  return {
    code: result.code,
    codespace: result.codespace,
    log: result.log,
    info: '',
    index: 0n,
    key: result.key,
    value: result.value,
    height: BigInt(result.height),
    proofOps: result.proofOps.length === 0 ? undefined : { ops: result.proofOps.map((op) => ({ ...op })) },
  }
}
