import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Secp256k1Wallet } from '@cosmjs/amino'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { type RestNode, startRestNode } from '../rest/rest-node.js'
import { privateKeyOf } from '../traffic/sender.js'

/** A real node with all its doors open, to web pages too. */
export interface ClientNode extends RestNode {
  readonly rpcUrl: string
  readonly socketUrl: string
  readonly restUrl: string
  /** `127.0.0.1:<port>` */
  readonly grpc: string
  readonly addresses: readonly string[]
  /** Signs protobuf for the account of this index. */
  direct(index: number): Promise<DirectSecp256k1Wallet>
  /** Signs amino JSON for the account of this index, as a Ledger does. */
  amino(index: number): Promise<Secp256k1Wallet>
}

const openDoors = [
  ...['--grpc.enable', 'true', '--grpc.address', '127.0.0.1:0'],
  ...['--api.enabled-unsafe-cors', 'true', '--rpc.cors_allowed_origins', '*'],
]

export async function startClientNode(
  chainId: string,
  accounts: number,
  flags: readonly string[] = [],
): Promise<ClientNode> {
  const node = await startRestNode(chainId, accounts, [...openDoors, ...flags])
  const grpc = /gRPC is open address=(\S+)/.exec(node.process.log())?.[1]
  if (grpc === undefined) throw new Error(`the node has no gRPC door:\n${node.process.log()}`)
  return {
    ...node,
    grpc,
    rpcUrl: node.process.rpc,
    socketUrl: node.process.rpc.replace('http', 'ws'),
    restUrl: node.process.rest,
    addresses: node.senders.map(({ address }) => address),
    direct: (index) => DirectSecp256k1Wallet.fromKey(privateKeyOf(chainId, index), 'coin'),
    amino: (index) => Secp256k1Wallet.fromKey(privateKeyOf(chainId, index), 'coin'),
  }
}

/**
 * CosmJS 0.38 never sends anything over a WebSocket that opened while no request was waiting: its queue then counts as being
 * worked on for ever (QueueingStreamingSocket.processQueue). So its first question has to come at once.
 */
export async function firstAsked<T>(client: Promise<T>, ask: (client: T) => Promise<unknown>): Promise<T> {
  const connected = await client
  await ask(connected)
  return connected
}

/** An address of this chain with no account behind it. */
export const strangerAddress = 'coin1qyqszqgpqyqszqgpqyqszqgpqyqszqgpe7r0r0'

const referenceContracts = new URL('../../reference/.cache/contracts/', import.meta.url)

/** A contract of the reference's own tests, or nothing when it was not fetched. */
export function findReferenceContract(name: string): Uint8Array | undefined {
  const file = fileURLToPath(new URL(name, referenceContracts))
  return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined
}
