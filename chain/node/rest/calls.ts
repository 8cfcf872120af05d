import type { Logger } from '@coin/base/logger'
import { chainJson } from '@coin/wire/json'
import { codecOf, descriptors } from '@coin/wire/registry'
import { createRequestReader, parseQuery, type QueryParams } from '@coin/wire/route-request'
import { createRoutes, type RouteMatch, type Routes } from '@coin/wire/routes'
import type { AppQueries } from '../ports.js'
import { readHeightText } from '../services/heights.js'
import type { Services } from '../services/service.js'
import { type Answer, failure, heightHeader } from './answer.js'
import { BodyCache } from './body-cache.js'
import { grpcCode, statusOf } from './grpc-status.js'
import { cleanPath, splitTarget } from './path.js'

export interface CallDependencies {
  readonly services: Services
  readonly app: AppQueries
  readonly log: Logger
}

/** What of a request decides which method it calls. */
export interface CallTarget {
  /** Upper case. */
  readonly verb: string
  /** Path and query as they stand in the request line. */
  readonly target: string
  /** The body is an HTML form: more of the query. */
  readonly isForm: boolean
}

/** A request without its HTTP: what decides the answer. */
export interface Call extends CallTarget {
  readonly body: string
  /** Value of `x-cosmos-block-height`. */
  readonly height: string | undefined
  /** Value of `if-none-match`. */
  readonly known: string | undefined
}

export interface Calls {
  /** Never throws: what goes wrong is an answer. */
  answer(call: Call): Promise<Answer>
  /** The verb and path have a route, so that a body is worth reading. */
  hasRoute(call: CallTarget): boolean
}

const notImplemented = { code: grpcCode.unimplemented, message: 'Not Implemented' }
const cacheCharsMax = 32_000_000

/** From URL to JSON: finds the method of a route, reads its request, asks the service or the application, prints the answer. */
export function createCalls({ services, app, log }: CallDependencies): Calls {
  const routes = createRoutes(descriptors())
  const requests = createRequestReader(descriptors(), codecOf, chainJson())
  const cache = new BodyCache(cacheCharsMax)
  const running = new Map<string, Promise<Answer>>()

  async function run(call: Call): Promise<Answer> {
    const found = findRoute(routes, call)
    if (found === undefined) return noRoute(routes, call)
    const height = readHeightText(call.height, app.height())
    const { other } = found.match
    if (other === undefined) return ask(call, found, height)
    try {
      return await ask(call, found, height)
    } catch (error) {
      if (statusOf(error)?.code !== grpcCode.invalidArgument) throw error
      return await ask(call, { ...found, match: other }, height).catch(() => Promise.reject(error))
    }
  }

  async function ask(call: Call, found: FoundRoute, height: number | undefined): Promise<Answer> {
    const { match, params, body } = found
    const service = services.get(`/${match.method.fullName}`)
    if (service === undefined) return askApp(call, found, height)
    const request = requests.read(match, params, body)
    const response = await service(request, { height, given: new Set(params.map(([name]) => name)) })
    return { status: 200, body: chainJson().stringify(match.method.output, response), height: height ?? app.height() }
  }

  /** State does not change within a height, so an answer is found once per height and target, also for those who ask together. */
  async function askApp(call: Call, found: FoundRoute, height: number | undefined): Promise<Answer> {
    const isRead = found.match.rule.verb === 'GET' && !call.isForm
    if (!isRead) return queryApp(found, height)
    if (call.known === stateTag(height ?? app.height()))
      return { status: 304, body: '', height: height ?? app.height(), headers: { etag: call.known } }
    if (height !== undefined) return tagged(await queryApp(found, height))
    const known = cache.get(app.height(), call.target)
    if (known !== undefined) return tagged({ status: 200, body: known, height: app.height() })
    const key = `${app.height()} ${call.target}`
    let asked = running.get(key)
    if (asked === undefined) {
      asked = queryApp(found, height).finally(() => running.delete(key))
      running.set(key, asked)
    }
    const answer = await asked
    cache.set(answer.height ?? 0, call.target, answer.body)
    return tagged(answer)
  }

  async function queryApp({ match, params, body }: FoundRoute, height: number | undefined): Promise<Answer> {
    const request = codecOf(match.method.input)
      .encode(requests.read(match, params, body))
      .finish()
    const answer = await app.queryJson(`/${match.method.fullName}`, request, height)
    return { status: 200, body: answer.response, height: answer.height }
  }

  return {
    hasRoute(target) {
      try {
        return findRoute(routes, { ...target, body: '' }) !== undefined
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
          { target: call.target.slice(0, 1000), error: error instanceof Error ? error.stack : String(error) },
          'a REST call failed',
        )
        return failure({ code: grpcCode.internal, message: 'internal error' })
      }
    },
  }
}

interface FoundRoute {
  readonly match: RouteMatch
  readonly params: QueryParams
  readonly body: string
}

/**
 * The route of a call. As in grpc-gateway a form that is posted to a route of another verb fills its parameters: a query may be
 * longer than a URL can be.
 */
function findRoute(
  routes: Routes,
  { verb, target, isForm, body }: CallTarget & Pick<Call, 'body'>,
): FoundRoute | undefined {
  const [path, query] = splitTarget(target)
  const paths = [path, cleanPath(path)]
  for (const it of paths) {
    const match = routes.match(verb, it)
    if (match !== undefined) return { match, params: parseQuery(query), body }
  }
  if (!isForm || verb !== 'POST') return undefined
  const match = routes.match('GET', paths[1]!)
  return match && { match, params: parseQuery(`${query}&${body}`), body: '' }
}

/** A path that other verbs have says which. */
function noRoute(routes: Routes, { target }: Call): Answer {
  const verbs = routes.verbsOf(cleanPath(splitTarget(target)[0]))
  return { ...failure(notImplemented), ...(verbs.length > 0 && { headers: { allow: verbs.join(', ') } }) }
}

/** Stands for all answers of one state. */
const stateTag = (height: number): string => `W/"${height}"`

/** Lets caches keep the answer and ask whether the state has moved on. */
function tagged(answer: Answer): Answer {
  const headers = { etag: stateTag(answer.height ?? 0), 'cache-control': 'no-cache', vary: heightHeader }
  return { ...answer, headers }
}
