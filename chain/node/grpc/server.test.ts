import { gzipSync } from 'node:zlib'
import { sendMsg, testAccount } from '@coin/app/testing/signing'
import { bytesToHex, concatBytes } from '@coin/base/bytes'
import { QueryBalanceRequest } from '@coin/wire/gen/cosmos/bank/v1beta1/query'
import { sha256 } from '@coin/wire/sha256'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalidArgument } from '../services/service-errors.js'
import { type AppBehindPorts, createAppBehindPorts, type OpenGrpc, openGrpc } from '../testing/open-grpc.js'
import { encodeFrame } from './frames.js'
import { createGrpcServer } from './server.js'

const balance = 'cosmos.bank.v1beta1.Query/Balance'
let app: AppBehindPorts
let grpc: OpenGrpc
let bob: string

beforeAll(async () => {
  app = await createAppBehindPorts()
  grpc = await openGrpc(app.dependencies)
  bob = (await testAccount('bob')).address
  await app.send(bob, 7)
  await app.send(bob, 5)
})
afterAll(() => grpc.close())

const balanceOf = (amount: string) => ({ balance: { denom: 'ucoin', amount } })

describe('a unary call', () => {
  it('answers the last state and says its height', async () => {
    const reply = await grpc.call(balance, { address: bob, denom: 'ucoin' })
    expect(reply).toMatchObject({ code: 0, height: '3', response: balanceOf('12') })
  })

  it('reads the height that the metadata asks for', async () => {
    const at = (height: string) =>
      grpc.call(balance, { address: bob, denom: 'ucoin' }, { metadata: { 'x-cosmos-block-height': height } })
    expect(await at('2')).toMatchObject({ code: 0, height: '2', response: balanceOf('7') })
    expect(await at('1')).toMatchObject({ code: 0, height: '1', response: balanceOf('0') })
    expect(await at('0')).toMatchObject({ code: 0, height: '3', response: balanceOf('12') })
  })

  it.each([
    ['4', 'height 4 is ahead of the chain (latest 3)'],
    ['-1', 'x-cosmos-block-height "-1" is no height, expected 1 to 3'],
    ['1e3', 'x-cosmos-block-height "1e3" is no height, expected 1 to 3'],
    ['99999999999999999999', 'height 99999999999999999999 is ahead of the chain (latest 3)'],
    ['2, 3', 'x-cosmos-block-height "2, 3" is no height, expected 1 to 3'],
  ])('refuses the height %s', async (height, details) => {
    const metadata = { 'x-cosmos-block-height': height }
    const reply = await grpc.call(balance, { address: bob, denom: 'ucoin' }, { metadata })
    expect(reply).toEqual({ code: 3, details, height: undefined, response: undefined })
  })

  it('answers what handlers refuse with their code and words', async () => {
    expect(await grpc.call(balance, { address: 'xyz', denom: 'ucoin' })).toMatchObject({ code: 3, height: '3' })
    const unknown = await grpc.call('cosmos.bank.v1beta1.Query/DenomMetadata', { denom: 'nope' })
    expect(unknown).toMatchObject({ code: 5, details: expect.stringContaining('nope') })
  })

  it('reaches the services of the node itself', async () => {
    const config = await grpc.call('cosmos.base.node.v1beta1.Service/Config', {})
    expect(config).toMatchObject({
      code: 0,
      height: '3',
      response: { minimumGasPrice: expect.stringContaining('ucoin') },
    })
    const latest = await grpc.call('cosmos.base.tendermint.v1beta1.Service/GetLatestBlock', {})
    expect(latest).toMatchObject({ code: 0, response: { block: { header: { height: 3n } } } })
    const hash = bytesToHex(sha256(new Uint8Array(1)))
    expect(await grpc.call('cosmos.tx.v1beta1.Service/GetTx', { hash })).toMatchObject({ code: 5 })
  })

  it('simulates and broadcasts', async () => {
    const txBytes = await app.chain.sign(app.alice, [sendMsg(app.alice.address, bob, '1')])
    const simulated = await grpc.call('cosmos.tx.v1beta1.Service/Simulate', { txBytes })
    expect(simulated).toMatchObject({ code: 0, response: { gasInfo: { gasUsed: expect.any(BigInt) } } })
    const sent = await grpc.call('cosmos.tx.v1beta1.Service/BroadcastTx', { txBytes, mode: 2 })
    expect(sent).toMatchObject({ code: 0, response: { txResponse: { code: 0 } } })
    expect(app.twin.broadcasts.at(-1)).toEqual(txBytes)
  })

  it.each([
    ['cosmos.bank.v1beta1.Query/Nope', 'unknown method Nope for service cosmos.bank.v1beta1.Query'],
    ['cosmos.nope.v1.Query/Nope', 'unknown service cosmos.nope.v1.Query'],
    ['cosmos.bank.v1beta1.Msg/Send', 'unknown service cosmos.bank.v1beta1.Msg'],
    ['nope', 'malformed method name: "/nope"'],
  ])('has no method %s, in the words of grpc-go', async (path, details) => {
    expect(await grpc.call(path, new Uint8Array(0))).toMatchObject({ code: 12, details })
  })

  it.each([[[0xff, 0xff, 0xff]], [[0x0a, 0x80]], [[0x0a, 0x05, 0x01]], [[0x0a, 0x01, 0xff]], [[0x0b]]])(
    'refuses bytes that are no request: %j',
    async (bytes) => {
      for (const path of [balance, 'cosmos.tx.v1beta1.Service/GetTx']) {
        const reply = await grpc.call(path, Uint8Array.from(bytes))
        expect(reply).toMatchObject({
          code: 13,
          details: expect.stringMatching(/^grpc: error unmarshalling request: /),
        })
        expect(reply.height).toBeUndefined()
      }
    },
  )

  it('takes a compressed request', async () => {
    const request = QueryBalanceRequest.encode(
      QueryBalanceRequest.fromPartial({ address: bob, denom: 'ucoin' }),
    ).finish()
    const session = grpc.session()
    const stream = session.request({
      ':method': 'POST',
      ':path': `/${balance}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-encoding': 'gzip',
    })
    stream.end(encodeFrame(1, gzipSync(request)))
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) chunks.push(chunk as Uint8Array)
    expect(bytesToHex(concatBytes(...chunks))).toContain(bytesToHex(new TextEncoder().encode('ucoin')))
  })
})

describe('limits', () => {
  it('refuses a message that is too large, in the words of grpc-go', async () => {
    const small = await openGrpc(app.dependencies, { receiveBytesMax: 1000, sendBytesMax: 40 })
    const large = await small.call(balance, { address: 'x'.repeat(2000), denom: 'ucoin' })
    expect(large).toMatchObject({
      code: 8,
      details: expect.stringMatching(/^grpc: received message larger than max \(20\d\d vs\. 1000\)$/),
    })
    const answer = await small.call('cosmos.base.tendermint.v1beta1.Service/GetLatestBlock', {})
    expect(answer).toMatchObject({
      code: 8,
      details: expect.stringMatching(/^grpc: trying to send message larger than max \(\d+ vs\. 40\)$/),
    })
    await small.close()
  })

  it('ends a call at its deadline and lets the answer go', async () => {
    let answer: (() => void) | undefined
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { services, app: queries, log } = app.dependencies
    const slow = { ...queries, query: () => asked.then(() => ({ response: new Uint8Array(0), height: 3 })) }
    const server = await openGrpc({ services, app: slow, log })
    expect(await server.call(balance, {}, { deadlineMs: 50 })).toMatchObject({ code: 4 })
    answer?.()
    expect(await server.call(balance, {})).toMatchObject({ code: 0, response: {} })
    await server.close()
  })

  it('tells a failure of its own without its inside', async () => {
    const logged: object[] = []
    const { services, app: queries, log } = app.dependencies
    const broken = {
      ...queries,
      query: () => {
        throw new TypeError('secret')
      },
    }
    const server = await openGrpc({
      services,
      app: broken,
      log: { ...log, error: (fields) => void logged.push(fields) },
    })
    expect(await server.call(balance, {})).toMatchObject({ code: 13, details: 'internal error' })
    expect(logged).toEqual([{ path: `/${balance}`, error: expect.stringContaining('secret') }])
    await server.close()
  })

  it('carries messages with every character', async () => {
    const { services, app: queries, log } = app.dependencies
    const details = 'a % b \u00e9\u{1f680} \ud800 "x"\r\n'
    const server = await openGrpc({
      services,
      app: { ...queries, query: () => Promise.reject(invalidArgument(details)) },
      log,
    })
    expect(await server.call(balance, {})).toMatchObject({ code: 3, details: details.replace('\ud800', '\ufffd') })
    await server.close()
  })
})

describe('closing', () => {
  it('frees the port although callers stay connected', async () => {
    const server = await openGrpc(app.dependencies)
    await server.call(balance, { address: bob, denom: 'ucoin' })
    const session = server.session()
    await new Promise((resolve) => session.once('connect', resolve))
    const gone = new Promise((resolve) => session.once('close', resolve))
    await server.server.close()
    await gone
    const again = createGrpcServer({ host: '127.0.0.1', port: server.port }, app.dependencies)
    expect((await again.listen()).port).toBe(server.port)
    const third = createGrpcServer({ host: '127.0.0.1', port: server.port }, app.dependencies)
    await expect(third.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await again.close()
  })
})
