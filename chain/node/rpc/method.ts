import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { QueryResult } from '@coin/engine/application'
import type { BlockReads } from '@coin/engine/embedded/block-store'
import type { CommittedBlock } from '@coin/engine/embedded/engine'
import type { Genesis } from '@coin/engine/genesis'
import type { BlockIndex } from '../index/tx-index.js'
import type { AbciQuery, Awaitable, Consensus, NodeFacts, TxIndex } from '../ports.js'
import { type Json, toJsonText } from './comet-json.js'
import type { AnyParams, Params, ParamTypes } from './params.js'

/** What RPC needs of the node. */
export interface RpcPorts {
  readonly blocks: BlockReads
  readonly consensus: Consensus
  readonly validator: { readonly address: Bytes; readonly pubKey: Bytes }
  readonly onBlock: (listener: (committed: CommittedBlock) => void) => () => void
  /** `abci_query`. Failures are in the result. */
  readonly query: (request: AbciQuery) => Awaitable<QueryResult>
  readonly genesis: Genesis
  /** Absent when the node keeps no index. */
  readonly index?: (TxIndex & BlockIndex) | undefined
  readonly facts: Pick<
    NodeFacts,
    'nodeId' | 'moniker' | 'chainId' | 'listenAddress' | 'rpcAddress' | 'consensusVersion' | 'version' | 'isSyncing'
  >
}

/** The answer of a method as JSON text. */
export type ResultText = string

export interface RpcMethod {
  readonly params: ParamTypes
  /** `gone` is aborted when the client has left: nobody waits for the answer. */
  readonly run: (params: AnyParams, gone: AbortSignal) => Awaitable<ResultText>
  /** Whether an answer may be cached for a day, as CometBFT says. */
  readonly isCacheable: (params: AnyParams) => boolean
}

export type RpcMethods = ReadonlyMap<string, RpcMethod>

type Cacheable<T extends ParamTypes> = 'never' | 'always' | keyof T

/** `cacheable`: never, always, or when this parameter is given. */
export function method<const T extends ParamTypes>(
  name: string,
  params: T,
  cacheable: Cacheable<T>,
  run: (params: Params<T>, gone: AbortSignal) => Awaitable<Json | { readonly text: ResultText }>,
): readonly [string, RpcMethod] {
  const finish = (result: Json | { readonly text: ResultText }) => (isText(result) ? result.text : toJsonText(result))
  return [
    name,
    {
      params,
      isCacheable: (given) =>
        cacheable === 'always' ||
        (cacheable !== 'never' && given[cacheable as string] !== undefined && given[cacheable as string] !== 0),
      run(given, gone) {
        const result = run(given as Params<T>, gone)
        return result instanceof Promise ? result.then(finish) : finish(result as Json | { readonly text: ResultText })
      },
    },
  ]
}

function isText(result: unknown): result is { readonly text: ResultText } {
  return typeof result === 'object' && result !== null && Object.keys(result).length === 1 && 'text' in result
}

/** ABCI-style code of `failure`; `rpc` 1 is a wrong parameter. */
const failedCode = 2

/** A failure whose text goes to the client as it is; where CometBFT has a text it is that, because clients match on it. */
export function failure(text: string): CodedError {
  return new CodedError('rpc', failedCode, text)
}

/** The height that was asked for, or the latest. Texts as CometBFT's. */
export function requireHeight(blocks: BlockReads, latest: number, height: number | undefined): number {
  if (height === undefined) return latest
  if (height <= 0) throw failure(`height must be greater than 0, but got ${height}`)
  if (height > latest)
    throw failure(`height ${height} must be less than or equal to the current blockchain height ${latest}`)
  if (height < blocks.base()) throw failure(`height ${height} is not available, lowest height is ${blocks.base()}`)
  return height
}

const perPageDefault = 30
const perPageMax = 100

export function perPageOf(perPage: number | undefined): number {
  return perPage === undefined || perPage < 1 ? perPageDefault : Math.min(perPage, perPageMax)
}

/** Matches to skip for a page. Throws when there is no such page. */
export function skipOf(page: number | undefined, perPage: number, total: number): number {
  if (page === undefined) return 0
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (page <= 0 || page > pages) throw failure(`page should be within [1, ${pages}] range, given ${page}`)
  return (page - 1) * perPage
}

export function orderOf(orderBy: string | undefined, fallback: 'asc' | 'desc'): 'asc' | 'desc' {
  if (orderBy === undefined || orderBy === '') return fallback
  if (orderBy === 'asc' || orderBy === 'desc') return orderBy
  throw failure('expected order_by to be either `asc` or `desc` or empty')
}
