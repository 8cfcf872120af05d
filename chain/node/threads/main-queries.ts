import type { Bytes } from '@coin/base/bytes'
import type { QueryResult } from '@coin/engine/application'
import type { AbciQuery, AppQueries, QueryAnswer } from '../ports.js'
import type { Caller } from './calls.js'

/** Queries answered by the thread that makes blocks. */
export type QueriesApi = {
  query(request: readonly [method: string, request: Bytes, height: number | undefined]): Promise<QueryAnswer<Bytes>>
  queryJson(
    request: readonly [method: string, request: Bytes, height: number | undefined],
  ): Promise<QueryAnswer<string>>
  abci(request: AbciQuery): Promise<QueryResult>
  methods(argument: undefined): Promise<readonly string[]>
}

export function queriesApi(app: AppQueries): QueriesApi {
  return {
    query: async ([method, request, height]) => app.query(method, request, height),
    queryJson: async ([method, request, height]) => app.queryJson(method, request, height),
    abci: async (request) => app.abci(request),
    methods: async () => app.methods(),
  }
}

export async function queriesOver(
  { call }: Pick<Caller<QueriesApi>, 'call'>,
  height: () => number,
): Promise<AppQueries & { close(): Promise<void> }> {
  const methods = await call('methods', undefined)
  return {
    height,
    methods: () => methods,
    query: (method, request, at) => call('query', [method, request, at]),
    queryJson: (method, request, at) => call('queryJson', [method, request, at]),
    abci: (request) => call('abci', request),
    close: async () => undefined,
  }
}
