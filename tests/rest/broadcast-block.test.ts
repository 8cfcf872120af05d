import { bytesToBase64 } from '@coin/base/bytes'
import { txHash } from '@coin/wire/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { type RestNode, startRestNode } from './rest-node.js'

const path = '/cosmos/tx/v1beta1/txs'
const waiters = 150

let rest: RestNode

beforeAll(async () => {
  rest = await startRestNode('rest-block-mode-1', waiters + 1, ['--engine.block-time', '300ms'])
})
afterAll(() => rest.close())

const broadcast = (tx: Uint8Array) => rest.post(path, { tx_bytes: bytesToBase64(tx), mode: 'BROADCAST_MODE_BLOCK' })

describe('BROADCAST_MODE_BLOCK on a running chain', () => {
  it('answers many that wait at once, each with what is found later', async () => {
    const to = rest.senders[waiters]!.address
    // Every third asks for more than it has: that fails in the block, not before.
    const txs = rest.senders
      .slice(0, waiters)
      .map((sender, index) => sender.sign([sendMessage(sender.address, to, index % 3 === 0 ? 10n ** 18n : 1n)]))
    const answers = await Promise.all(txs.map(broadcast))
    for (const [index, { status, json }] of answers.entries()) {
      expect(status, JSON.stringify(json)).toBe(200)
      const { tx_response } = json
      expect(tx_response).toMatchObject({ txhash: txHash(txs[index]!), code: index % 3 === 0 ? 5 : 0 })
      expect(Number(tx_response.height)).toBeGreaterThan(0)
    }
    // The same bytes as the index has them.
    for (const { json } of answers.slice(0, 5)) {
      const { height, txhash } = json.tx_response
      await rest.reach(Number(height) + 1)
      expect((await rest.get(`${path}/${txhash}`)).json.tx_response).toEqual(json.tx_response)
    }
  })

  it('says at once what CheckTx refuses', async () => {
    const sender = rest.senders[waiters]!
    const { status, json } = await broadcast(
      sender.sign([sendMessage(sender.address, sender.address, 1n)], { sequence: 9n }),
    )
    expect([status, json.tx_response]).toMatchObject([200, { code: 32, height: '0', txhash: expect.any(String) }])
  })
})
