import { type Bytes, bytesToBase64 } from '@coin/base/bytes'
import { mempoolErrors } from '@coin/engine/errors'
import { sha256 } from '@coin/wire/sha256'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway, sendTx, transferTo, upperHex } from '../testing/open-gateway.js'

let rest: OpenGateway

beforeEach(async () => {
  rest = await openGateway()
  rest.twin.addBlock()
})
afterEach(() => rest.close())

const txs = '/cosmos/tx/v1beta1/txs'
const send = (bytes: Bytes) => rest.post(txs, { tx_bytes: bytesToBase64(bytes), mode: 'BROADCAST_MODE_BLOCK' })
/** Until the mempool has seen so many. */
async function broadcasted(count: number): Promise<void> {
  while (rest.twin.broadcasts.length < count) await new Promise(setImmediate)
}

describe('a broadcast that waits for the block', () => {
  it('answers what the block made of the transaction, as it is found later', async () => {
    const bytes = sendTx('block')
    const answer = send(bytes)
    await broadcasted(1)
    rest.twin.addBlock({ bytes: sendTx('another') })
    rest.twin.addBlock({ bytes, result: { code: 5, codespace: 'sdk', log: 'no', events: transferTo('coin1b') } })
    const { status, json } = await answer
    expect([status, json.tx_response]).toMatchObject([
      200,
      { height: '3', code: 5, raw_log: 'no', events: transferTo('coin1b'), timestamp: '2023-11-14T22:13:23Z' },
    ])
    expect(json.tx_response).toEqual((await rest.call(`${txs}/${upperHex(sha256(bytes))}`)).json.tx_response)
  })

  it('answers at once what CheckTx and the mempool refuse', async () => {
    rest.twin.setVerdict({ code: 13, codespace: 'sdk', log: 'insufficient fees' })
    const bytes = sendTx('poor')
    const txhash = upperHex(sha256(bytes))
    expect((await send(bytes)).json.tx_response).toMatchObject({
      code: 13,
      raw_log: 'insufficient fees',
      height: '0',
      txhash,
    })
    rest.twin.setVerdict(mempoolErrors.full('5000 transactions wait'))
    expect((await send(bytes)).json.tx_response).toMatchObject({ code: 20, codespace: 'sdk', txhash })
    rest.twin.setVerdict(mempoolErrors.halted('x'))
    expect((await send(bytes)).status).toBe(503)
  })

  it('says after its time where the transaction can be found, in words and in details', async () => {
    await rest.close()
    rest = await openGateway({}, { broadcastBlockTimeoutMs: 150 })
    const bytes = sendTx('late')
    const txhash = upperHex(sha256(bytes))
    const { status, json } = await send(bytes)
    expect([status, json.code]).toEqual([504, 4])
    expect(json.message).toBe(
      `transaction ${txhash} is in no block after 150 ms: timed out waiting for tx to be included in a block; ` +
        `it may still get into one: ask GET /cosmos/tx/v1beta1/txs/${txhash}`,
    )
    expect(json.details).toMatchObject([{ '@type': '/cosmos.base.abci.v1beta1.TxResponse', txhash }])
  })

  it('waits for a transaction that was sent before, and finds it when it is in a block already', async () => {
    const bytes = sendTx('again')
    await rest.post(txs, { tx_bytes: bytesToBase64(bytes), mode: 'BROADCAST_MODE_SYNC' })
    const answer = send(bytes)
    // A request that came in later has been answered: the first one waits.
    await rest.call('/cosmos/base/tendermint/v1beta1/syncing')
    rest.twin.addBlock({ bytes })
    expect((await answer).json.tx_response).toMatchObject({ height: '2', code: 0 })
    expect((await send(bytes)).json.tx_response).toMatchObject({ height: '2', code: 0 })
  })

  it('answers 300 that wait at once', async () => {
    const all = Array.from({ length: 300 }, (_, index) => sendTx(`crowd ${index}`))
    const answers = all.map(send)
    await broadcasted(300)
    rest.twin.addBlock(...all.slice(0, 150).map((bytes) => ({ bytes })))
    rest.twin.addBlock(...all.slice(150).map((bytes) => ({ bytes })))
    const replies = await Promise.all(answers)
    expect(replies.map(({ json }) => (json.tx_response as { height: string }).height)).toEqual(
      all.map((_, index) => (index < 150 ? '2' : '3')),
    )
  })
})
