import type { IncomingMessage } from 'node:http'

/** How much of a body that is too large is read and thrown away, so that its sender gets to see the answer. */
const discardedBytesMax = 64 * 1024 * 1024

export type Body = { readonly text: string } | 'too large' | 'aborted' | 'not UTF-8'

/** The whole body as text. A longer one than `bytesMax` is never kept in memory. */
export function readBody(request: IncomingMessage, bytesMax: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let length = 0
    request.on('data', (chunk: Uint8Array) => {
      length += chunk.length
      if (length <= bytesMax) chunks.push(chunk)
      else chunks.length = 0
      if (length > discardedBytesMax) resolve('too large')
    })
    request.on('end', () => resolve(length > bytesMax ? 'too large' : decode(chunks)))
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
