import { connect } from 'node:net'
import { type Bytes, bytesToHex } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { AuthInfo, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { encodeAny } from '@coin/wire/registry'
import { HeldBytes, heldBytesMax } from '../held-bytes.js'
import { createSite } from '../openapi/site.js'
import { createGateway, type GatewayOptions } from '../rest/gateway.js'
import { createServices } from '../services.js'
import { type ChainTwin, createChainTwin } from './chain-twin.js'

export interface Reply {
  /** HTTP status. */
  readonly status: number
  readonly json: Record<string, unknown> & { code?: number; message?: string }
  readonly headers: Headers
}

/** A gateway on a free port over an in-memory chain, and ways to call it. */
export interface OpenGateway {
  readonly twin: ChainTwin
  /** `http://127.0.0.1:<port>` */
  readonly base: string
  call(path: string, init?: RequestInit): Promise<Reply>
  /** `body` as JSON, or as it is when it is text. */
  post(path: string, body: unknown): Promise<Reply>
  /** Bytes to the server as they are; answers all that comes back. */
  raw(...parts: readonly string[]): Promise<string>
  close(): Promise<void>
}

interface TwinOptions {
  /** With the pages beside the API. */
  readonly site?: boolean
  readonly broadcastBlockTimeoutMs?: number
}

export async function openGateway(
  options: Partial<GatewayOptions> = {},
  { site = false, ...ports }: TwinOptions = {},
  held = new HeldBytes(heldBytesMax),
): Promise<OpenGateway> {
  const twin = createChainTwin()
  const shared = { services: createServices({ ...twin.ports, ...ports }), app: twin.ports.app, log: silentLogger }
  const hooks = site ? [createSite({ ...twin.ports, ...shared, denom: 'ucoin' })] : []
  const dependencies = { ...shared, hooks, held }
  const gateway = createGateway({ host: '127.0.0.1', port: 0, ...options }, dependencies)
  const { port } = await gateway.listen()
  const base = `http://127.0.0.1:${port}`
  const call = async (path: string, init?: RequestInit): Promise<Reply> => {
    const response = await fetch(base + path, init)
    return { status: response.status, json: (await response.json()) as Reply['json'], headers: response.headers }
  }
  return {
    twin,
    base,
    call,
    post(path, body) {
      const headers = { 'content-type': 'application/json' }
      return call(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
    },
    raw: (...parts) => sendRaw(port, parts),
    close: () => gateway.close(),
  }
}

function sendRaw(port: number, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.endsWith('"details":[]}')) socket.end()
    })
    socket.on('close', () => resolve(text))
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)))
  })
}

/** Some transaction; `memo` makes it unlike others. */
export function sendTx(memo: string): Bytes {
  const amount = [{ denom: 'ucoin', amount: '5' }]
  const send = encodeAny('cosmos.bank.v1beta1.MsgSend', { fromAddress: 'coin1a', toAddress: 'coin1b', amount })
  const fee = { amount: [{ denom: 'ucoin', amount: '9' }], gasLimit: 7n }
  return TxRaw.encode({
    bodyBytes: TxBody.encode(TxBody.fromPartial({ messages: [send], memo })).finish(),
    authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({ fee })).finish(),
    signatures: [new Uint8Array(64)],
  }).finish()
}

export const upperHex = (bytes: Bytes): string => bytesToHex(bytes).toUpperCase()

/** A bank transfer's event, as the index finds it. */
export const transferTo = (recipient: string) => [
  { type: 'transfer', attributes: [{ key: 'recipient', value: recipient, index: true }] },
]
