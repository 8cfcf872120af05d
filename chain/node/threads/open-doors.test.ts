import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { sendMsg, type TestAccount, testAccount } from '@coin/app/testing/signing'
import { silentLogger } from '@coin/base/logger'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { loadNodeConfig } from '../config/node-config.js'
import { nodeFacts } from '../facts.js'
import { readGenesisFile } from '../home/genesis-file.js'
import { appSettingsOf } from '../open-app.js'
import { createConsensus } from '../services/consensus.js'
import { type HomeChain, newHome, openHome } from '../testing/home-chain.js'
import { temporaryFolders } from '../testing/temporary-folder.js'
import { type OpenDoors, openDoors } from './open-doors.js'

const reopening = 'the doors failed and are opened again'

/** Real doors of a real chain, in a thread that can be told to fail. */
interface Test {
  readonly home: HomeChain
  readonly doors: OpenDoors
  readonly alice: TestAccount
  /** Pauses before the doors were opened again, as the log has them. */
  readonly pauses: readonly number[]
  rpc(path: string): Promise<{ readonly result: object }>
  /** Resolves when the thread has ended. */
  fail(): Promise<void>
  stick(): void
  /** Resolves when they answer. */
  back(): Promise<void>
}

const newFolder = temporaryFolders()
let test: Test
let taken: Server | undefined

beforeEach(async () => {
  const root = newFolder()
  const alice = await testAccount('alice')
  newHome(root, [alice])
  const home = await openHome(root)
  await home.block()
  const { config } = loadNodeConfig(root, {}, free)
  const { genesis } = readGenesisFile(config.home.genesis)
  const app = appSettingsOf({
    ...{ bech32Prefix: 'coin', denom: 'ucoin', minGasPrices: '' },
    dataDir: config.home.dataDir,
    genesis,
  })
  const pauses: number[] = []
  const waiting: (() => void)[] = []
  const { chain } = home
  const doors = await openDoors({
    settings: {
      config,
      connections: { rpc: 100, api: 100, grpc: 100 },
      app,
      genesis,
      messages: chain.app.msgs.list(),
      validator: { address: chain.engine.validator.address, pubKey: chain.engine.validator.pubKey },
      facts: nodeFacts(config, '0'.repeat(40), genesis.chainId),
    },
    ...chain,
    consensus: createConsensus(chain.engine, chain.app),
    logger: {
      ...silentLogger,
      error(fields, message) {
        if (message !== reopening) return
        pauses.push((fields as { inMs: number }).inMs)
        waiting.shift()?.()
      },
    },
    closingMs: 2000,
    entry: new URL('../testing/failing-doors.js', import.meta.url),
  })
  const rpc = async (path: string) => (await fetch(`http://${doors.addresses.get('RPC')}/${path}`)).json() as never
  test = {
    ...{ home, doors, alice, pauses, rpc },
    fail() {
      writeFileSync(join(config.home.dataDir, 'fail'), '')
      return new Promise((resolve) => waiting.push(resolve))
    },
    stick: () => writeFileSync(join(config.home.dataDir, 'stuck'), ''),
    async back() {
      for (;;) {
        const answered = await rpc('health').then(Boolean, () => false)
        if (answered) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
})

afterEach(async () => {
  await test.doors.close()
  await test.home.close()
  taken?.close()
  taken = undefined
})

const free = {
  'rpc.laddr': 'tcp://127.0.0.1:0',
  'api.address': 'tcp://127.0.0.1:0',
  'grpc.address': '127.0.0.1:0',
}

describe('doors that fail', () => {
  it('are opened again on the same ports; the chain goes on meanwhile, and nothing of it is missing', async () => {
    const { home, doors, alice, rpc, fail, back, pauses } = test
    await fail()
    const pay = () => home.block(alice, sendMsg(alice.address, alice.address, '1'))
    for (let n = 0; n < 3; n++) expect(await pay()).toMatchObject({ code: 0 }) // 2 to 4, which nobody is told of
    await back()
    await pay()
    await reached(rpc, 5)
    const search = await rpc(`tx_search?query="message.sender='${alice.address}'"`)
    expect(search.result).toMatchObject({ total_count: '4' })
    const account = await fetch(
      `http://${doors.addresses.get('REST')}/cosmos/auth/v1beta1/account_info/${alice.address}`,
    )
    expect(await account.json()).toMatchObject({ info: { sequence: '4' } })
    const events = await subscribed(doors)
    await pay()
    expect(await events.next()).toBe('6')
    events.close()
    expect(pauses).toEqual([0])
  })

  it('tell of blocks that are made while they open', async () => {
    const { home, rpc, fail, back } = test
    await fail()
    for (const answered = back().then(() => 'back'); ; ) {
      await home.block()
      if ((await Promise.race([answered, new Promise(setImmediate)])) === 'back') break
    }
    await reached(rpc, home.chain.store.height)
  })

  it('that fail again and again are opened after longer and longer pauses', async () => {
    const { fail, back, pauses, home, rpc } = test
    for (let n = 0; n < 3; n++) {
      await fail()
      await home.block()
      await back()
    }
    expect(pauses).toEqual([0, 1000, 2000])
    expect((await rpc('status')).result).toMatchObject({ sync_info: { latest_block_height: '4' } })
  })

  it('can be closed while they are opened again', async () => {
    await test.fail()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await test.doors.close()
    await expect(test.rpc('health')).rejects.toThrow('fetch failed')
  })

  it('wait for a port that another program has taken meanwhile', async () => {
    const { fail, back, pauses, doors } = test
    const port = Number(doors.addresses.get('REST')!.split(':')[1])
    const failed = fail()
    await failed
    taken = createServer()
    await new Promise<void>((resolve) => taken!.listen(port, '127.0.0.1', resolve))
    while (pauses.length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => taken!.close(resolve))
    await back()
    expect(pauses).toEqual([0, 1000])
  })

  it('that do nothing any more are ended all the same', async () => {
    test.stick()
    await new Promise((resolve) => setTimeout(resolve, 50))
    const begun = performance.now()
    await test.doors.close()
    expect(performance.now() - begun).toBeLessThan(4000)
  })
})

/** What a client is told of, it can read. */
async function reached(rpc: Test['rpc'], height: number): Promise<void> {
  for (;;) {
    const { result } = (await rpc('status')) as { result: { sync_info: { latest_block_height: string } } }
    if (Number(result.sync_info.latest_block_height) >= height) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Heights of new blocks. */
async function subscribed(doors: OpenDoors): Promise<{ next(): Promise<string>; close(): void }> {
  const socket = new WebSocket(`ws://${doors.addresses.get('RPC')}/websocket`)
  await new Promise((resolve) => socket.once('open', resolve))
  const next = () =>
    new Promise<never>((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)) as never)))
  const confirmed = next()
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlock'" } }))
  await confirmed
  return {
    async next() {
      const { result } = (await next()) as { result: { data: { value: { block: { header: { height: string } } } } } }
      return result.data.value.block.header.height
    },
    close: () => socket.close(),
  }
}
