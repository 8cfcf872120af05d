import { AssertionError } from '@coin/base/assert'
import { type Bytes, emptyBytes, utf8ToBytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { Logger } from '@coin/base/logger'
import type { QueryResult } from '@coin/engine/application'
import { messageToJsonText } from '@coin/wire/json'
import type { CommittedStates } from './app-reader.js'
import type { Read } from './context.js'
import { isPlainError, sdkErrors, storeQueryErrors, undefinedErrors } from './errors.js'
import { OutOfGas } from './gas.js'
import type { QueryRouter } from './query-router.js'
import { type Simulate, toSimulationResponse } from './simulate.js'
import { formatStatus, grpcCodes, grpcCodespace } from './status.js'

export interface QueryRequest {
  readonly path: string
  readonly data: Bytes
  /** 0 is the last committed one. */
  readonly height: number
  readonly prove: boolean
}

export interface QuerySources {
  readonly states: CommittedStates
  readonly storeNames: ReadonlySet<string>
  readonly queries: QueryRouter
  readonly simulate: Simulate
  readonly version: string
  /** Told of queries that end with our own bugs: clients get little of them. */
  readonly logger: Logger
  readAt(height: number): Read
}

/** `abci_query`: gRPC methods by their path, `/store/<name>/key`, `/app/simulate` and `/app/version`. Bad input is a code. */
export function answerQuery(sources: QuerySources, request: QueryRequest): QueryResult {
  const height = request.height === 0 ? sources.states.height : request.height
  try {
    return { ...success(height), ...dispatch(sources, { ...request, height }) }
  } catch (error) {
    if (!isExpected(error)) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
      sources.logger.error({ path: request.path.slice(0, 120), error: cause }, 'a query failed')
    }
    return failedQuery(error)
  }
}

function isExpected(error: unknown): boolean {
  return error instanceof CodedError || error instanceof OutOfGas
}

/** What went wrong in a query, as its result, which has no height. Throws assertions on: they are our own bugs. */
export function failedQuery(error: unknown): QueryResult {
  if (error instanceof AssertionError) throw error
  const { codespace, code, message } = toSdkError(error)
  return { ...success(0), code, codespace, log: message }
}

/** The same of a gRPC method that has been asked at `height`: clients know its errors by the codes of `sdk` alone. */
export function failedMethod(error: unknown, height: number): QueryResult {
  return { ...failedQuery(error instanceof CodedError ? asMethodError(error) : error), height }
}

/** What has no code of its own there is the caller's mistake; a module's own code is not told. */
function asMethodError(error: CodedError): CodedError {
  if (error.codespace === grpcCodespace || isPanic(error)) return error
  return isPlainError(error) ? sdkErrors.invalidRequest(error.message) : sdkErrors.unknownRequest(error.message)
}

/** What a handler of the SDK crashes on is not told as the caller's mistake. */
function isPanic({ codespace, code }: CodedError): boolean {
  return codespace === 'undefined' && code === undefinedErrors.panic.code
}

function dispatch(sources: QuerySources, request: QueryRequest): Partial<QueryResult> {
  const { path } = request
  if (sources.queries.get(path) !== undefined) return queryMethod(sources, request)
  const parts = (path.startsWith('/') ? path.slice(1) : path).split('/')
  switch (parts[0]) {
    case 'store':
      return queryStore(sources, parts, request)
    case 'app':
      return queryApp(sources, parts, request)
    case 'p2p':
      if (parts.length < 4) throw sdkErrors.unknownRequest('path should be p2p filter <addr|id> <parameter>')
      return { height: 0 }
    default:
      if (path === '') throw sdkErrors.unknownRequest('no query path provided')
      throw sdkErrors.unknownRequest(`unknown query path: ${path.slice(0, 120)}`)
  }
}

function queryMethod(sources: QuerySources, { path, data, height, prove }: QueryRequest): Partial<QueryResult> {
  if (height === 1 && prove) throw proofTooEarly()
  const state = sources.readAt(height)
  try {
    return { value: sources.queries.handle(state, path, data) }
  } catch (error) {
    if (!isExpected(error)) throw error
    return failedMethod(error, height)
  }
}

function queryStore(sources: QuerySources, parts: readonly string[], request: QueryRequest): Partial<QueryResult> {
  const [, name = '', ...kind] = parts
  const { data: key, height, prove } = request
  if (height <= 1 && prove) throw proofTooEarly()
  if (!sources.storeNames.has(name)) throw storeQueryErrors.unknownRequest(`no such store: ${name.slice(0, 80)}`)
  if (kind.join('/') !== 'key')
    throw storeQueryErrors.unknownRequest(`unexpected query path: /${kind.join('/').slice(0, 120)}`)
  if (key.length === 0) throw storeQueryErrors.txDecode('query cannot be zero length')
  checkHeight(sources.states, height)
  if (!prove) return { key, value: sources.states.at(height).store(name).get(key) ?? emptyBytes }
  const { value, ops } = sources.states.prove(height, name, key)
  return { key, value: value ?? emptyBytes, proofOps: ops }
}

function queryApp(sources: QuerySources, parts: readonly string[], request: QueryRequest): Partial<QueryResult> {
  if (parts[1] === 'version') return { codespace: 'sdk', value: utf8ToBytes(sources.version) }
  if (parts.length > 1 && parts[1] !== 'simulate')
    throw sdkErrors.unknownRequest(`unknown query: [${parts.join(' ').slice(0, 120)}]`)
  if (parts.length === 1) {
    const expected = "expected second parameter to be either 'simulate' or 'version', neither was present"
    throw sdkErrors.unknownRequest(expected)
  }
  const outcome = sources.simulate(request.data)
  if (outcome.error !== undefined) throw outcome.error.wrap('failed to simulate tx')
  const json = messageToJsonText('cosmos.base.abci.v1beta1.SimulationResponse', toSimulationResponse(outcome))
  return { codespace: 'sdk', value: utf8ToBytes(json) }
}

/** Throws unless the height is committed. Heights that are pruned are for the store to refuse. */
export function checkHeight({ height: latest }: Pick<CommittedStates, 'height'>, height: number): void {
  if (height < 0) throw sdkErrors.invalidRequest('cannot query with height < 0; please provide a valid height')
  if (latest === 0) throw sdkErrors.invalidHeight('the chain is not ready; please wait for first block')
  if (height <= latest) return
  const ahead = `height ${height} is ahead of the chain (latest ${latest})`
  throw sdkErrors.invalidHeight(`cannot query with height in the future; please provide a valid height: ${ahead}`)
}

function proofTooEarly(): CodedError {
  return sdkErrors.invalidRequest('cannot query with proof when height <= 1; please provide a valid height')
}

function success(height: number): QueryResult {
  return { code: 0, codespace: '', log: '', key: emptyBytes, value: emptyBytes, height, proofOps: [] }
}

/** As the SDK translates a gRPC handler's error for `abci_query`; CosmJS looks for the gRPC code in the text. */
function toSdkError(error: unknown): CodedError {
  if (error instanceof OutOfGas) return sdkErrors.outOfGas(error.message)
  if (!(error instanceof CodedError)) {
    return undefinedErrors.panic(error instanceof Error ? error.message : String(error))
  }
  if (error.codespace !== grpcCodespace) return error
  const text = formatStatus(error)
  switch (error.code) {
    case grpcCodes.notFound:
      return sdkErrors.keyNotFound(text)
    case grpcCodes.invalidArgument:
    case grpcCodes.failedPrecondition:
      return sdkErrors.invalidRequest(text)
    case grpcCodes.unauthenticated:
      return sdkErrors.unauthorized(text)
    default:
      return sdkErrors.unknownRequest(text)
  }
}
