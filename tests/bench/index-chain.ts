import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { bytesToBase64 } from '@coin/base/bytes'
import type { Event } from '@coin/engine/application'
import { createEventChain, type EventChain, event } from '@coin/node/testing/event-chain'
import type { KvDatabase } from '@coin/store/kv-database'
import { openKvDatabase } from '@coin/store/lmdb-kv-database'
import { createAddressCodec } from '@coin/wire/addresses'

const coin = createAddressCodec('coin')

function addressOf(index: number): string {
  const bytes = new Uint8Array(20)
  new DataView(bytes.buffer).setUint32(0, Math.imul(index + 1, 2654435761) >>> 0)
  new DataView(bytes.buffer).setUint32(4, index)
  return coin.encode(bytes)
}

/** Who and what the transactions of an index chain are about. */
export const parties = {
  /** Receives the fee of every transaction. */
  collector: addressOf(1),
  /** Signs every second transaction. */
  busy: addressOf(2),
  /** Signs one in a thousand. */
  rare: addressOf(3),
  /** Receives what `busy` does not send, and of one in ten thousand that it does. */
  shop: addressOf(4),
} as const

export const sendAction = '/cosmos.bank.v1beta1.MsgSend'
const senderCount = 4000
const recipientCount = 50_000

interface Send {
  readonly from: string
  readonly to: string
  readonly amount: number
}

/** The `index`-th of them: always the same. Amounts are 1 to 1000 ucoin. */
function sendOf(index: number): Send {
  const mixed = Math.imul(index + 1, 2654435761) >>> 0
  const amount = 1 + (mixed % 1000)
  const someone = addressOf(100 + senderCount + (mixed % recipientCount))
  if (index % 2 === 0) return { from: parties.busy, to: index % 10_000 === 0 ? parties.shop : someone, amount }
  const from = index % 1000 === 501 ? parties.rare : addressOf(100 + (mixed % senderCount))
  return { from, to: parties.shop, amount }
}

/** The nine events of a bank send, as the SDK gives them. */
function eventsOf({ from, to, amount }: Send, sequence: number): readonly Event[] {
  const move = (sender: string, recipient: string, coins: string): Event[] => [
    event('coin_spent', { spender: sender, amount: coins }),
    event('coin_received', { receiver: recipient, amount: coins }),
    event('transfer', { recipient, sender, amount: coins }),
  ]
  return [
    ...move(from, parties.collector, '2500ucoin').slice(0, 2),
    event('tx', { fee: '2500ucoin', fee_payer: from }),
    event('tx', { acc_seq: `${from}/${sequence}` }),
    event('tx', { signature: bytesToBase64(randomBytes(64)) }),
    event('message', { action: sendAction, sender: from, module: 'bank', msg_index: '0' }),
    ...move(from, to, `${amount}ucoin`),
  ]
}

export interface IndexChain {
  readonly dataDir: string
  readonly chain: EventChain
  readonly close: () => Promise<void>
}

/** A block store with `count` sends in blocks of `perBlock`; nothing is signed or executed, and nothing is synced. */
export function writeIndexChain(dataDir: string, count: number, perBlock: number): IndexChain {
  const db = openKvDatabase(join(dataDir, 'blocks'))
  const unsynced: KvDatabase = { ...db, batch: (operations) => db.batch(operations, { sync: false }) }
  const chain = createEventChain(unsynced)
  for (let first = 0; first < count; first += perBlock) {
    const txs = Array.from({ length: Math.min(perBlock, count - first) }, (_, i) => ({
      bytes: randomBytes(300),
      events: eventsOf(sendOf(first + i), first + i),
    }))
    chain.add(txs)
  }
  return { dataDir, chain, close: () => db.close() }
}
