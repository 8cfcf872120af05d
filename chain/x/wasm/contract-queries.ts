import { type Bytes, bytesToBase64, bytesToHex, bytesToUtf8, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Read } from '@coin/runtime/context'
import { sdkErrors } from '@coin/runtime/errors'
import type { QueryRouter } from '@coin/runtime/query-router'
import { coinJson, goString } from '@coin/vm/json'
import type { AddressCodec } from '@coin/wire/addresses'
import type { Metadata } from '@coin/wire/gen/cosmos/bank/v1beta1/bank'
import { messageToJsonText } from '@coin/wire/json'
import { parseJson } from '@coin/wire/json-text'
import { checkJson } from './checks.js'
import { errors, invalidRequest, noSuchCode, noSuchContract, unknownRequest, unsupportedRequest } from './errors.js'
import { JsonFields } from './json-fields.js'
import type { BankPort } from './ports.js'
import { codes, contracts, pinnedCodes } from './state.js'

export interface ContractQueriesOptions {
  readonly bank: BankPort
  readonly addresses: AddressCodec
  readonly router: QueryRouter
  /** Methods that contracts may ask through `grpc` and `stargate`, with the full name of the answer's message. */
  readonly accepted: ReadonlyMap<string, string>
  readonly querySmart: (ctx: Read, contract: Bytes, request: Bytes, stackLeft: number) => Bytes
  readonly queryRaw: (ctx: Read, contract: Bytes, key: Bytes) => Bytes | undefined
}

type Handler = (ctx: Read, fields: JsonFields) => Bytes

/** Answers cosmwasm-std's `QueryRequest`. Its answers are JSON as Go's wasmvm types write it. */
export function createContractQueries(options: ContractQueriesOptions) {
  const kinds: Record<string, Handler> = {
    bank: bankQueries(options),
    custom: () => {
      throw unsupportedRequest('custom')
    },
    stargate: (ctx, fields) => stargateQuery(options, ctx, fields),
    grpc: (ctx, fields) => grpcQuery(options, ctx, fields),
  }
  return (ctx: Read, _contract: Bytes, request: Bytes, stackLeft: number): Bytes => {
    const fields = parseRequest(request)
    for (const [kind, handle] of Object.entries(kinds)) {
      const inner = readMaybe(request, fields, kind)
      if (inner !== undefined) return handle(ctx, inner)
    }
    const wasm = readMaybe(request, fields, 'wasm')
    if (wasm !== undefined) return wasmQuery(options, ctx, wasm, stackLeft)
    const kind = fields.names()[0]
    throw kind === undefined ? unknownRequest() : unsupportedRequest(`${kind} queries are not available on this chain`)
  }
}

function parseRequest(request: Bytes): JsonFields {
  try {
    return JsonFields.of(parseJson(bytesToUtf8(request)), 'request')
  } catch (error) {
    throw invalidRequest(error instanceof Error ? error.message : 'not JSON', request)
  }
}

function readMaybe(request: Bytes, fields: JsonFields, name: string): JsonFields | undefined {
  try {
    return fields.maybe(name)
  } catch (error) {
    throw error instanceof CodedError ? invalidRequest(error.message, request) : error
  }
}

const json = (text: string): Bytes => utf8ToBytes(text)

const base64Json = (bytes: Bytes): string => `"${bytesToBase64(bytes)}"`

function decodeAddress(addresses: AddressCodec, text: string): Bytes {
  try {
    return addresses.decode(text)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.invalidAddress(text) : error
  }
}

function bankQueries({ bank, addresses, router }: ContractQueriesOptions): Handler {
  return (ctx, fields) => {
    const all = fields.maybe('all_balances')
    if (all !== undefined) {
      const coins = bank.balancesOf(ctx, decodeAddress(addresses, all.text('address')))
      return json(`{"amount":[${coins.map(coinJson).join(',')}]}`)
    }
    const balance = fields.maybe('balance')
    if (balance !== undefined) {
      const denom = balance.text('denom')
      const amount = bank.balanceOf(ctx, decodeAddress(addresses, balance.text('address')), denom)
      return json(`{"amount":${coinJson({ denom, amount })}}`)
    }
    const supply = fields.maybe('supply')
    if (supply !== undefined) {
      const denom = supply.text('denom')
      return json(`{"amount":${coinJson({ denom, amount: bank.supplyOf(ctx, denom) })}}`)
    }
    const metadata = fields.maybe('denom_metadata')
    if (metadata !== undefined) return denomMetadata(router, ctx, metadata.text('denom'))
    const list = fields.maybe('all_denom_metadata')
    if (list !== undefined) return allDenomMetadata(router, ctx, list.maybe('pagination'))
    throw unsupportedRequest('unknown BankQuery variant')
  }
}

function metadataJson(metadata: Metadata): string {
  const units = metadata.denomUnits.map(
    ({ denom, exponent, aliases }) =>
      `{"denom":${goString(denom)},"exponent":${exponent},"aliases":[${aliases.map(goString).join(',')}]}`,
  )
  const fields = [
    ['description', goString(metadata.description)],
    ['denom_units', `[${units.join(',')}]`],
    ['base', goString(metadata.base)],
    ['display', goString(metadata.display)],
    ['name', goString(metadata.name)],
    ['symbol', goString(metadata.symbol)],
    ['uri', goString(metadata.uri)],
    ['uri_hash', goString(metadata.uriHash)],
  ]
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`
}

function denomMetadata(router: QueryRouter, ctx: Read, denom: string): Bytes {
  const route = router.get('/cosmos.bank.v1beta1.Query/DenomMetadata')
  if (route === undefined) throw unsupportedRequest('denom metadata')
  try {
    const { metadata } = route.handle(ctx, { denom }) as { metadata: Metadata }
    return json(`{"metadata":${metadataJson(metadata)}}`)
  } catch (error) {
    throw error instanceof CodedError ? sdkErrors.notFound(denom) : error
  }
}

function allDenomMetadata(router: QueryRouter, ctx: Read, page: JsonFields | undefined): Bytes {
  const route = router.get('/cosmos.bank.v1beta1.Query/DenomsMetadata')
  if (route === undefined) throw unsupportedRequest('all denom metadata')
  const pagination = {
    key: page?.bytes('key') ?? emptyBytes,
    offset: 0n,
    limit: page?.uint64('limit') ?? 0n,
    countTotal: false,
    reverse: page?.flag('reverse') ?? false,
  }
  const answer = route.handle(ctx, { pagination }) as { metadatas: Metadata[]; pagination?: { nextKey: Bytes } }
  const next = answer.pagination?.nextKey ?? emptyBytes
  const nextField = next.length === 0 ? '' : `,"next_key":${base64Json(next)}`
  return json(`{"metadata":[${answer.metadatas.map(metadataJson).join(',')}]${nextField}}`)
}

function wasmQuery(options: ContractQueriesOptions, ctx: Read, fields: JsonFields, stackLeft: number): Bytes {
  const { addresses, querySmart, queryRaw } = options
  const smart = fields.maybe('smart')
  if (smart !== undefined) {
    const contract = decodeAddress(addresses, smart.text('contract_addr'))
    const msg = smart.bytes('msg')
    checkJson(msg, 'json msg')
    return querySmart(ctx, contract, msg, stackLeft)
  }
  const raw = fields.maybe('raw')
  if (raw !== undefined) {
    const contract = decodeAddress(addresses, raw.text('contract_addr'))
    const key = raw.maybeBytes('key')
    return (key === undefined ? undefined : queryRaw(ctx, contract, key)) ?? emptyBytes
  }
  const info = fields.maybe('contract_info')
  if (info !== undefined) return contractInfo(ctx, addresses, info.text('contract_addr'))
  const code = fields.maybe('code_info')
  if (code !== undefined) return codeInfo(ctx, code.uint64('code_id'))
  throw unsupportedRequest('unknown WasmQuery variant')
}

function contractInfo(ctx: Read, addresses: AddressCodec, address: string): Bytes {
  const info = contracts.get(ctx, decodeAddress(addresses, address))
  if (info === undefined) throw noSuchContract(address)
  const { codeId, creator, admin, ibcPortId } = info
  const adminField = admin === '' ? '' : `"admin":${goString(admin)},`
  const portField = ibcPortId === '' ? '' : `,"ibc_port":${goString(ibcPortId)}`
  const pinned = pinnedCodes.has(ctx, codeId)
  return json(`{"code_id":${codeId},"creator":${goString(creator)},${adminField}"pinned":${pinned}${portField}}`)
}

function codeInfo(ctx: Read, codeId: bigint): Bytes {
  if (codeId === 0n) throw errors.empty('code id')
  const info = codes.get(ctx, codeId)
  if (info === undefined) throw noSuchCode(codeId)
  return json(`{"code_id":${codeId},"creator":${goString(info.creator)},"checksum":"${bytesToHex(info.codeHash)}"}`)
}

function checkAccepted({ accepted }: ContractQueriesOptions, path: string, disabled: string): string {
  if (accepted.size === 0) throw unsupportedRequest(disabled)
  const type = accepted.get(path)
  if (type === undefined) throw unsupportedRequest(`'${path}' path is not allowed from the contract`)
  return type
}

/** The answer as protobuf. */
function grpcQuery(options: ContractQueriesOptions, ctx: Read, fields: JsonFields): Bytes {
  const path = fields.text('path')
  checkAccepted(options, path, 'gRPC queries are disabled on this chain')
  return options.router.handle(ctx, path, fields.bytes('data'))
}

/** The answer as Cosmos JSON. */
function stargateQuery(options: ContractQueriesOptions, ctx: Read, fields: JsonFields): Bytes {
  const path = fields.text('path')
  const type = checkAccepted(options, path, 'Stargate queries are disabled on this chain')
  const route = options.router.get(path)
  if (route === undefined) throw unsupportedRequest(`No route to query '${path}'`)
  const answer = route.handle(ctx, route.request.decode(fields.bytes('data'))) as object
  return json(messageToJsonText(type, answer))
}
