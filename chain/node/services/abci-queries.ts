import { emptyBytes } from '@coin/base/bytes'
import type { QueryResult } from '@coin/engine/application'
import { failedMethod } from '@coin/runtime/abci-query'
import type { AbciQuery, AppQueries, Awaitable } from '../ports.js'
import { callService } from '../services.js'
import type { Services } from './service.js'

/**
 * `abci_query` of the whole node: methods of the node's own services (transactions, blocks, the node), which the reference
 * has on the same router, then what the application answers. Failures are in the result.
 */
export function createAbciQueries(
  services: Services,
  app: Pick<AppQueries, 'abci' | 'height'>,
): (request: AbciQuery) => Awaitable<QueryResult> {
  return (request) => (services.has(request.path) ? queryService(services, app, request) : app.abci(request))
}

async function queryService(
  services: Services,
  app: Pick<AppQueries, 'height'>,
  { path, data, height: asked }: AbciQuery,
): Promise<QueryResult> {
  const height = asked === 0 ? app.height() : asked
  try {
    const context = { height: asked === 0 ? undefined : asked, given: new Set<string>() }
    const value = await callService(services, path, data, context)
    const none = { code: 0, codespace: '', log: '', key: emptyBytes, proofOps: [] }
    return { ...none, value: value ?? emptyBytes, height }
  } catch (error) {
    return failedMethod(error, height)
  }
}
