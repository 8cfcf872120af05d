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

/** Keeps so many transactions waiting that no block is short of them, until it is stopped or has no more. */
export interface BlockFilling {
  /** Transactions handed over. */
  stop(): Promise<number>
}

const callsPerRequest = 10

export function fillBlocks(rpc: string, txs: readonly Uint8Array[], waiting: number): BlockFilling {
  let next = 0
  let isRunning = true
  const post = async (calls: readonly { readonly method: string; readonly params: object }[]) => {
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
    const answers = (await (await fetch(rpc, { method: 'POST', body })).json()) as
      | readonly { result?: Record<string, unknown>; error?: object }[]
      | { result?: Record<string, unknown>; error?: object }
    return [answers].flat() as readonly { result?: Record<string, unknown>; error?: object }[]
  }
  const run = (async () => {
    while (isRunning) {
      const [answer] = await post([{ method: 'num_unconfirmed_txs', params: {} }])
      const missing = waiting - Number(answer!.result!.total)
      const batch = txs.slice(next, next + Math.max(0, missing))
      if (missing > 0 && batch.length === 0) throw new RangeError(`all ${txs.length} transactions are sent`)
      for (let at = 0; at < batch.length; at += callsPerRequest) {
        const calls = batch.slice(at, at + callsPerRequest).map((tx) => {
          return { method: 'broadcast_tx_sync', params: { tx: bytesToBase64(tx) } }
        })
        for (const { result, error } of await post(calls))
          if (error || result?.code !== 0) throw new RangeError(`refused: ${JSON.stringify(error ?? result)}`)
        next += calls.length
      }
      if (batch.length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  // Told at the end; until then nobody listens.
  run.catch(() => undefined)
  return {
    async stop() {
      isRunning = false
      await run
      return next
    },
  }
}
