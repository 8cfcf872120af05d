import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a call answers: the `result`, or `{ error }` for a JSON-RPC error. */
export type RpcHandler = (params: Readonly<Record<string, unknown>>) => unknown

export interface StubRpc {
  readonly url: string
  close(): Promise<void>
}

/** A JSON-RPC server on 127.0.0.1 with fixed answers by method, for tests of what the command line sends and prints. */
export async function startStubRpc(handlers: Readonly<Record<string, RpcHandler>>): Promise<StubRpc> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: Record<string, unknown> }
    const handler = handlers[method]
    const answer =
      handler === undefined ? { error: { code: -32601, message: 'Method not found', data: '' } } : handler(params)
    const isError = typeof answer === 'object' && answer !== null && 'error' in answer
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(isError ? answer : { result: answer }) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `tcp://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(() => resolve())) }
}
