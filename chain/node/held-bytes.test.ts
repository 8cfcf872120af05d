import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { HeldBytes, heldBytesMax, tooMuchHeld } from './held-bytes.js'
import { openGateway } from './testing/open-gateway.js'
import { createAppBehindPorts, openGrpc } from './testing/open-grpc.js'
import { type OpenRpc, openRpc } from './testing/open-rpc.js'

const large = 'a'.repeat(100_000)
/** Answers with a megabyte. */
const files = 'cosmos.reflection.v1.ReflectionService/FileDescriptors'
const query = `/abci_query?path="/${files}"`

describe('bytes that are held', () => {
  it('are given back once; small ones are not counted, and one alone may be as large as it likes', () => {
    const held = new HeldBytes(1_000_000)
    const one = held.take(900_000)
    expect(held.take(200_000)).toBeUndefined()
    expect(held.take(65_536)).toBeDefined()
    one?.()
    one?.()
    expect(held.bytes).toBe(0)
    expect(held.take(2_000_000)).toBeDefined()
    expect(held.take(100_000)).toBeUndefined()
  })
})

describe('RPC, when too much is held', () => {
  let rpc: OpenRpc
  beforeAll(async () => {
    rpc = await openRpc({ maxBodyBytes: 200_000 })
    rpc.chain.engine.produceBlock()
  })
  afterAll(() => rpc.close())

  it('refuses large requests and large answers, and goes on with small ones', async () => {
    const release = rpc.held.take(heldBytesMax)
    expect(await rpc.get(query)).toMatchObject({ status: 503, json: { error: { code: -32000, data: tooMuchHeld } } })
    expect(await rpc.post(large)).toMatchObject({ status: 503, json: { error: { data: tooMuchHeld } } })
    expect(await rpc.get('/status')).toMatchObject({ status: 200 })
    release?.()
    expect(await rpc.get(query)).toMatchObject({ status: 200 })
    expect((await rpc.post(large)).json.error.data).toContain('error unmarshaling request')
    await nothingHeld(rpc.held)
  })

  it('says so on a WebSocket', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${rpc.port}/websocket`)
    await once(socket, 'open')
    const ask = async (id: number, method: string, params: object) => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return JSON.parse(String((await once(socket, 'message'))[0]))
    }
    const release = rpc.held.take(heldBytesMax)
    const path = { path: `/${files}` }
    expect(await ask(1, 'abci_query', path)).toMatchObject({ id: 1, error: { code: -32000, data: tooMuchHeld } })
    expect(await ask(2, 'health', {})).toMatchObject({ id: 2, result: {} })
    release?.()
    expect(await ask(3, 'abci_query', path)).toMatchObject({ id: 3, result: { response: { height: '1' } } })
    socket.terminate()
    await nothingHeld(rpc.held)
  })

  it('counts an answer until its client has taken it or has gone, and makes one at a time for each', async () => {
    const sockets: Socket[] = []
    const answer = (await rpc.get(query)).text.length
    for (let n = 0; n < 5; n++) {
      const socket = connect(rpc.port, '127.0.0.1')
      sockets.push(socket.pause())
      // Many answers, of which nothing is read.
      socket.write(`GET ${query.replaceAll('"', '%22')} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(100))
    }
    for (let steady = 0, last = -1; steady < 20; last = rpc.held.bytes) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      steady = rpc.held.bytes > 0 && rpc.held.bytes === last ? steady + 1 : 0
    }
    expect(rpc.held.bytes).toBe(5 * answer)
    for (const socket of sockets) socket.destroy()
    await nothingHeld(rpc.held)
  })
})

describe('REST and gRPC, when too much is held', () => {
  it('refuse large bodies', async () => {
    const held = new HeldBytes(heldBytesMax)
    const gateway = await openGateway({}, {}, held)
    const release = held.take(heldBytesMax)
    const refused = { code: 14, message: tooMuchHeld, details: [] }
    expect(await gateway.post('/cosmos/tx/v1beta1/simulate', large)).toMatchObject({ status: 503, json: refused })
    expect(await gateway.call('/cosmos/base/tendermint/v1beta1/syncing')).toMatchObject({ status: 200 })
    release?.()
    expect(await gateway.post('/cosmos/tx/v1beta1/simulate', large)).toMatchObject({ status: 400 })
    await nothingHeld(held)
    await gateway.close()
  })

  it('refuse large answers', async () => {
    const held = new HeldBytes(heldBytesMax)
    const grpc = await openGrpc((await createAppBehindPorts()).dependencies, { held })
    const release = held.take(heldBytesMax)
    expect(await grpc.call(files, {})).toMatchObject({ code: 8, details: tooMuchHeld })
    expect(await grpc.call('cosmos.bank.v1beta1.Query/TotalSupply', {})).toMatchObject({ code: 0 })
    release?.()
    expect(await grpc.call(files, {})).toMatchObject({ code: 0 })
    await nothingHeld(held)
    await grpc.close()
  })
})

async function nothingHeld(held: HeldBytes): Promise<void> {
  while (held.bytes > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}
