import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@coin/base/logger'
import { type AddressCodecs, moduleAddress } from '@coin/wire/addresses'
import { descriptors } from '@coin/wire/registry'
import { formatTimestamp, nsToTimestamp } from '@coin/wire/time'
import type { AppQueries, BlockReader, NodeFacts } from '../ports.js'
import { failure, sendAnswer } from '../rest/answer.js'
import type { RequestHook } from '../rest/gateway.js'
import { grpcCode } from '../rest/grpc-status.js'
import { splitTarget } from '../rest/path.js'
import type { Services } from '../services/service.js'
import { createDocument } from './document.js'
import type { OpenApiDocument } from './openapi-types.js'
import { createPage, homeHtml, type Page, readTryPage } from './pages.js'

export interface SitePorts {
  readonly services: Services
  readonly app: Pick<AppQueries, 'methods'>
  readonly blocks: Pick<BlockReader, 'height' | 'meta'>
  readonly facts: NodeFacts
  readonly addresses: Pick<AddressCodecs, 'account'>
  /** Base denomination, for examples. */
  readonly denom: string
  readonly log: Logger
}

/** The pages may load from this node and nowhere else. Swagger UI writes styles and has its icons as data. */
const tryPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"
const homePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

const apiPath = '/openapi.json'
const tryPath = '/swagger/'

/** `/openapi.json`, the page at `/swagger/` to try it, and `/` for browsers. What is asked for is made once, then kept. */
export function createSite(ports: SitePorts): RequestHook {
  const pages = new Map<string, Promise<Page | undefined>>()
  function pageAt(path: string): Promise<Page | undefined> {
    const known = pages.get(path)
    if (known !== undefined) return known
    const page =
      path === apiPath
        ? createPage('application/json', JSON.stringify(documentOf(ports)))
        : readTryPage(path.slice(tryPath.length))
    // Only names that there are, so that nobody fills the memory.
    void page.then(
      (made) => made === undefined && pages.delete(path),
      () => pages.delete(path),
    )
    pages.set(path, page)
    return page
  }
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const [path] = splitTarget(request.url ?? '/')
    if (path === '/swagger') {
      response.writeHead(301, { location: 'swagger/', 'content-length': 0 }).end()
      return true
    }
    if (path === '/' && takesHtml(request)) void answer(ports, response, async () => sendHome(ports, response))
    else if (path === apiPath || path.startsWith(tryPath))
      void answer(ports, response, async () => sendPage(request, response, await pageAt(path)))
    else return false
    return true
  }
}

/** The document of what this node serves. */
export function documentOf({ services, app, facts, addresses, denom }: SitePorts): OpenApiDocument {
  return createDocument({
    descriptors: descriptors(),
    services: services.keys(),
    queries: app.methods(),
    chainId: facts.chainId,
    version: facts.version.version,
    examples: { address: addresses.account.encode(moduleAddress('fee_collector')), denom },
  })
}

/** A browser: API clients do not ask for HTML. */
function takesHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}

async function answer({ log }: SitePorts, response: ServerResponse, send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'a page cannot be served')
    sendAnswer(response, failure({ code: grpcCode.internal, message: 'internal error' }))
  }
}

function sendPage({ headers }: IncomingMessage, response: ServerResponse, page: Page | undefined): void {
  if (page === undefined) {
    sendAnswer(response, failure({ code: grpcCode.notFound, message: 'there is no such page' }))
    return
  }
  const isZipped = /\bgzip\b/.test(headers['accept-encoding']?.toString() ?? '')
  const about = {
    etag: page.tag,
    // Asked for again each time, and answered with 304 while it is the same.
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'content-security-policy': tryPolicy,
  }
  if (headers['if-none-match'] === page.tag) {
    response.writeHead(304, about).end()
    return
  }
  const bytes = isZipped ? page.zipped : page.bytes
  response.writeHead(200, {
    ...about,
    'content-type': page.type,
    'content-length': bytes.length,
    ...(isZipped && { 'content-encoding': 'gzip' }),
  })
  response.end(bytes)
}

async function sendHome({ facts, blocks }: SitePorts, response: ServerResponse): Promise<void> {
  const height = blocks.height()
  const header = (await blocks.meta(height))?.header
  const { appName, version, cosmosSdkVersion } = facts.version
  const html = homeHtml({
    chainId: facts.chainId,
    moniker: facts.moniker,
    software: `${appName} ${version}, Cosmos SDK ${cosmosSdkVersion}, CometBFT ${facts.consensusVersion}`,
    height,
    time: header === undefined ? '' : formatTimestamp(nsToTimestamp(header.time)),
    rpcAddress: facts.rpcAddress,
  })
  const bytes = Buffer.from(html)
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    vary: 'accept',
    'content-security-policy': homePolicy,
  })
  response.end(bytes)
}
