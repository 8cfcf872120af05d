import { bytesToUtf8, concatBytes, utf8ToBytes } from '@coin/base/bytes'
import { createAddressCodec } from '@coin/wire/addresses'
import { iavlSpec, ics23, tendermintSpec, verifyMembership, verifyNonMembership } from '@confio/ics23'
import { Comet38Client, WebsocketClient } from '@cosmjs/tendermint-rpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { newTestHome, type StartedNode, startTestNode } from './started-node.js'

/** A light client that knows headers only: what `abci_query` answers is believed when the header of the next block proves it. */
let node: StartedNode
const clients: Comet38Client[] = []
/** Heights of blocks in which the receiver got 7 each. */
const heights: number[] = []
const receiver = new Uint8Array(20).fill(77)
const { encode, decode } = createAddressCodec('coin')

beforeAll(async () => {
  node = await startTestNode(newTestHome('proof-1'), { 'engine.block-time': '100ms' })
  clients.push(
    await Comet38Client.connect(`http://${node.rpc}`),
    Comet38Client.create(new WebsocketClient(`ws://${node.rpc}`)),
  )
  await clients[1]!.health() // CosmJS loses what it is asked for the first time on a connection that is open already
  await headerOf(2) // of heights up to 1 nothing is proved, as in the reference
  const [sender] = node.home.senders
  for (let i = 0; i < 3; i++) {
    const tx = sender!.sign([sendMessage(sender!.address, encode(receiver), 7n)])
    heights.push((await clients[0]!.broadcastTxCommit({ tx })).height)
  }
  await headerOf(heights.at(-1)! + 1)
})
afterAll(async () => {
  for (const client of clients) client.disconnect()
  await node.close()
})

/** The header of a height, as soon as there is one. */
async function headerOf(height: number) {
  let status = await clients[0]!.status()
  while (status.syncInfo.latestBlockHeight < height) status = await clients[0]!.status()
  return (await clients[0]!.commit(height)).header
}

const balanceKey = (address: Uint8Array) => concatBytes(Uint8Array.of(2, address.length), address, utf8ToBytes('ucoin'))

/** The value of a key of a store at a height, once its proof holds against the app hash; undefined when its absence is proved. */
async function provenValue(client: Comet38Client, store: string, key: Uint8Array, height: number) {
  const answer = await client.abciQuery({ path: `/store/${store}/key`, data: key, height, prove: true })
  expect([answer.code, answer.height, answer.key]).toEqual([0, height, key])
  const { appHash } = await headerOf(height + 1)
  const [entry, root] = answer.proof!.ops.map(({ data }) => ics23.CommitmentProof.decode(data))
  const storeRoot = root!.exist!.value!
  expect(verifyMembership(root!, tendermintSpec, appHash, utf8ToBytes(store), storeRoot)).toBe(true)
  if (answer.value.length === 0) {
    expect(verifyNonMembership(entry!, iavlSpec, storeRoot, key)).toBe(true)
    return undefined
  }
  expect(verifyMembership(entry!, iavlSpec, storeRoot, key, answer.value)).toBe(true)
  expect(verifyMembership(entry!, iavlSpec, storeRoot, key, utf8ToBytes('1'))).toBe(false)
  return answer.value
}

describe.each([0, 1])('abci_query over client %i', (index) => {
  it('proves a balance at every height at which it changed', async () => {
    for (const [at, height] of heights.entries()) {
      const value = await provenValue(clients[index]!, 'bank', balanceKey(receiver), height)
      expect(bytesToUtf8(value!)).toBe(String(7 * (at + 1)))
    }
    const { address } = node.home.senders[1]!
    expect(await provenValue(clients[index]!, 'bank', balanceKey(decode(address)), heights[0]!)).toBeDefined()
  })

  it('proves that a key is absent: before it came, below, between and above all keys', async () => {
    const absent = (key: Uint8Array, height = heights[1]!) => provenValue(clients[index]!, 'bank', key, height)
    expect(await absent(balanceKey(receiver), heights[0]! - 1)).toBeUndefined()
    expect(await absent(Uint8Array.of(0))).toBeUndefined()
    expect(await absent(balanceKey(new Uint8Array(20).fill(78)))).toBeUndefined()
    expect(await absent(new Uint8Array(40).fill(255))).toBeUndefined()
  })

  it('proves keys of other stores', async () => {
    const account = concatBytes(Uint8Array.of(1), decode(node.home.senders[0]!.address))
    expect(await provenValue(clients[index]!, 'acc', account, heights[2]!)).toBeDefined()
    expect(await provenValue(clients[index]!, 'acc', Uint8Array.of(9), heights[2]!)).toBeUndefined()
  })
})
