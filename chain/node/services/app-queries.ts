import type { Bytes } from '@coin/base/bytes'
import { CodedError } from '@coin/base/errors'
import type { QueryResult } from '@coin/engine/application'
import type { AppReader } from '@coin/runtime/app-reader'
import type { Read } from '@coin/runtime/context'
import { OutOfGas } from '@coin/runtime/gas'
import type { QueryRoute } from '@coin/runtime/module'
import { decodeRequest } from '@coin/runtime/query-router'
import { status } from '@coin/runtime/status'
import { chainJson } from '@coin/wire/json'
import { descriptors } from '@coin/wire/registry'
import type { AbciQuery, AppQueries, QueryAnswer } from '../ports.js'
import { invalidArgument, unavailable } from './service-errors.js'

/** Answers at once. */
export interface SyncAppQueries extends AppQueries {
  query(method: string, request: Bytes, height: number | undefined): QueryAnswer<Bytes>
  queryJson(method: string, request: Bytes, height: number | undefined): QueryAnswer<string>
  abci(request: AbciQuery): QueryResult
}

/** The application in this thread as the doors see it. */
export function createAppQueries(app: Pick<AppReader, 'queries' | 'readAt' | 'query' | 'height'>): SyncAppQueries {
  function answer<Form>(
    method: string,
    request: Bytes,
    asked: number | undefined,
    print: (route: QueryRoute, response: object) => Form,
  ) {
    const route = app.queries.get(method)
    if (route === undefined) throw status('unimplemented', `unknown method ${method}`)
    if (app.height() === 0) throw unavailable('the chain has no block yet')
    const ctx = readAt(app, asked ?? 0)
    try {
      const response = route.handle(ctx, decodeRequest(route, method, request)) as object
      return { response: print(route, response), height: ctx.height }
    } catch (error) {
      // The query's own limit; the caller cannot raise it.
      if (error instanceof OutOfGas)
        throw status('invalidArgument', `the query needs more gas than a query may use: ${error.message}`)
      throw error
    }
  }

  return {
    height: app.height,
    methods: () => app.queries.list(),
    query: (method, request, asked) =>
      answer(method, request, asked, (route, response) => route.response.encode(response).finish()),
    queryJson: (method, request, asked) =>
      answer(method, request, asked, (_route, response) => chainJson().stringify(outputOf(method), response)),
    abci: (request) => app.query(request),
  }
}

function outputOf(method: string): string {
  const output = descriptors().method(method)?.output
  if (output === undefined) throw status('unimplemented', `unknown method ${method}`)
  return output
}

/** Whatever is wrong with a height, its message says which heights there are; over REST it is a 400. */
function readAt(app: Pick<AppReader, 'readAt'>, height: number): Read {
  try {
    return app.readAt(height)
  } catch (error) {
    throw error instanceof CodedError ? invalidArgument(error.message) : error
  }
}
