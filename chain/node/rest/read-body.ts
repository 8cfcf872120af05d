import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HeldBytes, smallBytesMax } from '../held-bytes.js'

/** How much of a body that is too large is read and thrown away, so that its sender gets to see the answer. */
const discardedBytesMax = 64 * 1024 * 1024

export type Body = { readonly text: string } | 'too large' | 'too many' | 'aborted' | 'not UTF-8'

/**
 * The whole body as text. A longer one than `bytesMax` is never kept in memory, nor a large one when too much is held already; what
 * is kept counts until the request is answered.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  held: HeldBytes,
): Promise<Body> {
  return new Promise((resolve) => {
    let isCounted = false
    let isRefused = false
    const count = () => {
      isCounted = true
      const announced = Number(request.headers['content-length'] ?? bytesMax)
      const release = held.take(Math.min(announced, bytesMax))
      if (release === undefined) isRefused = true
      else response.once('close', release)
    }
    const chunks: Uint8Array[] = []
    let length = 0
    request.on('data', (chunk: Uint8Array) => {
      length += chunk.length
      if (length > smallBytesMax && !isCounted) count()
      if (length <= bytesMax && !isRefused) chunks.push(chunk)
      else chunks.length = 0
      if (length > discardedBytesMax) resolve('too large')
    })
    request.on('end', () => resolve(length > bytesMax ? 'too large' : isRefused ? 'too many' : decode(chunks)))
    request.on('error', () => resolve('aborted'))
    request.on('close', () => resolve('aborted'))
  })
}

function decode(chunks: readonly Uint8Array[]): Body {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)) }
  } catch {
    return 'not UTF-8'
  }
}
