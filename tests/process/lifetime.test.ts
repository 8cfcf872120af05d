import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Logger } from '@coin/base/logger'
import { silentLogger } from '@coin/base/logger'
import { loadNodeConfig } from '@coin/node/config/node-config'
import { type NodeDependencies, startNode } from '@coin/node/start'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { callRest, callRpc, createTestHome, startNodeProcess, type TestHome } from './node-process.js'

let home: TestHome
beforeEach(() => {
  home = createTestHome('life-1', 1)
})
afterEach(() => home.remove())

const freePorts = {
  'rpc.laddr': 'tcp://127.0.0.1:0',
  'api.enable': 'true',
  'api.address': 'tcp://127.0.0.1:0',
  'grpc.enable': 'false',
  'engine.block-time': '50ms',
}

/** The node's own composition in this process. */
function start(settings: Readonly<Record<string, string>> = {}, dependencies: Partial<NodeDependencies> = {}) {
  const { config } = loadNodeConfig(home.root, {}, { ...freePorts, ...settings })
  return startNode(config, { logger: silentLogger, signal: new AbortController().signal, ...dependencies })
}

const heightOf = async (rpc: string) =>
  Number((await callRpc<{ sync_info: { latest_block_height: string } }>(rpc, 'status')).sync_info.latest_block_height)

/** A port that somebody else has. */
async function takePort(): Promise<{ readonly port: number; free(): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  return { port, free: () => new Promise((resolve) => server.close(() => resolve())) }
}

describe('a node', () => {
  it('whose port is taken says which, and leaves nothing open', async () => {
    const taken = await takePort()
    const address = `tcp://127.0.0.1:${taken.port}`
    await expect(start({ 'rpc.laddr': address })).rejects.toThrow(
      `RPC on 127.0.0.1:${taken.port}: another program has that port: cannot listen`,
    )
    await expect(start({ 'api.address': address })).rejects.toThrow(`REST on 127.0.0.1:${taken.port}`)
    await taken.free()
    const node = await start({ 'api.address': address })
    await node.stop()
  })

  it('in whose home another one runs is refused, and the other goes on', async () => {
    const node = await start()
    await expect(start()).rejects.toThrow(`belongs to process ${process.pid}`)
    await expect(startNodeProcess(home.root)).rejects.toThrow(
      new RegExp(`ended with code 1:(.|\\n)*Error: .* belongs to process ${process.pid};`),
    )
    const rpc = `http://${node.addresses.get('RPC')}`
    const height = await heightOf(rpc)
    await expect.poll(() => heightOf(rpc)).toBeGreaterThan(height)
    await node.stop()
  })

  it('that is stopped while it starts opens nothing more and closes what it has', async () => {
    const early = new AbortController()
    early.abort()
    await expect(start({}, { signal: early.signal })).rejects.toBe(early.signal.reason)
    const late = new AbortController()
    let address = ''
    const logger: Logger = {
      ...silentLogger,
      info(fields, message) {
        if (message !== 'RPC is open') return
        address = (fields as { address: string }).address
        late.abort()
      },
    }
    await expect(start({}, { signal: late.signal, logger })).rejects.toThrow('This operation was aborted')
    await expect(fetch(`http://${address}/health`)).rejects.toThrow('fetch failed')
    const node = await start()
    await node.stop()
  })

  it('halts before the block of halt-height, and says why it does not start again', async () => {
    const messages: string[] = []
    const logger: Logger = { ...silentLogger, info: (_, message) => void messages.push(message) }
    const node = await start({ 'halt-height': '4' }, { logger })
    await node.finished
    expect(messages).toContain('halt per configuration height 4 time 0')
    await expect(start({ 'halt-height': '4' })).rejects.toThrow(
      'halt per configuration height 4 time 0, the chain is at 3',
    )
    // Without it, the chain goes on where it stopped: the first block comes at once.
    const again = await start({ 'engine.block-time': '1h' })
    await expect.poll(() => heightOf(`http://${again.addresses.get('RPC')}`)).toBe(4)
    await again.stop()
    await again.finished
  })

  it('halts at halt-time', async () => {
    // Not before the node has started, also on a slow machine.
    const haltTime = Math.ceil(Date.now() / 1000) + 8
    const node = await start({ 'halt-time': String(haltTime) })
    await node.finished
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(haltTime)
    await expect(start({ 'halt-time': '1' })).rejects.toThrow('halt per configuration height 0 time 1')
  })

  it('that cannot go on closes everything and says why', async () => {
    const errors: object[] = []
    const logger: Logger = { ...silentLogger, error: (fields, message) => void errors.push({ ...fields, message }) }
    const node = await start({}, { logger })
    breakSigning()
    await expect(node.finished).rejects.toThrow('priv_validator_state.json')
    expect(errors.at(-1)).toMatchObject({ message: 'the node cannot go on and ends' })
    await expect(fetch(`http://${node.addresses.get('RPC')}/health`)).rejects.toThrow('fetch failed')
    await node.stop()
  })

  it('keeps no index when none is wanted, and says so', async () => {
    const node = await start({ 'tx_index.indexer': 'null' })
    const [rpc, rest] = ['RPC', 'REST'].map((name) => `http://${node.addresses.get(name)}`) as [string, string]
    const hash = Buffer.alloc(32).toString('base64')
    await expect(callRpc(rpc, 'tx', { hash })).rejects.toThrow('transaction indexing is disabled')
    await expect(callRpc(rpc, 'tx_search', { query: 'tx.height>0' })).rejects.toThrow(
      'transaction indexing is disabled',
    )
    const { node_info } = await callRpc<{ node_info: { other: { tx_index: string } } }>(rpc, 'status')
    expect(node_info.other.tx_index).toBe('off')
    const disabled = { code: 12, message: 'transaction indexing is disabled', details: [] }
    const path = '/cosmos/tx/v1beta1/txs'
    expect(await callRest(rest, `${path}/${'00'.repeat(32)}`)).toEqual({ status: 501, body: disabled })
    expect(await callRest(rest, `${path}?query=tx.height>0`)).toEqual({ status: 501, body: disabled })
    await node.stop()
    expect(existsSync(join(home.root, 'data', 'tx_index'))).toBe(false)
  })

  it('may be stopped twice, and with callers inside', async () => {
    const node = await start({ 'engine.block-time': '1h', 'engine.create-blocks-on-demand': 'false' })
    const rpc = `http://${node.addresses.get('RPC')}`
    await expect.poll(() => heightOf(rpc)).toBe(1)
    const [sender] = home.senders
    const tx = Buffer.from(sender!.sign([sendMessage(sender!.address, sender!.address, 1n)])).toString('base64')
    const waiting = expect(callRpc(rpc, 'broadcast_tx_commit', { tx })).rejects.toThrow('fetch failed')
    await expect.poll(() => callRpc(rpc, 'num_unconfirmed_txs')).toMatchObject({ total: '1' })
    await Promise.all([node.stop(), node.stop(), waiting])
    await node.finished
  })
})

/** The file that remembers what was signed becomes a folder: the next block cannot be signed. */
function breakSigning(): void {
  const path = join(home.root, 'data', 'priv_validator_state.json')
  for (let isFolder = false; !isFolder; isFolder = statSync(path).isDirectory()) {
    rmSync(path, { force: true })
    try {
      mkdirSync(path)
    } catch {
      // The node was quicker and has written it again.
    }
  }
}

describe('the process', () => {
  it('ends with code 0 on SIGTERM, and goes on from there', async () => {
    const first = await startNodeProcess(home.root, ['--engine.block-time', '50ms'])
    await expect.poll(() => heightOf(first.rpc)).toBeGreaterThan(2)
    const height = await heightOf(first.rpc)
    expect(await first.end('SIGTERM')).toBe(0)
    const second = await startNodeProcess(home.root, ['--engine.block-time', '1h'])
    expect(await heightOf(second.rpc)).toBeGreaterThanOrEqual(height)
    expect(await second.end('SIGINT')).toBe(0)
  })

  it('ends with code 1 and a message when the chain cannot go on', async () => {
    const node = await startNodeProcess(home.root, ['--engine.block-time', '50ms'])
    const exited = new Promise<number | null>((resolve) => node.child.once('exit', resolve))
    breakSigning()
    expect(await exited).toBe(1)
    expect(node.log()).toMatch(/ERR the node stops making blocks[\s\S]*ERR the node cannot go on and ends[\s\S]*EISDIR/)
  })
})
