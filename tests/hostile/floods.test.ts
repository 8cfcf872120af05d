import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { homePaths } from '@coin/node/home/paths'
import { MsgSend } from '@coin/wire/gen/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from '@coin/wire/gen/cosmos/tx/v1beta1/tx'
import { Client, credentials } from '@grpc/grpc-js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { callRpc, createTestHome, type NodeProcess, startNodeProcess, type TestHome } from '../process/node-process.js'
import { sendMessage } from '../traffic/sender.js'

let home: TestHome
let node: NodeProcess | undefined

beforeEach(() => {
  home = createTestHome('flood-1', 4)
})
afterEach(async () => {
  await node?.end('SIGKILL')
  home.remove()
})

const flags = ['--engine.block-time', '200ms', '--grpc.enable', 'true', '--grpc.address', '127.0.0.1:0']

async function start(filesMax?: number): Promise<{ readonly doors: readonly string[]; readonly grpc: string }> {
  node = await startNodeProcess(home.root, flags, filesMax)
  const grpc = /gRPC is open address=(\S+)/.exec(node.log())![1]!
  return { doors: [node.rpc.slice(7), node.rest.slice(7), grpc], grpc }
}

const status = () =>
  callRpc<{ sync_info: { latest_block_height: string; latest_block_time: string } }>(node!.rpc, 'status')
const height = async () => Number((await status()).sync_info.latest_block_height)
const openFiles = () => readdirSync(`/proc/${node!.child.pid}/fd`).length
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** The longest time between two blocks of a range, in milliseconds. */
async function longestPause(from: number, to: number): Promise<number> {
  const times: number[] = []
  for (let at = from; at <= to; at++) {
    const { header } = await callRpc<{ header: { time: string } }>(node!.rpc, 'header', { height: String(at) })
    times.push(Date.parse(header.time))
  }
  return Math.max(...times.slice(1).map((time, index) => time - times[index]!))
}

function dial(door: string): Socket {
  const [host, port] = door.split(':')
  const socket = connect(Number(port), host)
  socket.on('error', () => undefined)
  return socket
}

describe.runIf(process.platform === 'linux')('connections', () => {
  it('that are as many as the system allows leave the chain files to write its blocks', async () => {
    const { doors } = await start(512)
    const sockets = doors.flatMap((door) => Array.from({ length: 600 }, () => dial(door)))
    await later(1500)
    for (const socket of sockets) socket.destroy()
    await later(200)
    const before = await height()
    while ((await height()) < before + 2) await later(50)
    expect(node!.log()).toContain('this process may have few files open')
    expect(await node!.end('SIGTERM')).toBe(0)
  })

  it('that come and go by the thousand leave nothing behind', async () => {
    const { doors } = await start()
    await height()
    const files = openFiles()
    for (let round = 0; round < 5; round++) {
      const sockets = doors.flatMap((door) => Array.from({ length: 300 }, () => dial(door)))
      for (const socket of sockets) socket.write('GET /websocket HTTP/1.1\r\nhost: ')
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
      for (const [index, socket] of sockets.entries()) {
        if (index % 2 === 0) socket.end()
        else socket.resetAndDestroy()
      }
      for (const socket of sockets) socket.destroy()
    }
    while (openFiles() > files + 5) await later(20)
    const before = await height()
    while ((await height()) < before + 2) await later(50)
  })
})

describe('transactions that are expensive to look at', () => {
  it('and come in great numbers keep no block waiting', async () => {
    const { grpc } = await start()
    const { address } = home.senders[0]!
    const value = MsgSend.encode(MsgSend.fromPartial({ fromAddress: address, toAddress: address })).finish()
    const messages = Array.from({ length: 6000 }, () => ({ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }))
    const fee = { amount: [], gasLimit: 1n, payer: '', granter: '' }
    const raw = {
      bodyBytes: TxBody.encode(TxBody.fromPartial({ messages })).finish(),
      authInfoBytes: AuthInfo.encode(AuthInfo.fromPartial({ fee })).finish(),
    }
    while ((await height()) < 2) await later(50) // the first has the genesis' time
    const from = await height()
    const txs = Array.from({ length: 60 }, (_, n) =>
      Buffer.from(TxRaw.encode({ ...raw, signatures: [Uint8Array.of(n)] }).finish()).toString('base64'),
    )
    const client = new Client(grpc, credentials.createInsecure())
    await Promise.all([
      ...txs.map((tx) => callRpc(node!.rpc, 'broadcast_tx_sync', { tx })),
      ...txs.slice(0, 20).map((tx) => callRpc(node!.rpc, 'check_tx', { tx })),
      ...txs
        .slice(0, 20)
        .map((tx) =>
          fetch(`${node!.rest}/cosmos/tx/v1beta1/simulate`, { method: 'POST', body: JSON.stringify({ tx_bytes: tx }) }),
        ),
    ])
    client.close()
    const to = await height()
    expect(to).toBeGreaterThan(from + 3)
    // Of all of them together it was more than ten seconds.
    expect(await longestPause(from, to)).toBeLessThan(2000)
  })
})

describe('a node that is told to stop', () => {
  it('under load ends soon and well, and has every transaction that it said was in a block', async () => {
    const { grpc } = await start()
    const client = new Client(grpc, credentials.createInsecure())
    const socket = new WebSocket(`${node!.rpc.replace('http', 'ws')}/websocket`)
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.once('open', resolve))
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='Tx'" } }
    socket.send(JSON.stringify(subscribe))
    let isOver = false
    const asBytes = (bytes: Uint8Array) => Buffer.from(bytes)
    const reading = [
      () => fetch(`${node!.rest}/cosmos/auth/v1beta1/accounts`).then((answer) => answer.text()),
      () => fetch(`${node!.rpc}/tx_search?query="tx.height>0"`).then((answer) => answer.text()),
      () =>
        new Promise((resolve) => {
          const path = '/cosmos.bank.v1beta1.Query/TotalSupply'
          client.makeUnaryRequest(path, asBytes, (bytes) => bytes, new Uint8Array(0), resolve)
        }),
    ].flatMap((read) =>
      Array.from({ length: 8 }, async () => {
        while (!isOver) await read().catch(() => later(5))
      }),
    )
    const included: string[] = []
    const writing = home.senders.map(async (sender) => {
      while (!isOver) {
        const tx = sender.sign([sendMessage(sender.address, sender.address, 1n)])
        await callRpc<{ hash: string; height: string }>(node!.rpc, 'broadcast_tx_commit', {
          tx: Buffer.from(tx).toString('base64'),
        }).then(
          ({ hash, height }) => height !== '0' && included.push(hash),
          () => undefined,
        )
      }
    })
    while (included.length < 20) await later(50)
    const begun = performance.now()
    const code = await node!.end('SIGTERM')
    const tookMs = performance.now() - begun
    isOver = true
    socket.terminate()
    client.close()
    await Promise.all([...reading, ...writing])
    expect([
      code,
      node!
        .log()
        .split('\n')
        .filter((line) => / ERR /.test(line)),
    ]).toEqual([0, []])
    expect(tookMs).toBeLessThan(15_000)
    expect(readFileSync(homePaths(home.root).privValidatorState, 'utf8')).toContain('height')
    await start()
    for (const hash of included) {
      const tx = Buffer.from(hash, 'hex').toString('base64')
      expect(await callRpc(node!.rpc, 'tx', { hash: tx })).toMatchObject({ hash, tx_result: { code: 0 } })
    }
  })
})
