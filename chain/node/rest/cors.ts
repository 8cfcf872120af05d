import type { IncomingMessage, ServerResponse } from 'node:http'
import { heightHeader } from './answer.js'

/** What a page of another origin may read of an answer: the height, and what gRPC-Web says in headers. */
const exposed = [
  heightHeader,
  `grpc-metadata-${heightHeader}`,
  'grpc-status',
  'grpc-message',
  'grpc-status-details-bin',
].join(', ')

/** Seconds that a browser may remember the answer to a preflight. */
const preflightSeconds = '86400'
const usualHeaders = `content-type, ${heightHeader}`

/** Header names, as a preflight lists them; anything else is not repeated to the browser. */
const headerNames = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:\s*,\s*[A-Za-z0-9!#$%&'*+.^_`|~-]+)*$/

/** To be called before anything else is written to the answer. */
export function allowOrigins(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('access-control-expose-headers', exposed)
}

/** Answers a preflight: pages may send every header they ask for, because nothing here depends on who the caller is. */
export function sendPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = headers['access-control-request-headers']
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
    'access-control-allow-headers': asked !== undefined && headerNames.test(asked) ? asked : usualHeaders,
    'access-control-max-age': preflightSeconds,
    vary: 'access-control-request-headers',
    // Asked by browsers when a public page calls a node of the local network.
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  })
  response.end()
}
