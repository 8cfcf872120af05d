import { readFileSync } from 'node:fs'
import { bytesToBase64, utf8ToBytes } from '@coin/base/bytes'
import { MsgInstantiateContract, MsgStoreCode } from '@coin/wire/gen/cosmwasm/wasm/v1/tx'
import type { Any } from '@coin/wire/gen/google/protobuf/any'
import { callRpc, createTestHome, type NodeProcess, startNodeProcess } from '../process/node-process.js'
import type { Sender, SignOptions } from '../traffic/sender.js'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer
  readonly json: any
}

export interface EventAttribute {
  readonly key: string
  readonly value: string
}

/** What a block made of a transaction. */
export interface Delivered {
  /** Upper-case hexadecimal. */
  readonly hash: string
  readonly height: string
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly data: string | null
  readonly gas_wanted: string
  readonly gas_used: string
  readonly events: readonly { readonly type: string; readonly attributes: readonly EventAttribute[] }[]
}

/** A real node with funded accounts and its two doors. */
export interface RestNode {
  readonly process: NodeProcess
  readonly chainId: string
  readonly senders: readonly Sender[]
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** A body that is no text is sent as JSON. */
  post(path: string, body: object | string): Promise<Reply>
  rpc<T>(method: string, params?: object): Promise<T>
  /** Sends a transaction and waits for its block. Throws when CheckTx refuses it. */
  deliver(tx: Uint8Array): Promise<Delivered>
  height(): Promise<number>
  /** Waits until the chain has this height. */
  reach(height: number): Promise<void>
  close(): Promise<void>
}

/** `prepare` may change the home folder before the node starts. */
export async function startRestNode(
  chainId: string,
  accounts: number,
  flags: readonly string[] = [],
  prepare: (root: string) => void = () => undefined,
): Promise<RestNode> {
  const home = createTestHome(chainId, accounts)
  prepare(home.root)
  const node = await startNodeProcess(home.root, flags)
  const call = async (path: string, init?: RequestInit): Promise<Reply> => {
    const response = await fetch(node.rest + path, init)
    return { status: response.status, headers: response.headers, json: await response.json() }
  }
  const rpc = <T>(method: string, params?: object) => callRpc<T>(node.rpc, method, params)
  const height = async () => {
    const { sync_info } = await rpc<{ sync_info: { latest_block_height: string } }>('status')
    return Number(sync_info.latest_block_height)
  }
  const rest: RestNode = {
    process: node,
    chainId,
    senders: home.senders,
    get: (path, headers) => call(path, headers && { headers }),
    post: (path, body) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    rpc,
    deliver: (tx) => deliver(rpc, tx),
    height,
    async reach(asked) {
      while ((await height()) < asked);
    },
    async close() {
      await node.end('SIGINT')
      home.remove()
    },
  }
  await rest.reach(1)
  return rest
}

async function deliver(rpc: <T>(method: string, params?: object) => Promise<T>, tx: Uint8Array): Promise<Delivered> {
  const answer = await rpc<{
    check_tx: { code: number; log: string }
    tx_result: Omit<Delivered, 'hash' | 'height'>
    hash: string
    height: string
  }>('broadcast_tx_commit', { tx: bytesToBase64(tx) })
  if (answer.check_tx.code !== 0) throw new Error(`refused with code ${answer.check_tx.code}: ${answer.check_tx.log}`)
  return { ...answer.tx_result, hash: answer.hash, height: answer.height }
}

/** Value of the first attribute of this name. */
export function attribute({ events }: Delivered, type: string, key: string): string {
  const found = events.find((event) => event.type === type)?.attributes.find((it) => it.key === key)
  if (found === undefined) throw new Error(`no ${type}.${key} in ${JSON.stringify(events)}`)
  return found.value
}

/** Bytes of one of our own contracts, as it is committed. */
export function readArtifact(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`../../../contracts/artifacts/${name}.wasm`, import.meta.url)))
}

export function storeMessage(sender: string, wasmByteCode: Uint8Array): Any {
  const message = MsgStoreCode.fromPartial({ sender, wasmByteCode })
  return { typeUrl: '/cosmwasm.wasm.v1.MsgStoreCode', value: MsgStoreCode.encode(message).finish() }
}

export function instantiateMessage(sender: string, codeId: bigint, msg: object, label = 'a contract'): Any {
  const message = MsgInstantiateContract.fromPartial({ sender, codeId, label, msg: utf8ToBytes(JSON.stringify(msg)) })
  return { typeUrl: '/cosmwasm.wasm.v1.MsgInstantiateContract', value: MsgInstantiateContract.encode(message).finish() }
}

/** Fee and gas of a transaction that stores a large contract. */
export const storeGas: SignOptions = { gas: 10_000_000n, fee: 250_000n }

const instantiateGas: SignOptions = { gas: 1_000_000n, fee: 25_000n }

/** Stores and instantiates a contract; answers its address. */
export async function launchContract(
  rest: RestNode,
  sender: Sender,
  code: Uint8Array,
  msg: object,
): Promise<{ readonly codeId: bigint; readonly address: string }> {
  const stored = await rest.deliver(sender.sign([storeMessage(sender.address, code)], storeGas))
  if (stored.code !== 0) throw new Error(stored.log)
  const codeId = BigInt(attribute(stored, 'store_code', 'code_id'))
  const made = await rest.deliver(sender.sign([instantiateMessage(sender.address, codeId, msg)], instantiateGas))
  if (made.code !== 0) throw new Error(made.log)
  return { codeId, address: attribute(made, 'instantiate', '_contract_address') }
}

/** The error body of the decisions: a gRPC code, words, and no details. */
export const errorBody = (code: number, message: unknown) => ({ code, message, details: [] })
