import { CodedError } from '@coin/base/errors'
import type { NodeApplication } from '@coin/runtime/application'
import type { Read } from '@coin/runtime/context'
import { OutOfGas } from '@coin/runtime/gas'
import { status } from '@coin/runtime/status'
import type { AppQueries } from '../ports.js'
import { invalidArgument, unavailable } from './service-errors.js'

/** The application in this process as the doors see it. Query methods get decoded requests, so nothing is encoded on the way. */
export function createAppQueries(app: Pick<NodeApplication, 'queries' | 'readAt' | 'query' | 'info'>): AppQueries {
  const height = () => app.info().lastHeight
  return {
    height,
    query(method, request, asked) {
      const route = app.queries.get(method)
      if (route === undefined) throw status('unimplemented', `unknown method ${method}`)
      if (height() === 0) throw unavailable('the chain has no block yet')
      const ctx = readAt(app, asked ?? 0)
      try {
        return { response: route.handle(ctx, request) as object, height: ctx.height }
      } catch (error) {
        // The query's own limit; the caller cannot raise it.
        if (error instanceof OutOfGas)
          throw status('invalidArgument', `the query needs more gas than a query may use: ${error.message}`)
        throw error
      }
    },
    abci: (request) => app.query(request),
  }
}

/** Whatever is wrong with a height, its message says which heights there are; over REST it is a 400. */
function readAt(app: Pick<NodeApplication, 'readAt'>, height: number): Read {
  try {
    return app.readAt(height)
  } catch (error) {
    throw error instanceof CodedError ? invalidArgument(error.message) : error
  }
}
