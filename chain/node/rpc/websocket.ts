import type { Logger } from '@coin/base/logger'
import type { WebSocket } from 'ws'
import { toJsonText } from './comet-json.js'
import { answerRequest, errorText, failureOf, type RequestId, readRequest, resultText, rpcCodes } from './json-rpc.js'
import { type RpcMethods, rpcErrors } from './method.js'
import { readJsonParams } from './params.js'
import { type BusEvent, compileSubscription } from './subscriptions.js'

export interface SocketLimits {
  readonly subscriptionsMax: number
  /** Bytes that may wait for a slow client before it is cut off. */
  readonly bufferedBytesMax: number
}

interface Subscription {
  readonly id: RequestId
  readonly matches: (event: BusEvent) => boolean
}

const queryTypes = { query: 'string' } as const

/** One client on `/websocket`: every RPC method, and subscriptions to events. */
export class SocketSession {
  readonly #socket: WebSocket
  readonly #methods: RpcMethods
  readonly #log: Logger
  readonly #limits: SocketLimits
  readonly #subscriptions = new Map<string, Subscription>()
  /** Requests are answered one after the other, as they came. */
  #tail: Promise<void> = Promise.resolve()

  constructor(socket: WebSocket, methods: RpcMethods, limits: SocketLimits, log: Logger) {
    this.#socket = socket
    this.#methods = methods
    this.#limits = limits
    this.#log = log
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? undefined : String(data)
      this.#tail = this.#tail
        .then(() => this.#receive(text))
        .catch((error: unknown) => {
          log.error({ error: String(error) }, 'a WebSocket request failed')
          socket.terminate()
        })
    })
    socket.on('error', () => socket.terminate())
  }

  /** Sends an event to every subscription that asks for it. A client that does not keep up is told why and cut off. */
  publish(event: BusEvent): void {
    for (const [query, { id, matches }] of this.#subscriptions) {
      if (!matches(event)) continue
      this.#send(resultText(id, toJsonText({ query, data: event.data, events: event.events })))
      if (this.#socket.bufferedAmount <= this.#limits.bufferedBytesMax) continue
      this.#log.warn({ query }, 'a subscriber is too slow and was cut off')
      this.#subscriptions.clear()
      this.#send(
        errorText(
          id,
          rpcCodes.internal,
          'subscription was canceled (reason: client is not pulling messages fast enough)',
        ),
      )
      this.#socket.close(1013, 'client is not pulling messages fast enough')
      return
    }
  }

  async #receive(text: string | undefined): Promise<void> {
    let request: unknown
    try {
      if (text === undefined) throw new SyntaxError('binary message')
      request = JSON.parse(text)
    } catch {
      this.#send(errorText(undefined, rpcCodes.parse, 'expected one JSON-RPC request as text'))
      return
    }
    const read = readRequest(request)
    if (typeof read === 'string') return this.#send(read)
    const own = this.#ownMethod(read.method)
    if (own === undefined) {
      const answer = await answerRequest(this.#methods, request, this.#log)
      if (answer !== undefined) this.#send(answer)
      return
    }
    if (read.id === undefined) return
    try {
      own(read.id, read.params)
      this.#send(resultText(read.id, '{}'))
    } catch (error) {
      const { code, data } = failureOf(error, this.#log)
      this.#send(errorText(read.id, code, data))
    }
  }

  #ownMethod(name: string): ((id: RequestId, params: unknown) => void) | undefined {
    if (name === 'subscribe') return (id, params) => this.#subscribe(id, params)
    if (name === 'unsubscribe') return (_id, params) => this.#unsubscribe(params)
    if (name === 'unsubscribe_all') return () => this.#unsubscribeAll()
    return undefined
  }

  #subscribe(id: RequestId, params: unknown): void {
    const query = String(readJsonParams(queryTypes, params).query ?? '')
    if (this.#subscriptions.has(query)) throw rpcErrors.failed('already subscribed')
    const { subscriptionsMax } = this.#limits
    if (this.#subscriptions.size >= subscriptionsMax)
      throw rpcErrors.tooManySubscriptions(`a client may have ${subscriptionsMax}; unsubscribe from one first`)
    this.#subscriptions.set(query, { id, matches: compileSubscription(query) })
  }

  #unsubscribe(params: unknown): void {
    const query = String(readJsonParams(queryTypes, params).query ?? '')
    if (!this.#subscriptions.delete(query)) throw rpcErrors.failed('subscription not found')
  }

  #unsubscribeAll(): void {
    if (this.#subscriptions.size === 0) throw rpcErrors.failed('subscription not found')
    this.#subscriptions.clear()
  }

  get isListening(): boolean {
    return this.#subscriptions.size > 0
  }

  #send(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text)
  }
}
