import { QueryBalanceRequest } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import { Client, credentials, type Metadata } from '@grpc/grpc-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { type GrpcNode, startGrpcNode } from '../grpc/grpc-node.js'
import { sendMessage } from '../traffic/sender.js'

const durationMs = 20_000
let node: GrpcNode
let grpc: Client

beforeAll(async () => {
  node = await startGrpcNode('order-1', 6)
  await node.reach(3)
  grpc = new Client(node.grpc, credentials.createInsecure())
})
afterAll(async () => {
  grpc.close()
  await node.close()
})

const header = 'x-cosmos-block-height'

/** Ways to read the chain, through every door and from every thread; each answers the height that it has seen. */
const reads: Readonly<Record<string, () => Promise<number>>> = {
  'RPC status': () => node.height(),
  'RPC abci_info': async () => {
    const { response } = await node.rpc<{ response: { last_block_height: string } }>('abci_info')
    return Number(response.last_block_height)
  },
  'RPC abci_query': async () => {
    const path = '/cosmos.bank.v1beta1.Query/TotalSupply'
    const { response } = await node.rpc<{ response: { height: string } }>('abci_query', { path })
    return Number(response.height)
  },
  'RPC abci_query with proof': async () => {
    const ask = { path: '/store/bank/key', data: '01', prove: true }
    const { response } = await node.rpc<{ response: { height: string; log: string } }>('abci_query', ask)
    expect(response.log).toBe('')
    return Number(response.height)
  },
  'RPC consensus_state': async () => {
    const { round_state } = await node.rpc<{ round_state: { 'height/round/step': string } }>('consensus_state')
    return Number(round_state['height/round/step'].split('/')[0]) - 1
  },
  'RPC block': async () => {
    const { block } = await node.rpc<{ block: { header: { height: string } } }>('block')
    return Number(block.header.height)
  },
  'REST latest block': async () => {
    const { json } = await node.get('/cosmos/base/tendermint/v1beta1/blocks/latest')
    return Number(json.block.header.height)
  },
  'REST state': async () => {
    const { headers } = await node.get('/cosmos/bank/v1beta1/supply')
    return Number(headers.get(header))
  },
  'REST status': async () => Number((await node.get('/cosmos/base/node/v1beta1/status')).json.height),
  'gRPC state': () =>
    new Promise((resolve, reject) => {
      const request = QueryBalanceRequest.encode({ address: node.senders[0]!.address, denom: 'ucoin' }).finish()
      const asBytes = (bytes: Uint8Array) => Buffer.from(bytes)
      const path = '/cosmos.bank.v1beta1.Query/Balance'
      const call = grpc.makeUnaryRequest(
        path,
        asBytes,
        (bytes) => bytes,
        request,
        (error) => error && reject(error),
      )
      call.on('metadata', (metadata: Metadata) => resolve(Number(metadata.get(header)[0])))
    }),
}

/** Whatever one client was told by one door, every client reads at every other, from then on. */
it('nobody is told of a block whose state cannot be read yet, at any door', { timeout: 120_000 }, async () => {
  const violations: string[] = []
  let told = { height: 0, by: '' }
  let readings = 0
  const tell = (by: string, height: number) => {
    if (height > told.height) told = { height, by }
  }
  const read = async (name: string) => {
    const before = told
    const height = await reads[name]!()
    readings++
    if (!(height >= before.height)) violations.push(`${before.by} told of ${before.height}, then ${name} of ${height}`)
    tell(name, height)
  }
  const end = performance.now() + durationMs
  const readers = Object.keys(reads).flatMap((name) =>
    [1, 2].map(async () => {
      while (performance.now() < end) await read(name)
    }),
  )
  const writers = node.senders.map(async (sender, index) => {
    const { address } = sender
    for (let sent = 1; performance.now() < end; sent++) {
      const tx = sender.sign([sendMessage(address, address, 1n)])
      const by = index % 2 === 0 ? 'broadcast_tx_commit' : 'BROADCAST_MODE_BLOCK'
      const { hash, height } = index % 2 === 0 ? await node.deliver(tx) : await deliverByRest(tx)
      tell(by, height === undefined ? 0 : Number(height))
      const [account, found, search] = await Promise.all([
        node.get(`/cosmos/auth/v1beta1/account_info/${address}`),
        node.get(`/cosmos/tx/v1beta1/txs/${hash}`),
        node.rpc<{ total_count: string }>('tx_search', { query: `message.sender='${address}'` }),
      ])
      if (account.json.info.sequence !== String(sent)) violations.push(`${by}: sequence ${account.json.info.sequence}`)
      if (found.status !== 200) violations.push(`${by}: ${JSON.stringify(found.json)}`)
      if (search.total_count !== String(sent)) violations.push(`${by}: found ${search.total_count} of ${sent}`)
    }
  })
  const socket = await subscribed((height) => {
    tell('NewBlock', height)
    for (const name of Object.keys(reads)) void read(name)
  })
  await Promise.all([...readers, ...writers])
  socket.close()
  expect(violations.slice(0, 10), `${violations.length} of ${readings}`).toEqual([])
  expect(told.height).toBeGreaterThan(10)
  expect(readings).toBeGreaterThan(1000)
})

async function deliverByRest(tx: Uint8Array): Promise<{ readonly hash: string; readonly height: string }> {
  const body = { tx_bytes: Buffer.from(tx).toString('base64'), mode: 'BROADCAST_MODE_BLOCK' }
  const { json } = await node.post('/cosmos/tx/v1beta1/txs', body)
  expect(json.tx_response).toMatchObject({ code: 0 })
  return { hash: json.tx_response.txhash, height: json.tx_response.height }
}

async function subscribed(onBlock: (height: number) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${node.process.rpc.replace('http', 'ws')}/websocket`)
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlock'" } }))
  socket.on('message', (data) => {
    const { result } = JSON.parse(String(data)) as {
      result: { data?: { value: { block: { header: { height: string } } } } }
    }
    if (result.data !== undefined) onBlock(Number(result.data.value.block.header.height))
  })
  return socket
}
