import { createProtobufRpcClient, QueryClient } from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { Client, credentials } from '@grpc/grpc-js'
import { type ClientNode, firstAsked } from './client-node.js'

/** What every generated client of cosmjs-types is built on. */
export interface ServiceRpc {
  request(service: string, method: string, data: Uint8Array): Promise<Uint8Array>
  close(): void
}

/** The ways by which a generated client reaches the same handler. */
export const transports = {
  'abci_query over HTTP': (node) => abciRpc(node.rpcUrl),
  'abci_query over WebSocket': (node) => abciRpc(node.socketUrl),
  gRPC: async (node) => grpcRpc(node.grpc),
  'gRPC-Web': async (node) => grpcWebRpc(node.restUrl),
} as const satisfies Readonly<Record<string, (node: ClientNode) => Promise<ServiceRpc>>>

async function abciRpc(url: string): Promise<ServiceRpc> {
  const comet = await firstAsked(Comet38Client.connect(url), (it) => it.health())
  return { ...createProtobufRpcClient(QueryClient.withExtensions(comet)), close: () => comet.disconnect() }
}

/** CosmJS over `@grpc/grpc-js`, as its users write it. */
function grpcRpc(address: string): ServiceRpc {
  const client = new Client(address, credentials.createInsecure())
  return {
    request: (service, method, data) =>
      new Promise((resolve, reject) => {
        const path = `/${service}/${method}`
        const same = (bytes: Uint8Array) => Buffer.from(bytes)
        client.makeUnaryRequest(
          path,
          same,
          (bytes) => new Uint8Array(bytes),
          data,
          (error, value) => {
            if (error === null) resolve(value!)
            else reject(error)
          },
        )
      }),
    close: () => client.close(),
  }
}

/** gRPC-Web by hand: one frame of a message, one of trailers. */
function grpcWebRpc(url: string): ServiceRpc {
  return {
    async request(service, method, data) {
      const body = new Uint8Array(5 + data.length)
      new DataView(body.buffer).setUint32(1, data.length)
      body.set(data, 5)
      const headers = { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' }
      const response = await fetch(`${url}/${service}/${method}`, { method: 'POST', headers, body })
      const answer = new Uint8Array(await response.arrayBuffer())
      const failure = response.headers.get('grpc-message')
      if (failure !== null) throw new Error(decodeURIComponent(failure))
      const length = answer[0] === 0 ? new DataView(answer.buffer).getUint32(1) : 0
      const trailers = new TextDecoder().decode(answer.subarray((answer[0] === 0 ? 5 + length : 0) + 5))
      if (!/grpc-status: *0\r\n/.test(trailers)) throw new Error(decodeURIComponent(trailers))
      return answer.slice(5, 5 + length)
    },
    close: () => undefined,
  }
}
