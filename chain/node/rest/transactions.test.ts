import { bytesToBase64 } from '@coin/base/bytes'
import { mempoolErrors } from '@coin/engine/errors'
import type { SimulateRequest } from '@coin/wire/gen/cosmos/tx/v1beta1/service'
import { sha256 } from '@coin/wire/sha256'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenGateway, openGateway, sendTx, transferTo, upperHex } from '../testing/open-gateway.js'

let rest: OpenGateway

beforeEach(async () => {
  rest = await openGateway()
})
afterEach(() => rest.close())

describe('transactions', () => {
  it('are found by hash, in either case', async () => {
    const bytes = sendTx('hello')
    rest.twin.addBlock({ bytes, result: { gasUsed: 77, events: transferTo('coin1b') } })
    const hash = upperHex(sha256(bytes))
    for (const text of [hash, hash.toLowerCase()]) {
      const { status: http, json } = await rest.call(`/cosmos/tx/v1beta1/txs/${text}`)
      expect(http).toBe(200)
      expect(json).toMatchObject({
        tx: {
          body: { messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: 'coin1a' }], memo: 'hello' },
          auth_info: { fee: { gas_limit: '7', amount: [{ denom: 'ucoin', amount: '9' }] } },
        },
        tx_response: {
          height: '1',
          txhash: hash,
          code: 0,
          gas_wanted: '200000',
          gas_used: '77',
          timestamp: '2023-11-14T22:13:21Z',
          tx: { '@type': '/cosmos.tx.v1beta1.Tx', body: { memo: 'hello' } },
          events: transferTo('coin1b'),
        },
      })
    }
  })

  it('answer 404 for an unknown hash and 400 for what is none', async () => {
    rest.twin.addBlock()
    const unknown = await rest.call(`/cosmos/tx/v1beta1/txs/${'0'.repeat(64)}`)
    expect([unknown.status, unknown.json]).toEqual([
      404,
      { code: 5, message: `tx not found: ${'0'.repeat(64)}`, details: [] },
    ])
    expect((await rest.call('/cosmos/tx/v1beta1/txs/ABCD')).status).toBe(404)
    for (const hash of ['xyz', 'abc', '%20'])
      expect((await rest.call(`/cosmos/tx/v1beta1/txs/${hash}`)).status).toBe(400)
  })

  it('come with their block', async () => {
    rest.twin.addBlock({ bytes: sendTx('a') }, { bytes: sendTx('b') }, { bytes: Uint8Array.of(1, 2, 3) })
    const { json } = await rest.call('/cosmos/tx/v1beta1/txs/block/1?pagination.limit=1&pagination.offset=1')
    expect(json).toMatchObject({
      txs: [{ body: { memo: 'b' } }],
      pagination: { total: '3' },
      block: { header: { height: '1' } },
    })
    expect((await rest.call('/cosmos/tx/v1beta1/txs/block/1?pagination.offset=3')).status).toBe(400)
    expect((await rest.call('/cosmos/tx/v1beta1/txs/block/2')).status).toBe(400)
  })

  it('that are no transactions show their failure alone', async () => {
    const bytes = Uint8Array.of(1, 2, 3)
    rest.twin.addBlock({ bytes, result: { code: 2, codespace: 'sdk', log: 'tx parse error' } })
    const { status: http, json } = await rest.call(`/cosmos/tx/v1beta1/txs/${upperHex(sha256(bytes))}`)
    expect([http, json.tx]).toEqual([200, null])
    expect(json.tx_response).toMatchObject({ code: 2, raw_log: 'tx parse error', tx: null })
  })

  it('are decoded and encoded', async () => {
    const bytes = sendTx('x')
    const decoded = await rest.post('/cosmos/tx/v1beta1/decode', { tx_bytes: bytesToBase64(bytes) })
    expect(decoded.json).toMatchObject({ tx: { body: { memo: 'x' } } })
    const encoded = await rest.post('/cosmos/tx/v1beta1/encode', decoded.json)
    expect(encoded.json).toEqual({ tx_bytes: bytesToBase64(bytes) })
    expect((await rest.post('/cosmos/tx/v1beta1/decode', {})).status).toBe(400)
  })

  it('are encoded and decoded in the amino forms of old wallets', async () => {
    const value = { from_address: 'coin1a', to_address: 'coin1b', amount: [{ denom: 'ucoin', amount: '1' }] }
    const msg = [{ type: 'cosmos-sdk/MsgSend', value }]
    const fee = { amount: [], gas: '200000' }
    const tx = { type: 'cosmos-sdk/StdTx', value: { msg, fee, signatures: null, memo: 'hi', timeout_height: '0' } }
    const encoded = await rest.post('/cosmos/tx/v1beta1/encode/amino', { amino_json: JSON.stringify(tx) })
    expect([encoded.status, Object.keys(encoded.json)]).toEqual([200, ['amino_binary']])
    const decoded = await rest.post('/cosmos/tx/v1beta1/decode/amino', encoded.json)
    expect([decoded.status, JSON.parse(String(decoded.json.amino_json))]).toEqual([200, tx])
    for (const [path, body] of [
      ['encode', {}],
      ['encode', { amino_json: 'x' }],
      ['encode', { amino_json: '{"type":"cosmos-sdk/StdTx","value":{"msg":[{"type":"nope","value":{}}]}}' }],
      ['decode', {}],
      ['decode', { amino_binary: 'AAAA' }],
      ['decode', { amino_binary: 'KCgWqQoE/////w==' }],
    ] as const) {
      const { status: http, json } = await rest.post(`/cosmos/tx/v1beta1/${path}/amino`, body)
      expect([http, json.code], JSON.stringify(body)).toEqual([400, 3])
    }
    expect((await rest.post('/cosmos/tx/v1beta1/decode', { tx_bytes: 'AAAA' })).status).toBe(400)
    expect((await rest.post('/cosmos/tx/v1beta1/encode', {})).status).toBe(400)
  })
})

describe('broadcast', () => {
  const txs = '/cosmos/tx/v1beta1/txs'
  const bytes = sendTx('broadcast')
  const hash = upperHex(sha256(bytes))

  it('waits for CheckTx in sync mode and answers its failure with 200', async () => {
    const ok = await rest.post(txs, { tx_bytes: bytesToBase64(bytes), mode: 'BROADCAST_MODE_SYNC' })
    expect([ok.status, ok.json.tx_response]).toMatchObject([
      200,
      { code: 0, txhash: hash, height: '0', raw_log: '', events: [], tx: null },
    ])
    rest.twin.setVerdict({ code: 13, codespace: 'sdk', log: 'insufficient fees' })
    const refused = await rest.post(txs, { tx_bytes: bytesToBase64(sendTx('other')), mode: 'BROADCAST_MODE_SYNC' })
    expect([refused.status, refused.json.tx_response]).toMatchObject([
      200,
      { code: 13, codespace: 'sdk', raw_log: 'insufficient fees' },
    ])
    expect(rest.twin.broadcasts.length).toBe(2)
  })

  it('does not wait in async mode', async () => {
    const { status: http, json } = await rest.post(txs, { txBytes: bytesToBase64(bytes), mode: 3 })
    expect([http, json.tx_response]).toMatchObject([200, { code: 0, txhash: hash }])
  })

  it('gives what the mempool refuses the codes of the SDK', async () => {
    const cases = [
      [mempoolErrors.inCache(), 19],
      [mempoolErrors.full('x'), 20],
      [mempoolErrors.tooLarge('x'), 21],
    ] as const
    for (const [error, code] of cases) {
      rest.twin.setVerdict(error)
      const { status: http, json } = await rest.post(txs, {
        tx_bytes: bytesToBase64(bytes),
        mode: 'BROADCAST_MODE_SYNC',
      })
      expect([http, json.tx_response]).toMatchObject([200, { code, codespace: 'sdk', txhash: hash }])
    }
    rest.twin.setVerdict(mempoolErrors.halted('x'))
    expect((await rest.post(txs, { tx_bytes: bytesToBase64(bytes), mode: 'BROADCAST_MODE_SYNC' })).status).toBe(503)
  })

  it('refuses other modes, empty and unreadable bodies', async () => {
    const tx_bytes = bytesToBase64(bytes)
    for (const body of [
      {},
      '',
      'xx',
      '[]',
      '{"tx_bytes":',
      { tx_bytes },
      { tx_bytes, mode: 'BROADCAST_MODE_UNSPECIFIED' },
      { tx_bytes, mode: 4 },
      { mode: 'BROADCAST_MODE_BLOCK' },
      { tx_bytes, mode: 'NOPE' },
      { tx_bytes: '!!', mode: 'BROADCAST_MODE_SYNC' },
      { mode: 'BROADCAST_MODE_SYNC' },
      { tx_bytes: 5, mode: 2 },
    ]) {
      const { status: http, json } = await rest.post(txs, body)
      expect([http, json.code, json.details], JSON.stringify(body)).toEqual([400, 3, []])
    }
    expect(rest.twin.broadcasts).toEqual([])
  })

  it('simulates bytes, and a transaction in the old form', async () => {
    const simulate = '/cosmos/tx/v1beta1/simulate'
    rest.twin.answerQuery('/cosmos.tx.v1beta1.Service/Simulate', ({ tx, txBytes }: SimulateRequest) => ({
      gasInfo: { gasWanted: 0n, gasUsed: BigInt(txBytes.length + (tx?.body?.memo ?? '').length) },
      result: { data: new Uint8Array(0), log: '', events: [], msgResponses: [] },
    }))
    const { json } = await rest.post(simulate, { tx_bytes: bytesToBase64(bytes) })
    expect(json).toEqual({
      gas_info: { gas_wanted: '0', gas_used: String(bytes.length) },
      result: { data: null, log: '', events: [], msg_responses: [] },
    })
    const { tx } = (await rest.post('/cosmos/tx/v1beta1/decode', { tx_bytes: bytesToBase64(bytes) })).json
    const old = await rest.post(simulate, { tx })
    expect(old.json.gas_info).toEqual({ gas_wanted: '0', gas_used: String('broadcast'.length) })
    expect((await rest.post(simulate, '{"tx_bytes":')).status).toBe(400)
  })
})
