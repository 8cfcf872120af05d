import { fromHex } from '@cosmjs/encoding'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'
import { coins, GasPrice, SigningStargateClient, StargateClient } from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { QueryClient } from '@injectivelabs/core-proto-ts-v2/generated/cosmos/bank/v1beta1/query_pb.client.js'
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport'

// The script of the page that browser.test.ts opens in Chromium. It is bundled with its libraries, runs on another origin than the
// node, and sends what it saw to the server that it came from.

export interface PageSettings {
  readonly rest: string
  readonly rpc: string
  readonly socket: string
  /** Private key of the account that pays, in hexadecimal. */
  readonly key: string
  readonly recipient: string
}

export interface PageReport {
  readonly origin: string
  readonly network: string
  readonly rpcNetwork: string
  readonly postedHeight: string
  readonly refusal: string
  readonly balances: string
  readonly sent: { readonly code: number; readonly hash: string; readonly height: number }
  readonly event: { readonly hash: string; readonly height: number }
  readonly block: number
  readonly grpcWeb: string
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

async function json(url: string, init?: RequestInit): Promise<never> {
  return (await fetch(url, init)).json() as Promise<never>
}

const postJson = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The first event of a stream. */
const firstOf = <T>(stream: {
  addListener(listener: { next(value: T): void; error(error: unknown): void }): void
}): Promise<T> => new Promise((resolve, reject) => stream.addListener({ next: resolve, error: reject }))

async function look({ rest, rpc, socket, key, recipient }: PageSettings): Promise<PageReport> {
  const info: { default_node_info: { network: string } } = await json(
    `${rest}/cosmos/base/tendermint/v1beta1/node_info`,
  )
  const status: { result: { node_info: { network: string } } } = await json(`${rpc}/status`)
  const call = { jsonrpc: '2.0', id: 1, method: 'block', params: { height: '1' } }
  const posted: { result: { block: { header: { height: string } } } } = await json(rpc, postJson(call))
  const refused: { message: string } = await json(`${rest}/cosmos/tx/v1beta1/simulate`, postJson({ tx_bytes: 'AQ==' }))

  const comet = await Comet38Client.connect(socket)
  const block = firstOf(comet.subscribeNewBlock())
  const event = firstOf(comet.subscribeTx(`transfer.recipient='${recipient}'`))
  await comet.health()

  const wallet = await DirectSecp256k1Wallet.fromKey(fromHex(key), 'coin')
  const [{ address } = { address: '' }] = await wallet.getAccounts()
  const reader = await StargateClient.connect(rpc)
  const [balance] = await reader.getAllBalances(address)
  const signer = await SigningStargateClient.connectWithSigner(rpc, wallet, {
    gasPrice: GasPrice.fromString('0.025ucoin'),
    broadcastPollIntervalMs: 20,
  })
  const sent = await signer.sendTokens(address, recipient, coins(7, 'ucoin'), 'auto', 'from a page')
  const seen = await event
  const made = await block
  comet.disconnect()
  const transport = new GrpcWebFetchTransport({ baseUrl: rest, format: 'binary' })
  const { response } = await new QueryClient(transport).balance({ address: recipient, denom: 'ucoin' })
  return {
    origin: globalThis.location.origin,
    network: info.default_node_info.network,
    rpcNetwork: status.result.node_info.network,
    postedHeight: posted.result.block.header.height,
    refusal: refused.message,
    balances: `${balance?.amount}${balance?.denom}`,
    sent: { code: sent.code, hash: sent.transactionHash, height: sent.height },
    event: { hash: hexOf(seen.hash).toUpperCase(), height: seen.height },
    block: made.header.height,
    grpcWeb: `${response.balance?.amount}${response.balance?.denom}`,
  }
}

declare global {
  var pageSettings: PageSettings
  var location: { readonly origin: string }
}

const report: PageReport | { readonly error: string } = await look(globalThis.pageSettings).catch((error: Error) => ({
  error: `${error.message}\n${error.stack}`,
}))
await fetch('/report', postJson(report))
