import type { Logger } from '@coin/base/logger'
import type { WebSocket } from 'ws'
import { type HeldBytes, tooMuchHeld } from '../held-bytes.js'
import { compileQuery } from '../index/query-match.js'
import { formatQuery, parseQuery, type Query, queryLengthMax } from '../index/query-syntax.js'
import { type BusEvent, type BusName, busNames } from './bus-event.js'
import { toJsonText } from './comet-json.js'
import {
  answerRequest,
  errorText,
  parseRequests,
  type RequestId,
  type RpcRequest,
  reasonOf,
  resultText,
  rpcCodes,
} from './json-rpc.js'
import { failure, type RpcMethods } from './method.js'
import { readJsonParams } from './params.js'

export interface SocketLimits {
  /** Clients that subscribe at one time. */
  readonly subscribersMax: number
  readonly subscriptionsMax: number
  /** Events, and bytes of anything, that a client may still have to take from earlier blocks when the next one comes. */
  readonly lateEventsMax: number
  readonly lateBytesMax: number
  /** What may wait for one client at any time: one block's events may be many. */
  readonly bufferedBytesMax: number
}

export interface SocketDependencies {
  readonly methods: RpcMethods
  readonly limits: SocketLimits
  readonly log: Logger
  readonly held: HeldBytes
  /** Clients that have subscriptions now. */
  subscribers(): number
}

interface Subscription {
  readonly id: RequestId
  /** As the client wrote it. */
  readonly query: string
  /** The only events that it is about; undefined when its query says nothing of that. */
  readonly name: BusName | undefined
  matches(event: BusEvent): boolean
}

const queryTypes = { query: 'string' } as const

/** Requests that are read ahead; after that the socket is not read until some are answered. */
const requestsAheadMax = 16
const bytesAheadMax = 262_144
const slowReason = 'client is not pulling messages fast enough'
/** WebSocket close code "try again later". */
const tryLater = 1013
/** A client that is cut off is waited for as long as it takes something in this time, at most so many times. */
const closingStepMs = 5000
const closingStepsMax = 12

/** Methods that exist on `/websocket` alone. */
export const socketMethods: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe', 'unsubscribe_all'])

/** One client on `/websocket`: every RPC method, and subscriptions to events. */
export class SocketSession {
  readonly #socket: WebSocket
  readonly #dependencies: SocketDependencies
  /** By the query in its fixed form: a client has each subscription once. */
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #requests: string[] = []
  #bytesAhead = 0
  /** What waited for the client when it was last looked at. */
  #lastBuffered = 0
  #isAnswering = false
  #isAlive = true
  #lateEvents = 0
  /** Aborted when the socket is closed. */
  readonly #gone = new AbortController()

  constructor(socket: WebSocket, dependencies: SocketDependencies) {
    this.#socket = socket
    this.#dependencies = dependencies
    socket.on('message', (data) => this.#onMessage(String(data)))
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('close', () => this.#gone.abort())
    // What breaks the protocol is answered with a close frame by the library; nothing is left to do.
    socket.on('error', (error) => dependencies.log.debug({ error: error.message }, 'a WebSocket client failed'))
  }

  get isListening(): boolean {
    return this.#subscriptions.size > 0
  }

  /** A subscription may ask for events of this name. */
  wants(name: BusName): boolean {
    for (const subscription of this.#subscriptions.values())
      if (subscription.name === undefined || subscription.name === name) return true
    return false
  }

  /** Sends the events of a block to every subscription that asks for them. A client that does not keep up is told and cut off. */
  publish(events: readonly BusEvent[]): void {
    const { lateEventsMax, lateBytesMax, bufferedBytesMax } = this.#dependencies.limits
    let isSlow = this.#lateEvents > lateEventsMax || this.#socket.bufferedAmount > lateBytesMax
    let told = 0
    for (const event of events) {
      if (isSlow) break
      let isTold = true
      for (const subscription of this.#subscriptions.values()) isTold = this.#tell(subscription, event) && isTold
      isSlow = !isTold || this.#socket.bufferedAmount > bufferedBytesMax
      if (isTold) told++
    }
    if (isSlow) this.#cutOff(events.slice(told))
  }

  /** False when the node holds too much already: for this client, which takes its events later than others, or for all. */
  #tell({ id, query, matches }: Subscription, event: BusEvent): boolean {
    if (!matches(event)) return true
    const sent = this.#send(resultText(id, `{"query":${toJsonText(query)},${event.text()}}`))
    if (sent === undefined) return false
    this.#lateEvents++
    void sent.then(() => {
      this.#lateEvents--
    })
    return true
  }

  /** To be called at intervals: ends a client that has not answered since the last time. */
  checkAlive(): void {
    const { bufferedAmount } = this.#socket
    const takesNothing = bufferedAmount > 0 && bufferedAmount === this.#lastBuffered
    // While its requests pile up nothing of it is read, so its answer cannot be seen.
    const isAlive = this.#isAlive || this.#socket.isPaused
    if (isAlive && !takesNothing) this.#socket.ping(() => undefined)
    else this.#socket.terminate()
    this.#isAlive = false
    this.#lastBuffered = bufferedAmount
  }

  /** Each subscription is told that it is over and how many events of this block it misses, then the connection is closed. */
  #cutOff(missed: readonly BusEvent[]): void {
    this.#dependencies.log.warn({ subscriptions: this.#subscriptions.size }, 'a slow subscriber is cut off')
    for (const { id, matches } of this.#subscriptions.values()) {
      const count = missed.filter(matches).length
      const reason = `subscription was canceled (reason: ${slowReason}), events not sent of the last block: ${count}`
      void this.#send(errorText(id, rpcCodes.server, reason))
    }
    this.#subscriptions.clear()
    this.#socket.close(tryLater, slowReason)
    this.#endWhenStuck(closingStepsMax, this.#socket.bufferedAmount)
  }

  /** A slow client has time to take what waits for it, a stuck one has not. */
  #endWhenStuck(steps: number, waiting: number): void {
    const timer = setTimeout(() => {
      const left = this.#socket.bufferedAmount
      if (steps === 0 || left >= waiting) this.#socket.terminate()
      else this.#endWhenStuck(steps - 1, left)
    }, closingStepMs)
    timer.unref()
    this.#gone.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  #onMessage(text: string): void {
    this.#isAlive = true
    this.#requests.push(text)
    this.#bytesAhead += text.length
    if (this.#isFarAhead()) this.#socket.pause()
    if (!this.#isAnswering) void this.#answerAll()
  }

  /** One after the other, as they came; the next when the client has taken the answer. */
  async #answerAll(): Promise<void> {
    this.#isAnswering = true
    while (this.#requests.length > 0) {
      const text = this.#requests.shift()!
      const answer = await this.#answer(text)
      if (answer !== undefined) await (this.#send(answer.text) ?? this.#send(answer.refusal))
      this.#bytesAhead -= text.length
      if (this.#socket.readyState !== this.#socket.OPEN) {
        this.#requests.length = 0
        this.#bytesAhead = 0
      }
      // Also when it is being closed: the client's close frame has to be read.
      if (this.#socket.isPaused && !this.#isFarAhead()) this.#socket.resume()
    }
    this.#isAnswering = false
  }

  #isFarAhead(): boolean {
    return this.#requests.length >= requestsAheadMax || this.#bytesAhead >= bytesAheadMax
  }

  async #answer(text: string): Promise<SocketAnswer | undefined> {
    const { methods, log } = this.#dependencies
    let request: RpcRequest
    try {
      const requests = parseRequests(text)
      if (requests.length !== 1 || text.trimStart().startsWith('[')) throw failure('one request in one message')
      request = requests[0]!
    } catch (error) {
      return answerOf(undefined, errorText(undefined, rpcCodes.parse, reasonOf(error, log)))
    }
    const { id, method, params } = request
    if (id === undefined || !socketMethods.has(method)) {
      const context = { log, gone: this.#gone.signal, badParams: rpcCodes.internal }
      const answer = await answerRequest(methods, request, context)
      return answer && answerOf(id, answer.text)
    }
    try {
      this.#subscription(method, id, params)
      return answerOf(id, resultText(id, '{}'))
    } catch (error) {
      return answerOf(id, errorText(id, rpcCodes.internal, reasonOf(error, log)))
    }
  }

  #subscription(method: string, id: RequestId, params: unknown): void {
    if (method === 'unsubscribe_all') {
      if (this.#subscriptions.size === 0) throw failure('subscription not found')
      this.#subscriptions.clear()
      return
    }
    const query = String(readJsonParams(queryTypes, params).query ?? '')
    if (method === 'unsubscribe') {
      if (!this.#subscriptions.delete(formatQuery(readQuery(query)))) throw failure('subscription not found')
      return
    }
    this.#checkRoom()
    if (query.length > queryLengthMax) throw failure('maximum query length exceeded')
    const parsed = readQuery(query)
    const name = formatQuery(parsed)
    if (this.#subscriptions.has(name)) throw failure('already subscribed')
    this.#subscriptions.set(name, { id, query, ...matcherOf(parsed) })
  }

  #checkRoom(): void {
    const { limits, subscribers } = this.#dependencies
    const { subscribersMax, subscriptionsMax } = limits
    if (!this.isListening && subscribers() >= subscribersMax)
      throw failure(`max_subscription_clients ${subscribersMax} reached`)
    if (this.#subscriptions.size >= subscriptionsMax)
      throw failure(`max_subscriptions_per_client ${subscriptionsMax} reached`)
  }

  /** Resolves when the system has taken it, or when there is nobody any more. Undefined when the node holds too much already. */
  #send(text: string): Promise<void> | undefined {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve()
    const release = this.#dependencies.held.take(text.length)
    if (release === undefined) return undefined
    return new Promise((resolve) => {
      this.#socket.send(text, () => {
        release()
        resolve()
      })
    })
  }
}

interface SocketAnswer {
  readonly text: string
  /** What is said instead when the answer is too much to be held. */
  readonly refusal: string
}

const answerOf = (id: RequestId | undefined, text: string): SocketAnswer => ({
  text,
  refusal: errorText(id, rpcCodes.server, tooMuchHeld),
})

/** A query that names an event is about events of that name alone, whatever attributes an application gives its own events. */
function matcherOf(query: Query): Pick<Subscription, 'name' | 'matches'> {
  const given = query.find(({ tag, operator }) => tag === 'tm.event' && operator === '=')?.operand?.text
  const name = busNames.find((known) => known === given)
  const matchesTags = compileQuery(query)
  return { name, matches: (event) => (name === undefined || event.name === name) && matchesTags(event.tags) }
}

function readQuery(text: string): Query {
  try {
    return parseQuery(text)
  } catch (error) {
    throw failure(`failed to parse query: ${(error as Error).message}`)
  }
}
