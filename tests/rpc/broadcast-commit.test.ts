import { request } from 'node:http'
import { bytesToBase64, bytesToHex, utf8ToBytes } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startTallyNode, type TallyNode } from './tally-node.js'

let node: TallyNode
beforeEach(async () => {
  node = await startTallyNode({ broadcastCommitTimeoutMs: 20_000, maxOpenConnections: 900 })
})
afterEach(() => node.close())

const callOf = (text: string) =>
  JSON.stringify({ id: text, method: 'broadcast_tx_commit', params: { tx: bytesToBase64(utf8ToBytes(text)) } })
const upperHex = (text: string) => bytesToHex(sha256(utf8ToBytes(text))).toUpperCase()

/** The answer to `broadcast_tx_commit` over a connection of its own. */
async function commit(text: string) {
  const response = await fetch(node.http, { method: 'POST', body: callOf(text) })
  return (await response.json()) as {
    readonly id: string
    readonly result?: { readonly hash: string; readonly height: string; readonly tx_result: { readonly data: string } }
    readonly error?: { readonly data: string }
  }
}

/** Resolves when the mempool holds so many, or so many listen to blocks. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe('broadcast_tx_commit', () => {
  it('answers hundreds of waiting clients, each with its own transaction and block', async () => {
    const texts = Array.from({ length: 400 }, (_, i) => `${'k=1&'.repeat(i % 3)}i=${i}`)
    const answers = texts.map(commit)
    let produced = 0
    while (produced < texts.length) {
      await until(() => node.engine.mempool.size() > 0)
      produced += node.engine.produceBlock().block.txs.length
    }
    const all = await Promise.all(answers)
    for (const [index, { id, result }] of all.entries()) {
      const text = texts[index]!
      expect([id, result?.hash]).toEqual([text, upperHex(text)])
      const block = node.engine.blocks.block(Number(result?.height))
      expect(block?.txs.map((tx) => Buffer.from(tx).toString())).toContain(text)
    }
    await until(() => node.listeners() === 1)
  })

  it('answers also when the block was made before the server knew of it', async () => {
    await node.block('first=1')
    const before = node.engine.blocks.height()
    node.holdBlocks(true)
    const answer = commit('late=1')
    await until(() => node.engine.mempool.size() > 0)
    node.engine.produceBlock()
    node.engine.produceBlock()
    node.holdBlocks(false)
    expect((await answer).result).toMatchObject({ hash: upperHex('late=1'), height: String(before + 1) })
  })

  it('tells what the block made of it, also when it failed there', async () => {
    const answer = commit('fail=1')
    await until(() => node.engine.mempool.size() === 1)
    node.engine.produceBlock()
    expect((await answer).result?.tx_result).toMatchObject({ code: 3, log: 'failed' })
  })

  it('says at once that a later block has made the transaction invalid', async () => {
    const full = await startTallyNode({ broadcastCommitTimeoutMs: 20_000 }, { maxGas: 10n })
    await full.engine.mempool.submit(utf8ToBytes('once=x&gas=10')).checked
    const response = fetch(full.http, { method: 'POST', body: callOf('once=x&gas=9') })
    await until(() => full.engine.mempool.size() === 2)
    full.engine.produceBlock()
    const { error } = (await (await response).json()) as { readonly error: { readonly data: string } }
    expect(error.data).toBe(`transaction ${upperHex('once=x&gas=9')}: tx is no longer valid after a later block`)
    await full.close()
  })

  it('frees who has left, over HTTP and over WebSocket', async () => {
    const { hostname, port } = new URL(node.http)
    const left = request({ hostname, port, method: 'POST' })
    left.on('error', () => undefined)
    left.end(callOf('http=1'))
    await until(() => node.engine.mempool.size() === 1)
    expect(node.listeners()).toBe(2) // the sessions, and somebody who waits
    left.destroy()
    await until(() => node.listeners() === 1)

    const socket = new WebSocket(`${node.socket}/websocket`)
    socket.on('open', () => socket.send(callOf('socket=1')))
    await until(() => node.engine.mempool.size() === 2)
    expect(node.listeners()).toBe(2)
    socket.terminate()
    await until(() => node.listeners() === 1)
    expect(node.engine.produceBlock().block.txs).toHaveLength(2)
  })

  it('answers every client of one transaction that is asked for twice, the second with what the mempool says', async () => {
    const client = await Comet38Client.connect(node.http)
    const first = client.broadcastTxCommit({ tx: utf8ToBytes('twice=1') })
    await until(() => node.engine.mempool.size() === 1)
    await expect(client.broadcastTxCommit({ tx: utf8ToBytes('twice=1') })).rejects.toThrow(
      'error on broadcastTxCommit: tx already exists in cache',
    )
    node.engine.produceBlock()
    expect((await first).height).toBe(1)
    client.disconnect()
  })
})

it('a time-out names the hash, to look the transaction up later', async () => {
  const impatient = await startTallyNode({ broadcastCommitTimeoutMs: 30 })
  const response = await fetch(impatient.http, { method: 'POST', body: callOf('slow=1') })
  const { error } = (await response.json()) as { readonly error: { readonly code: number; readonly data: string } }
  expect([error.code, error.data]).toEqual([
    -32603,
    `transaction ${upperHex('slow=1')} is in no block after 30 ms: timed out waiting for tx to be included in a block`,
  ])
  await impatient.close()
})
