import { promisify } from 'node:util'
import { utf8ToBytes } from '@coin/base/bytes'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { QueryClient as AuthClient } from '@injectivelabs/core-proto-ts-v2/generated/cosmos/auth/v1beta1/query_pb.client.js'
import { QueryClient as BankClient } from '@injectivelabs/core-proto-ts-v2/generated/cosmos/bank/v1beta1/query_pb.client.js'
import { ServiceClient as CometClient } from '@injectivelabs/core-proto-ts-v2/generated/cosmos/base/tendermint/v1beta1/query_pb.client.js'
import { ServiceClient as TxClient } from '@injectivelabs/core-proto-ts-v2/generated/cosmos/tx/v1beta1/service_pb.client.js'
import { BroadcastMode } from '@injectivelabs/core-proto-ts-v2/generated/cosmos/tx/v1beta1/service_pb.js'
import { QueryClient as WasmClient } from '@injectivelabs/core-proto-ts-v2/generated/cosmwasm/wasm/v1/query_pb.client.js'
import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchContract, readArtifact, storeGas, storeMessage } from '../rest/rest-node.js'
import { sendMessage } from '../traffic/sender.js'
import { type ClientNode, startClientNode, strangerAddress } from './client-node.js'

// Generated clients on transports as they come from the registry: protobuf-ts over gRPC-Web, as the libraries for browsers use it,
// and @grpc/grpc-js. services.test.ts has every method; here is what a transport adds.

let node: ClientNode
let alice: string
let bob: string
let contract: string
beforeAll(async () => {
  node = await startClientNode('grpc-clients-1', 3)
  const [first, second] = node.addresses
  alice = first!
  bob = second!
  const token = { name: 'Test token', symbol: 'TEST', decimals: 6, initial_balances: [{ address: bob, amount: '50' }] }
  contract = (await launchContract(node, node.senders[0]!, readArtifact('cw20_base'), token)).address
})
afterAll(() => node?.close())

const whole = { denom: 'ucoin', amount: '100000000000000' }

describe.each(['binary', 'text'] as const)('protobuf-ts over gRPC-Web, %s', (format) => {
  let transport: GrpcWebFetchTransport
  beforeAll(() => {
    transport = new GrpcWebFetchTransport({ baseUrl: node.restUrl, format })
  })

  it('reads balances, accounts, blocks and contracts', async () => {
    const {
      response,
      headers,
      trailers,
      status: end,
    } = await new BankClient(transport).balance({ address: node.addresses[2]!, denom: 'ucoin' })
    expect([response.balance, end.code]).toEqual([whole, 'OK'])
    expect(Number({ ...headers, ...trailers }['x-cosmos-block-height'])).toBeGreaterThan(0)
    const all = await new BankClient(transport).allBalances({ address: node.addresses[2]!, resolveDenom: false })
      .response
    expect(all.balances).toEqual([whole])
    const { info } = await new AuthClient(transport).accountInfo({ address: bob }).response
    expect([info!.address, info!.accountNumber]).toEqual([bob, 1n])
    const { sdkBlock } = await new CometClient(transport).getBlockByHeight({ height: 1n }).response
    expect(sdkBlock!.header!.chainId).toBe('grpc-clients-1')
    const queryData = utf8ToBytes(JSON.stringify({ balance: { address: bob } }))
    const { data } = await new WasmClient(transport).smartContractState({ address: contract, queryData }).response
    expect(JSON.parse(new TextDecoder().decode(data))).toEqual({ balance: '50' })
  })

  it('reads an earlier height', async () => {
    const meta = { 'x-cosmos-block-height': '1' }
    const { response } = await new BankClient(transport).balance({ address: alice, denom: 'ucoin' }, { meta })
    expect(response.balance).toEqual(whole)
  })

  it('gets errors as it knows them', async () => {
    const nobody = new AuthClient(transport).account({ address: strangerAddress }).response
    await expect(nobody).rejects.toMatchObject({ code: 'NOT_FOUND', message: `account ${strangerAddress} not found` })
    const nonsense = new BankClient(transport).balance({ address: 'cosmos1abc', denom: 'ucoin' }).response
    await expect(nonsense).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  it('simulates and broadcasts', async () => {
    const sender = node.senders[1]!
    const txs = new TxClient(transport)
    const pay = (sequence?: bigint) =>
      sender.sign([sendMessage(bob, alice, 1n)], sequence === undefined ? {} : { sequence })
    const { gasInfo } = await txs.simulate({ txBytes: pay(sender.sequence) }).response
    expect(gasInfo!.gasUsed).toBeGreaterThan(50_000n)
    const { txResponse } = await txs.broadcastTx({ txBytes: pay(), mode: BroadcastMode.SYNC }).response
    expect(txResponse!.code).toBe(0)
    await node.deliver(pay())
    const found = await txs.getTx({ hash: txResponse!.txhash }).response
    expect([found.txResponse!.code, found.tx!.body!.messages[0]!.typeUrl]).toEqual([0, '/cosmos.bank.v1beta1.MsgSend'])
  })
})

describe('@grpc/grpc-js', () => {
  let client: Client
  beforeAll(() => {
    client = new Client(node.grpc, credentials.createInsecure())
  })
  afterAll(() => client?.close())

  const same = (bytes: Uint8Array) => Buffer.from(bytes)
  const ask = (path: string, request: Uint8Array, metadata = new Metadata(), deadlineMs = 30_000) =>
    new Promise<{ value: Buffer; initial: Metadata }>((resolve, reject) => {
      let initial = new Metadata()
      const options = { deadline: Date.now() + deadlineMs }
      const call = client.makeUnaryRequest(path, same, same, request, metadata, options, (error, value) => {
        if (error === null) resolve({ value: value!, initial })
        else reject(error)
      })
      call.once('metadata', (received: Metadata) => {
        initial = received
      })
    })
  const balanceOf = (address: string) => QueryBalanceRequest.encode({ address, denom: 'ucoin' }).finish()
  const balance = '/cosmos.bank.v1beta1.Query/Balance'

  it('becomes ready, and asks many things at once over one connection', async () => {
    await promisify(client.waitForReady.bind(client))(Date.now() + 10_000)
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(balance, balanceOf(node.addresses[2]!))))
    for (const { value } of answers) expect(QueryBalanceResponse.decode(value).balance).toEqual(whole)
  })

  it('sends a height and hears which one was read', async () => {
    const metadata = new Metadata()
    metadata.set('x-cosmos-block-height', '1')
    const { value, initial } = await ask(balance, balanceOf(alice), metadata)
    expect(QueryBalanceResponse.decode(value).balance).toEqual(whole)
    expect(initial.get('x-cosmos-block-height')).toEqual(['1'])
  })

  it('gets errors with their code', async () => {
    const failed = async (path: string, request: Uint8Array, deadlineMs?: number) =>
      ask(path, request, new Metadata(), deadlineMs).then(
        () => undefined,
        ({ code, details }: ServiceError) => ({ code, details }),
      )
    expect(await failed(balance, balanceOf('!'))).toMatchObject({ code: status.INVALID_ARGUMENT })
    expect(await failed(balance, Uint8Array.of(1, 2, 3))).toMatchObject({ code: status.INTERNAL })
    expect(await failed('/no.such.Service/Method', new Uint8Array())).toEqual({
      code: status.UNIMPLEMENTED,
      details: 'unknown service no.such.Service',
    })
    expect(await failed('/cosmos.bank.v1beta1.Query/Nothing', new Uint8Array())).toEqual({
      code: status.UNIMPLEMENTED,
      details: 'unknown method Nothing for service cosmos.bank.v1beta1.Query',
    })
    expect(await failed(balance, balanceOf(alice), -1)).toMatchObject({ code: status.DEADLINE_EXCEEDED })
  })

  it('sends a contract of hundreds of kilobytes, and reads it back', async () => {
    const tx = node.senders[2]!.sign([storeMessage(node.addresses[2]!, readArtifact('launchpad'))], storeGas)
    const transport = new GrpcWebFetchTransport({ baseUrl: node.restUrl, format: 'binary' })
    const { txResponse } = await new TxClient(transport).broadcastTx({ txBytes: tx, mode: BroadcastMode.SYNC }).response
    expect(txResponse!.code).toBe(0)
    await node.deliver(node.senders[2]!.sign([sendMessage(node.addresses[2]!, alice, 1n)]))
    const { value } = await ask('/cosmwasm.wasm.v1.Query/Code', Uint8Array.of(8, 2))
    expect(value.includes(Buffer.from(readArtifact('launchpad')))).toBe(true)
  })
})
