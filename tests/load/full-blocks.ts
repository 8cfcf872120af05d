import { bytesToBase64 } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { type Sender, sendMessage } from '../traffic/sender.js'

/** What a wallet asks for; a send uses about 85,000. */
export const gasPerSend = 100_000n

/** Signed sends, one sender after the other: each sender's are in the order of their sequences. */
export function signSends(senders: readonly Sender[], count: number): readonly Uint8Array[] {
  return Array.from({ length: count }, (_, index) => {
    const sender = senders[index % senders.length]!
    const to = senders[(index + 1) % senders.length]!
    return sender.sign([sendMessage(sender.address, to.address, 1n)], { gas: gasPerSend })
  })
}

export const hashOf = (tx: Uint8Array) => Buffer.from(sha256(tx)).toString('hex').toUpperCase()

/** Keeps so many transactions waiting that no block is short of them, until it is stopped. */
export interface BlockFilling {
  /** Done when so many have waited once. */
  readonly full: Promise<void>
  /** Transactions handed over. Throws when one was refused, or when there were not enough. */
  stop(): Promise<number>
}

interface Answer {
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: object
}

const callsPerRequest = 10
/** Senders are dealt out to so many lanes, each of which sends in order. */
const laneCount = 25

/** `txs` as `signSends` makes them of `senders` senders, a multiple of the lanes. */
export function fillBlocks(rpc: string, txs: readonly Uint8Array[], waiting: number): BlockFilling {
  let missing = 0
  let isRunning = true
  let tellFull: () => void = () => undefined
  const full = new Promise<void>((resolve) => {
    tellFull = resolve
  })
  const lanes = Array.from({ length: laneCount }, (_, lane) => txs.filter((_, index) => index % laneCount === lane))
  const watch = async () => {
    while (isRunning) {
      const [answer] = await post(rpc, [{ method: 'num_unconfirmed_txs', params: {} }])
      missing = waiting - Number(answer!.result!.total)
      if (missing <= 0) tellFull()
      await pause(100)
    }
  }
  const run = async (own: readonly Uint8Array[]) => {
    let next = 0
    while (isRunning) {
      const batch = own.slice(next, next + callsPerRequest)
      if (batch.length === 0) throw new RangeError(`all ${txs.length} transactions are sent`)
      if (missing <= 0) {
        await pause(20)
        continue
      }
      missing -= batch.length
      next += batch.length
      const calls = batch.map((tx) => ({ method: 'broadcast_tx_sync', params: { tx: bytesToBase64(tx) } }))
      for (const { result, error } of await post(rpc, calls))
        if (error || result?.code !== 0) throw new RangeError(`refused: ${JSON.stringify(error ?? result)}`)
    }
    return next
  }
  const running = Promise.all([watch(), ...lanes.map(run)])
  // Told at the end; until then nobody listens.
  running.catch(() => undefined)
  return {
    full: Promise.race([full, running.then(() => undefined)]),
    async stop() {
      isRunning = false
      const [, ...sent] = await running
      return sent.reduce<number>((sum, count) => sum + (count ?? 0), 0)
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function post(rpc: string, calls: readonly object[]): Promise<readonly Answer[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const response = await fetch(rpc, { method: 'POST', body })
  return [(await response.json()) as Answer | readonly Answer[]].flat()
}
