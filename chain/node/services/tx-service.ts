import { type Bytes, bytesToHex, emptyBytes, hexToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import { mempoolErrors } from '@coin/engine/errors'
import { sdkErrors } from '@coin/runtime/errors'
import { TxResponse } from '@coin/wire/gen/cosmos/base/abci/v1beta1/abci'
import {
  BroadcastMode,
  type BroadcastTxRequest,
  type BroadcastTxResponse,
  type GetBlockWithTxsRequest,
  type GetBlockWithTxsResponse,
  type GetTxRequest,
  type GetTxResponse,
  type GetTxsEventRequest,
  type GetTxsEventResponse,
  type TxDecodeRequest,
  type TxDecodeResponse,
  type TxEncodeRequest,
  type TxEncodeResponse,
} from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { AuthInfo, Tx, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { typeUrlOf } from '@coin/wire/registry'
import { formatTimestamp, nsToTimestamp } from '@coin/wire/time'
import { decodeTx, txHash } from '@coin/wire/tx'
import type { IndexedTx } from '../ports.js'
import { readProtoBlock } from './comet-service.js'
import { checkHeight } from './heights.js'
import { type CallContext, method, type ServiceMethod, type ServicePorts } from './service.js'
import { invalidArgument, notFound, unavailable } from './service-errors.js'
import { encodeCursor, toTxSearch } from './tx-search.js'

type Ports = Pick<ServicePorts, 'blocks' | 'txs' | 'broadcaster'>

const service = '/cosmos.tx.v1beta1.Service'

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
  ]
}

async function getTx(ports: Ports, { hash }: GetTxRequest): Promise<GetTxResponse> {
  if (hash === '') throw invalidArgument('tx hash cannot be empty')
  if (!/^([0-9a-fA-F]{2})+$/.test(hash)) {
    throw invalidArgument(`tx hash "${hash.slice(0, 80)}" is not hexadecimal, expected 64 digits`)
  }
  const found = await ports.txs.get(hexToBytes(hash))
  if (found === undefined) throw notFound(`tx not found: ${hash.slice(0, 80)}`)
  return { tx: knownTx(found.bytes), txResponse: await toTxResponse(ports, found) }
}

async function searchTxs(
  ports: Ports,
  request: GetTxsEventRequest,
  context: CallContext,
): Promise<GetTxsEventResponse> {
  const search = toTxSearch(request, context)
  const page = await refuseAsArgument(() => ports.txs.search(search))
  const txResponses = []
  for (const tx of page.txs) txResponses.push(await toTxResponse(ports, tx))
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

async function broadcastTx(
  { broadcaster }: Ports,
  { txBytes, mode }: BroadcastTxRequest,
): Promise<BroadcastTxResponse> {
  if (txBytes.length === 0) throw invalidArgument('invalid empty tx')
  if (mode !== BroadcastMode.BROADCAST_MODE_SYNC && mode !== BroadcastMode.BROADCAST_MODE_ASYNC) {
    throw invalidArgument(`broadcast mode ${modeName(mode)}, expected BROADCAST_MODE_SYNC or BROADCAST_MODE_ASYNC`)
  }
  try {
    if (mode === BroadcastMode.BROADCAST_MODE_ASYNC) {
      const hash = await broadcaster.async(txBytes)
      return { txResponse: TxResponse.fromPartial({ txhash: upperHex(hash) }) }
    }
    const { hash, checked } = await broadcaster.sync(txBytes)
    const { code, codespace, log } = checked
    const data = upperHex(checked.data)
    return { txResponse: TxResponse.fromPartial({ txhash: upperHex(hash), code, codespace, data, rawLog: log }) }
  } catch (error) {
    const refused = error instanceof CodedError ? asSdkError(error) : undefined
    if (refused === undefined) throw error
    const { code, codespace, message } = refused
    return { txResponse: TxResponse.fromPartial({ txhash: txHash(txBytes), code, codespace, rawLog: message }) }
  }
}

function modeName(mode: number): string {
  return Object.entries(BroadcastMode).find(([, number]) => number === mode)?.[0] ?? String(mode)
}

/** What the mempool refuses by itself has a code of the SDK's too. Anything else is a failed call. */
function asSdkError(error: CodedError): CodedError | undefined {
  if (error.codespace !== 'mempool') return undefined
  if (error.code === mempoolErrors.inCache.code) return sdkErrors.txInMempoolCache()
  if (error.code === mempoolErrors.full.code) return sdkErrors.mempoolIsFull()
  if (error.code === mempoolErrors.tooLarge.code) return sdkErrors.txTooLarge(error.message)
  if (error.code === mempoolErrors.halted.code) throw unavailable(error.message)
  return error
}

async function toTxResponse({ blocks }: Ports, { bytes, hash, height, result }: IndexedTx): Promise<TxResponse> {
  const header = (await blocks.meta(height))?.header
  return {
    height: BigInt(height),
    txhash: upperHex(hash),
    codespace: result.codespace,
    code: result.code,
    data: upperHex(result.data),
    rawLog: result.log,
    // Parsed logs are a thing of the past: since SDK 0.50 a successful transaction has an empty log.
    logs: [],
    info: result.info,
    gasWanted: BigInt(result.gasWanted),
    gasUsed: BigInt(result.gasUsed),
    // The fields of a TxRaw on the wire are those of a Tx.
    tx: knownTx(bytes) === undefined ? undefined : { typeUrl: typeUrlOf('cosmos.tx.v1beta1.Tx'), value: bytes },
    timestamp: header === undefined ? '' : formatTimestamp({ ...nsToTimestamp(header.time), nanos: 0 }),
    events: result.events.map(({ type, attributes }) => ({ type, attributes: attributes.map((it) => ({ ...it })) })),
  }
}

/** Decoded strictly, or an error that the caller sees. */
function checkedTx(bytes: Bytes): Tx {
  const { body, authInfo, signatures } = decodeTx(bytes)
  return { body, authInfo, signatures: [...signatures] }
}

/** `undefined` for bytes that got into a block and are no transaction. */
function knownTx(bytes: Bytes): Tx | undefined {
  try {
    return checkedTx(bytes)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

function encodeTx({ body, authInfo, signatures }: Tx): Bytes {
  return TxRaw.encode({
    bodyBytes: TxBody.encode(body ?? TxBody.fromPartial({})).finish(),
    authInfoBytes: AuthInfo.encode(authInfo ?? AuthInfo.fromPartial({})).finish(),
    signatures,
  }).finish()
}

const upperHex = (bytes: Bytes): string => bytesToHex(bytes).toUpperCase()
