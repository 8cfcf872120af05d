import type { Random } from '@coin/base/testing/random'
import { WebSocket } from 'ws'
import { leaks } from './http-client.js'
import { anyCallText } from './rpc-requests.js'
import type { Seeds } from './seeds.js'
import { count, type Tally } from './tally.js'
import { randomBytes } from './values.js'

/** Frames in a row before the answers are waited for. */
const framesPerRound = 16

/** One WebSocket client after the other: each sends requests and garbage, and goes when it likes or is sent away. */
export function createSocketClient(rpc: string, seeds: Seeds, tally: Tally) {
  let socket: WebSocket | undefined
  let round = 0

  async function open(): Promise<WebSocket> {
    const opened = new WebSocket(`${rpc.replace('http', 'ws')}/websocket`)
    await new Promise((resolve, reject) => {
      opened.once('open', resolve)
      opened.once('error', reject)
    })
    opened.on('error', () => undefined)
    opened.on('message', (data: Buffer) => {
      const text = data.toString()
      if (leaks(text)) tally.internal.push(`WebSocket -> ${text.slice(0, 300)}`)
      count(tally.answers, `WebSocket ${/"error":\{"code":(-?\d+)/.exec(text)?.[1] ?? 'result'}`)
    })
    return opened
  }

  return {
    /** Sends some frames, and waits for the answer to the last or the end of the connection; answers how many it sent. */
    async round(random: Random): Promise<number> {
      socket ??= await open()
      const current = socket
      const last = `fuzz-${round++}`
      const answered = new Promise<void>((resolve) => {
        const see = (data: Buffer) => {
          if (data.includes(`"id":"${last}"`)) end()
        }
        const gone = () => {
          socket = undefined
          end()
        }
        const end = () => {
          current.off('message', see)
          current.off('close', gone)
          resolve()
        }
        current.on('message', see)
        current.on('close', gone)
      })
      for (let i = 1; i < framesPerRound; i++) {
        if (random.int(20) === 0) current.send(randomBytes(random, 200))
        else current.send(anyCallText(random, seeds, true))
        if (random.int(30) === 0) current.ping(randomBytes(random, 100))
      }
      const wayOut = random.int(20)
      if (wayOut === 0) current.terminate()
      else if (wayOut === 1) current.close(1000 + random.int(4), 'bye')
      else current.send(JSON.stringify({ jsonrpc: '2.0', id: last, method: 'health' }))
      await answered
      return framesPerRound
    },
    close: () => socket?.terminate(),
  }
}
