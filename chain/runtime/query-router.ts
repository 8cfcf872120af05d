import { assert } from '@coin/base/assert'
import type { Bytes } from '@coin/base/bytes'
import type { Read } from './context.js'
import type { Module, QueryRoute } from './module.js'
import { status } from './status.js'

/** From full gRPC method to the module that answers. REST, gRPC, `abci_query` and contracts share it. */
export interface QueryRouter {
  get(method: string): QueryRoute | undefined
  /** Decodes, answers, encodes. Throws `status('unimplemented')` for an unknown method, `invalidArgument` for bad bytes. */
  handle(ctx: Read, method: string, request: Bytes): Bytes
  /** Registered methods, sorted. */
  list(): readonly string[]
  add(module: Module): void
}

/** An empty table: `app/` creates it first, hands it to modules that ask others, and adds the modules after. */
export function createQueryRouter(): QueryRouter {
  const routes = new Map<string, QueryRoute>()
  return {
    get: (method) => routes.get(method),
    handle(ctx, method, request) {
      const route = routes.get(method)
      if (route === undefined) throw status('unimplemented', `unknown method ${method}`)
      return route.response.encode(route.handle(ctx, decodeRequest(route, method, request))).finish()
    },
    list: () => [...routes.keys()].sort(),
    add(module) {
      for (const [method, route] of Object.entries(module.queries ?? {})) {
        assert(!routes.has(method), `query ${method} is registered twice`)
        routes.set(method, route)
      }
    },
  }
}

/** Throws `invalidArgument` for bytes that are no such request. */
export function decodeRequest(route: QueryRoute, method: string, request: Bytes): unknown {
  try {
    return route.request.decode(request)
  } catch (error) {
    throw status('invalidArgument', `request of ${method}: ${error instanceof Error ? error.message : 'not protobuf'}`)
  }
}
