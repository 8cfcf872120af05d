import type { Logger } from '@coin/base/logger'
import { status } from '@coin/runtime/status'
import { chainJson } from '@coin/wire/json'
import { codecOf, descriptors } from '@coin/wire/registry'
import { createRequestReader, parseQuery, type QueryParams } from '@coin/wire/route-request'
import { createRoutes, type RouteMatch } from '@coin/wire/routes'
import type { AppQueries } from '../ports.js'
import type { Services } from '../services/service.js'
import { type Answer, failure, heightHeader } from './answer.js'
import { BodyCache } from './body-cache.js'
import { grpcCode, statusOf } from './grpc-status.js'

export interface CallDependencies {
  readonly services: Services
  readonly app: AppQueries
  readonly log: Logger
}

/** A request without its HTTP: what decides the answer. */
export interface Call {
  /** Upper case. */
  readonly verb: string
  /** Path and query as they stand in the request line. */
  readonly target: string
  readonly body: string
  /** Value of `x-cosmos-block-height`. */
  readonly height: string | undefined
}

export interface Calls {
  /** Never throws: what goes wrong is an answer. */
  answer(call: Call): Promise<Answer>
  /** The verb and path have a route, so that a body is worth reading. */
  hasRoute(verb: string, target: string): boolean
}

const notImplemented = { code: grpcCode.unimplemented, message: 'Not Implemented' }
const cacheCharsMax = 32_000_000

/** From URL to JSON: finds the method of a route, reads its request, asks the service or the application, prints the answer. */
export function createCalls({ services, app, log }: CallDependencies): Calls {
  const routes = createRoutes(descriptors())
  const requests = createRequestReader(descriptors(), codecOf, chainJson())
  const cache = new BodyCache(cacheCharsMax)

  async function run(call: Call): Promise<Answer> {
    const [path, query] = splitTarget(call.target)
    const match = routes.match(call.verb, path)
    if (match === undefined) return failure(notImplemented)
    const height = readHeight(call.height, app.height())
    const params = parseQuery(query)
    const service = services.get(`/${match.method.fullName}`)
    if (service === undefined) return askApp(call, match, params, height)
    const request = requests.read(match, params, call.body)
    const response = await service(request, { height, given: new Set(params.map(([name]) => name)) })
    return { status: 200, body: chainJson().stringify(match.method.output, response), height: height ?? app.height() }
  }

  async function askApp(
    call: Call,
    match: RouteMatch,
    params: QueryParams,
    height: number | undefined,
  ): Promise<Answer> {
    const isCached = height === undefined && call.verb === 'GET'
    const known = isCached ? cache.get(app.height(), call.target) : undefined
    if (known !== undefined) return { status: 200, body: known, height: app.height() }
    const request = codecOf(match.method.input)
      .encode(requests.read(match, params, call.body))
      .finish()
    const answer = await app.queryJson(`/${match.method.fullName}`, request, height)
    if (isCached) cache.set(answer.height, call.target, answer.response)
    return { status: 200, body: answer.response, height: answer.height }
  }

  return {
    hasRoute(verb, target) {
      try {
        return routes.match(verb, splitTarget(target)[0]) !== undefined
      } catch {
        return true // the path is badly encoded: `answer` says so
      }
    },
    async answer(call) {
      try {
        return await run(call)
      } catch (error) {
        const expected = statusOf(error)
        if (expected !== undefined) return failure(expected)
        log.error(
          { target: call.target, error: error instanceof Error ? error.stack : String(error) },
          'a REST call failed',
        )
        return failure({ code: grpcCode.internal, message: 'internal error' })
      }
    },
  }
}

function splitTarget(target: string): readonly [path: string, query: string] {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, '')
  const mark = local.indexOf('?')
  return mark < 0 ? [local, ''] : [local.slice(0, mark), local.slice(mark + 1)]
}

/** `undefined` is the last state, also for 0 as in the SDK. Throws `invalidArgument` for a height that cannot be. */
function readHeight(text: string | undefined, latest: number): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  if (!/^[0-9]{1,15}$/.test(text.trim())) {
    throw status('invalidArgument', `${heightHeader} "${text.slice(0, 40)}" is no height, expected 1 to ${latest}`)
  }
  const height = Number(text)
  if (height > latest) throw status('invalidArgument', `height ${height} is ahead of the chain (latest ${latest})`)
  return height === 0 ? undefined : height
}
