import { WebSocket } from 'ws'
import { nodeErrors } from '../../errors.js'
import { type RpcClient, unreachable } from './rpc.js'

/** A subscription to one transaction's block; made before it is sent, so that no block is missed. */
export interface TxWatch {
  /** Resolves when the transaction is in a block. Throws `timedOut`, or `rpcFailed` when the connection is lost. */
  readonly included: Promise<void>
  close(): void
}

/** An event has the transaction and its results, a contract's code at the most. */
const messageBytesMax = 32 << 20

/** `hash` is 64 upper-case hexadecimal digits. Throws `rpcFailed` when the node does not take the subscription in time. */
export async function watchTx(rpc: RpcClient, hash: string, timeoutMs: number): Promise<TxWatch> {
  const url = `${rpc.url.replace(/^http/, 'ws').replace(/\/$/, '')}/websocket`
  const socket = new WebSocket(url, { handshakeTimeout: timeoutMs, maxPayload: messageBytesMax })
  const subscribed = withResolvers()
  const included = withResolvers()
  const fail = (error: Error) => {
    subscribed.reject(error)
    included.reject(error)
  }
  const timer = setTimeout(() => fail(timedOut(hash, timeoutMs)), timeoutMs)
  socket.on('open', () => {
    const query = `tm.event='Tx' AND tx.hash='${hash}'`
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query } }))
  })
  socket.on('error', (error) => fail(unreachable(url, error)))
  socket.on('close', () => fail(nodeErrors.rpcFailed(`${url}: the connection ended`)))
  socket.on('message', (data) => {
    const { error, result } = readMessage(String(data))
    if (error !== undefined) fail(nodeErrors.rpcFailed(`${url}: ${error.message ?? 'error'}: ${error.data ?? ''}`))
    else if (result?.data === undefined) subscribed.resolve()
    else included.resolve()
  })
  // Whoever waits for neither any more must not see a late failure.
  included.promise.catch(() => {})
  const close = () => {
    clearTimeout(timer)
    socket.removeAllListeners('close')
    socket.terminate()
  }
  try {
    await subscribed.promise
  } catch (error) {
    close()
    throw error
  }
  return { included: included.promise, close }
}

interface RpcMessage {
  readonly error?: { readonly message?: string; readonly data?: string }
  readonly result?: { readonly data?: unknown } | null
}

function readMessage(text: string): RpcMessage {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null) return message
  } catch {
    // told below
  }
  return { error: { message: 'not the RPC of a node', data: text.slice(0, 80) } }
}

function timedOut(hash: string, timeoutMs: number): Error {
  return nodeErrors.waitTimeout(
    `transaction ${hash} is in no block after ${timeoutMs / 1000} s; it may still come: coind query wait-tx ${hash}`,
  )
}

function withResolvers() {
  let resolve: () => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}
