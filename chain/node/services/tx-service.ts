import { type Bytes, emptyBytes, hexToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type {
  BroadcastTxRequest,
  GetBlockWithTxsRequest,
  GetBlockWithTxsResponse,
  GetTxRequest,
  GetTxResponse,
  GetTxsEventRequest,
  GetTxsEventResponse,
  TxDecodeAminoRequest,
  TxDecodeAminoResponse,
  TxDecodeRequest,
  TxDecodeResponse,
  TxEncodeAminoRequest,
  TxEncodeAminoResponse,
  TxEncodeRequest,
  TxEncodeResponse,
} from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { AuthInfo, Tx, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { chainStdTx } from '@coin/wire/std-tx'
import { readProtoBlock } from './comet-service.js'
import { checkHeight } from './heights.js'
import { type CallContext, method, type ServiceMethod, type ServicePorts } from './service.js'
import { invalidArgument, notFound } from './service-errors.js'
import { broadcastTx } from './tx-broadcast.js'
import { checkedTx, knownTx, toTxResponse } from './tx-response.js'
import { encodeCursor, toTxSearch } from './tx-search.js'

type Ports = Pick<ServicePorts, 'blocks' | 'txs' | 'broadcaster' | 'inclusions' | 'broadcastBlockTimeoutMs'>

const service = '/cosmos.tx.v1beta1.Service'
const hashBytes = 32

/** `cosmos.tx.v1beta1.Service`: finds and broadcasts transactions. `Simulate` is the application's. */
export function txService(ports: Ports): readonly (readonly [string, ServiceMethod])[] {
  return [
    method(`${service}/GetTx`, (request: GetTxRequest) => getTx(ports, request)),
    method(`${service}/GetTxsEvent`, (request: GetTxsEventRequest, context) => searchTxs(ports, request, context)),
    method(`${service}/GetBlockWithTxs`, (request: GetBlockWithTxsRequest) => blockWithTxs(ports, request)),
    method(`${service}/BroadcastTx`, (request: BroadcastTxRequest) => broadcastTx(ports, request)),
    method(`${service}/TxDecode`, ({ txBytes }: TxDecodeRequest): TxDecodeResponse => {
      if (txBytes.length === 0) throw invalidArgument('invalid empty tx bytes')
      return { tx: checkedTx(txBytes) }
    }),
    method(`${service}/TxEncode`, ({ tx }: TxEncodeRequest): TxEncodeResponse => {
      if (tx === undefined) throw invalidArgument('invalid empty tx')
      return { txBytes: encodeTx(tx) }
    }),
    method(`${service}/TxEncodeAmino`, ({ aminoJson }: TxEncodeAminoRequest): TxEncodeAminoResponse => {
      if (aminoJson === '') throw invalidArgument('invalid empty tx json')
      return { aminoBinary: chainStdTx().toBinary(aminoJson) }
    }),
    method(`${service}/TxDecodeAmino`, ({ aminoBinary }: TxDecodeAminoRequest): TxDecodeAminoResponse => {
      if (aminoBinary.length === 0) throw invalidArgument('invalid empty tx bytes')
      return { aminoJson: chainStdTx().toJson(aminoBinary) }
    }),
  ]
}

async function getTx(ports: Ports, { hash }: GetTxRequest): Promise<GetTxResponse> {
  const bytes = parseHash(hash)
  const found = bytes.length === hashBytes ? await ports.txs.get(bytes) : undefined
  if (found === undefined) throw notFound(`tx not found: ${shorten(hash)}`)
  return { tx: knownTx(found.bytes), txResponse: await toTxResponse(ports.blocks, found) }
}

/** In either case, with `0x` or without. As in the SDK, bytes of another length are the hash of no transaction. */
function parseHash(text: string): Bytes {
  if (text === '') throw invalidArgument('tx hash cannot be empty, expected 64 hexadecimal digits')
  const digits = text.replace(/^0[xX]/, '')
  if (!/^([0-9a-fA-F]{2})+$/.test(digits)) {
    throw invalidArgument(`tx hash "${shorten(text)}" is not hexadecimal, expected 64 digits`)
  }
  return hexToBytes(digits)
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}...` : text)

async function searchTxs(
  ports: Ports,
  request: GetTxsEventRequest,
  context: CallContext,
): Promise<GetTxsEventResponse> {
  const search = toTxSearch(request, context)
  const page = await refuseAsArgument(() => ports.txs.search(search))
  const txResponses = []
  for (const tx of page.txs) txResponses.push(await toTxResponse(ports.blocks, tx))
  const total = BigInt(page.total ?? 0)
  return {
    // One for each response, also for bytes that got into a block and are no transaction.
    txs: page.txs.map(({ bytes }) => knownTx(bytes) ?? Tx.fromPartial({})),
    txResponses,
    pagination: { nextKey: page.next === undefined ? emptyBytes : encodeCursor(page.next), total },
    total,
  }
}

/** What the index says of a query is the caller's mistake, whatever codespace the index has. */
async function refuseAsArgument<T>(run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof CodedError && error.codespace !== 'grpc' ? invalidArgument(error.message) : error
  }
}

async function blockWithTxs(ports: Ports, request: GetBlockWithTxsRequest): Promise<GetBlockWithTxsResponse> {
  const { blockId, block } = await readProtoBlock(ports, checkHeight(request.height, ports.blocks))
  const all = block.data.txs
  const offset = request.pagination?.offset ?? 0n
  const limit = request.pagination?.limit || 100n
  if (offset >= BigInt(all.length) && all.length > 0) {
    throw invalidArgument(`offset ${offset} is past the block's ${all.length} transactions`)
  }
  const ordered = request.pagination?.reverse === true ? [...all].reverse() : all
  const txs = ordered.slice(Number(offset), Number(offset + limit)).map(knownTx)
  return {
    txs: txs.filter((tx) => tx !== undefined),
    blockId,
    block,
    pagination: { nextKey: emptyBytes, total: BigInt(all.length) },
  }
}

function encodeTx({ body, authInfo, signatures }: Tx): Bytes {
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body ?? TxBody.fromPartial({})).finish(),
    authInfoBytes: AuthInfo.encode(authInfo ?? AuthInfo.fromPartial({})).finish(),
    signatures,
  }).finish()
}
