import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { createRandom, type Random } from '@coin/base/testing/random'
import { Client, credentials } from '@grpc/grpc-js'
import { WebSocket } from 'ws'
import type { LoadKind, LoadPlan, LoadReport, LoadRequest } from './load-plan.js'
import { anyRequest } from './load-requests.js'

/** The clients of a load, all in one process of their own. `stop` resolves when the last answer is in. */
export interface LoadClients {
  stop(): Promise<LoadReport>
}

export async function startClients(plan: LoadPlan): Promise<LoadClients> {
  const tally = createTally()
  const random = createRandom(plan.seed)
  let height = 1
  let isRunning = true
  const subscribers = await Promise.all(
    Array.from({ length: plan.subscribers }, (_, index) =>
      subscribe(plan.rpc, index < txSubscribers, tally.fail, (at) => {
        if (index === 0) height = at
      }),
    ),
  )
  const begin = performance.now()
  const doors = createDoors(plan)
  const runs = Array.from({ length: plan.clients }, async (_, index) => {
    const ask = doors.connect()
    const mine = createRandom(plan.seed + index + 1)
    await pauseFor(plan.thinkMs, mine)
    while (isRunning) {
      const request = anyRequest(plan, random, height)
      const started = performance.now()
      const failure = await ask(request).catch((error: Error) => `${error.name}: ${error.message}`)
      if (failure === undefined) tally.took(request.name, performance.now() - started)
      else tally.fail(`${request.name}: ${failure}`)
      await pauseFor(plan.thinkMs, mine)
    }
  })
  return {
    async stop() {
      isRunning = false
      await Promise.all(runs)
      const seconds = (performance.now() - begin) / 1000
      doors.close()
      const all = subscribers.map((end) => end())
      const seen = all.filter(({ isTold }) => !isTold)
      return {
        ...tally.report(),
        seconds,
        told: all.length - seen.length,
        blocks: seen.map(({ blocks }) => blocks),
        txs: seen.map(({ txs }) => txs),
      }
    },
  }
}

function pauseFor(thinkMs: number, random: Random): Promise<void> {
  if (thinkMs === 0) return Promise.resolve()
  return new Promise((resolve) => setTimeout(resolve, random.int(2 * thinkMs)))
}

function createTally() {
  const times = new Map<string, number[]>()
  const errors = new Map<string, number>()
  return {
    took(name: string, ms: number) {
      const all = times.get(name)
      if (all) all.push(ms)
      else times.set(name, [ms])
    },
    fail(text: string) {
      errors.set(text, (errors.get(text) ?? 0) + 1)
    },
    report(): Pick<LoadReport, 'requests' | 'errors' | 'kinds'> {
      const kinds = [...times].map(([name, all]): LoadKind => {
        all.sort((a, b) => a - b)
        const at = (part: number) => all[Math.floor((all.length - 1) * part)]!
        return { name, requests: all.length, p50Ms: at(0.5), p99Ms: at(0.99) }
      })
      return {
        requests: kinds.reduce((sum, { requests }) => sum + requests, 0),
        errors: [...errors].slice(0, 50).map(([text, count]) => `${count} x ${text}`),
        kinds,
      }
    },
  }
}

/** What is wrong with an answer; `undefined` when nothing is. */
type Ask = (request: LoadRequest) => Promise<string | undefined>

function createDoors(plan: LoadPlan): { connect(): Ask; close(): void } {
  const agents: Agent[] = []
  // One HTTP/2 connection carries many calls, as with every gRPC client.
  const grpc = plan.grpc === undefined ? undefined : new Client(plan.grpc, credentials.createInsecure())
  return {
    connect() {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      agents.push(agent)
      return (request) => {
        if (request.door === 'grpc') return askGrpc(grpc!, request)
        return askHttp(agent, request.door === 'rest' ? plan.rest : plan.rpc, request)
      }
    },
    close() {
      for (const agent of agents) agent.destroy()
      grpc?.close()
    },
  }
}

function askHttp(agent: Agent, door: string, { door: kind, target }: LoadRequest): Promise<string | undefined> {
  const isRpc = kind === 'rpc'
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      new URL(isRpc ? '/' : target, door),
      { agent, method: isRpc ? 'POST' : 'GET', ...(isRpc && { headers: { 'content-type': 'application/json' } }) },
      (response) => readText(response).then((text) => resolve(wrongWith(response, text, isRpc)), reject),
    )
    sent.on('error', reject)
    sent.end(isRpc ? target : undefined)
  })
}

function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    response.on('error', reject)
  })
}

function wrongWith({ statusCode }: IncomingMessage, text: string, isRpc: boolean): string | undefined {
  if (statusCode !== 200) return `status ${statusCode}: ${text.slice(0, 200)}`
  if (!isRpc) return text.startsWith('{') ? undefined : `no JSON: ${text.slice(0, 200)}`
  if (text.includes('"error":{') || !text.includes('"result":')) return text.slice(0, 300)
  const failed = /"response":\{"code":([1-9]\d*)/.exec(text)
  return failed ? text.slice(0, 300) : undefined
}

function askGrpc(client: Client, { target, body }: LoadRequest): Promise<string | undefined> {
  const same = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    client.makeUnaryRequest(target, same, same, Buffer.from(body!, 'base64'), (error, answer) => {
      resolve(error ? `${error.code}: ${error.details}` : answer === undefined ? 'no answer' : undefined)
    })
  })
}

/** Of the subscribers so many follow transactions too. */
const txSubscribers = 3

interface Seen {
  readonly blocks: number
  readonly txs: number
  readonly isTold: boolean
}

/** Follows blocks, and transactions if asked to, over a WebSocket; every block must come, in order. */
async function subscribe(
  rpc: string,
  withTxs: boolean,
  fail: (text: string) => void,
  onBlock: (height: number) => void,
): Promise<() => Seen> {
  const socket = new WebSocket(`${rpc.replace('http', 'ws')}/websocket`)
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  let [last, blocks, txs, isEnding, isTold] = [0, 0, 0, false, false]
  socket.on('message', (data: Buffer) => {
    const { error, result } = JSON.parse(data.toString()) as {
      error?: { message: string; data?: string }
      result?: { data?: { type: string; value: { block?: { header: { height: string } } } } }
    }
    if (error) {
      isTold = /not pulling messages fast enough/.test(error.data ?? '')
      return isTold ? undefined : fail(`WebSocket: ${error.message} ${error.data ?? ''}`)
    }
    if (result?.data?.type === 'tendermint/event/Tx') txs++
    const header = result?.data?.value.block?.header
    if (header === undefined) return
    const height = Number(header.height)
    if (last > 0 && height !== last + 1) fail(`WebSocket: block ${height} after ${last}`)
    last = height
    blocks++
    onBlock(height)
  })
  socket.on('close', (code, reason) => {
    if (!isEnding && !isTold) fail(`WebSocket: closed with ${code} ${reason.toString()}`)
  })
  for (const [id, event] of (withTxs ? ['NewBlock', 'Tx'] : ['NewBlock']).entries())
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { query: `tm.event='${event}'` } }))
  return () => {
    isEnding = true
    socket.close()
    return { blocks, txs, isTold }
  }
}

// The process of the clients: gets the plan, tells when they run, and stops when it is told.
if (process.argv[1]?.endsWith('load-clients.js') && process.send !== undefined) {
  const tell = (message: object) => process.send!(message)
  process.once('message', async (plan: LoadPlan) => {
    const clients = await startClients(plan)
    process.once('message', async () => {
      tell(await clients.stop())
      process.disconnect()
    })
    tell({ running: true })
  })
}
