import type { Bytes } from '@coin/base/bytes'
import type { QueryResult } from '@coin/engine/application'
import type { ProofPath } from '@coin/store/multi-store'
import type { PendingValue } from '@coin/store/state-reads'
import type { AppSettings } from '../app-settings.js'
import type { AbciQuery, QueryAnswer } from '../ports.js'
import type { Failure } from '../threads/calls.js'
import type { EndFlags } from './ending.js'

/** What a reader thread is started with. */
export interface ReaderData {
  readonly app: AppSettings
  /** One number, shared: how many jobs of its batch the reader has begun. */
  readonly begun: Int32Array
  readonly ending: EndFlags
}

/** One query, as it travels to a reader. */
export type ReaderJob = (
  | {
      readonly kind: 'query' | 'queryJson'
      readonly method: string
      readonly request: Bytes
      readonly height: number | undefined
    }
  | {
      readonly kind: 'abci'
      readonly request: AbciQuery
      /** When a proof is asked for: what the trees know of it, or why there is none. */
      readonly path?: ProofPath | Failure
    }
) & {
  /** For simulations: what lies over the committed state. */
  readonly pending?: readonly PendingValue[]
}

/** What the pool tells a reader: to do these one after the other, or to end. */
export type ReaderRequest = { readonly kind: 'jobs'; readonly jobs: readonly ReaderJob[] } | { readonly kind: 'close' }

export type ReaderResult = QueryAnswer<Bytes> | QueryAnswer<string> | QueryResult

export interface LogRecord {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: object
  readonly message: string
}

/** To the job at `index` of the batch. */
export type ReaderAnswer = { readonly index: number } & (
  | { readonly result: ReaderResult }
  /** `bug`: the stack of what was thrown, when it was not the caller's fault. */
  | { readonly failure: Failure; readonly bug?: string }
)

/** What a reader tells the pool. */
export type ReaderMessage =
  | { readonly kind: 'ready'; readonly methods: readonly string[] }
  /** The last answers of a batch end it; there may be none, when the pool has taken the rest back. */
  | { readonly kind: 'answers'; readonly answers: readonly ReaderAnswer[]; readonly isLast: boolean }
  | { readonly kind: 'log'; readonly record: LogRecord }

const contractMethods: ReadonlySet<string> = new Set([
  '/cosmwasm.wasm.v1.Query/SmartContractState',
  '/cosmos.tx.v1beta1.Service/Simulate',
])

/** Whether a query may run contracts, which nobody has paid for: such ones never take all readers. */
export function runsContracts(job: ReaderJob): boolean {
  if (job.kind !== 'abci') return contractMethods.has(job.method)
  return contractMethods.has(job.request.path) || isRawSimulation(job.request.path)
}

/** `/app/simulate` of `abci_query`, whose data is a transaction. */
export function isRawSimulation(path: string): boolean {
  const [first, second] = partsOf(path)
  return first === 'app' && second === 'simulate'
}

/** The store that `/store/<name>/key` of `abci_query` reads. */
export function storeOfPath(path: string): string | undefined {
  const [first, name] = partsOf(path)
  return first === 'store' ? name : undefined
}

function partsOf(path: string): readonly string[] {
  return (path.startsWith('/') ? path.slice(1) : path).split('/', 3)
}

/** The same bytes, copied when they are a part of larger memory, all of which would travel with them. */
export function ownMemory(bytes: Bytes): Bytes {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
}
