import { bytesToBase64 } from '@coin/base/bytes'
import { txHash } from '@coin/wire/tx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executeMessage, sendMessage } from '../traffic/sender.js'
import { type Delivered, errorBody, launchContract, type RestNode, readArtifact, startRestNode } from './rest-node.js'

const path = '/cosmos/tx/v1beta1/txs'
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

let rest: RestNode
/** A send that was delivered and one that failed in its block. */
let sent: Delivered
let failed: Delivered

beforeAll(async () => {
  rest = await startRestNode('rest-txs-1', 6, ['--engine.block-time', '200ms', '--minimum-gas-prices', '0.01ucoin'])
  const [alice, bob] = rest.senders
  sent = await rest.deliver(alice!.sign([sendMessage(alice!.address, bob!.address, 7n)], { memo: 'seven' }))
  failed = await rest.deliver(alice!.sign([sendMessage(alice!.address, bob!.address, 10n ** 30n)]))
})
afterAll(() => rest.close())

describe('a transaction by its hash', () => {
  it('comes with tx and tx_response, in either case of the hash', async () => {
    const [alice, bob] = rest.senders
    const { status, json } = await rest.get(`${path}/${sent.hash}`)
    expect(status).toBe(200)
    expect(json.tx).toEqual({
      body: {
        messages: [
          {
            '@type': '/cosmos.bank.v1beta1.MsgSend',
            from_address: alice!.address,
            to_address: bob!.address,
            amount: [{ denom: 'ucoin', amount: '7' }],
          },
        ],
        memo: 'seven',
        timeout_height: '0',
        unordered: false,
        timeout_timestamp: null,
        extension_options: [],
        non_critical_extension_options: [],
      },
      auth_info: {
        signer_infos: [
          {
            public_key: {
              '@type': '/cosmos.crypto.secp256k1.PubKey',
              key: bytesToBase64(alice!.publicKey),
            },
            mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } },
            sequence: '0',
          },
        ],
        fee: { amount: [{ denom: 'ucoin', amount: '5000' }], gas_limit: '200000', payer: '', granter: '' },
        tip: null,
      },
      signatures: [expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/)],
    })
    expect(json.tx_response).toEqual({
      height: sent.height,
      txhash: sent.hash,
      codespace: '',
      code: 0,
      data: expect.stringMatching(/^[0-9A-F]+$/),
      raw_log: '',
      logs: [],
      info: '',
      gas_wanted: '200000',
      gas_used: sent.gas_used,
      tx: { '@type': '/cosmos.tx.v1beta1.Tx', ...json.tx },
      timestamp: expect.stringMatching(timestamp),
      events: sent.events,
    })
    expect((await rest.get(`${path}/${sent.hash.toLowerCase()}`)).json).toEqual(json)
  })

  it('tells the failure in code and raw_log', async () => {
    const { status, json } = await rest.get(`${path}/${failed.hash}`)
    expect([status, json.tx_response]).toMatchObject([
      200,
      { code: 5, codespace: 'sdk', raw_log: expect.stringContaining('insufficient funds'), gas_used: failed.gas_used },
    ])
  })

  it('is 404 when it is unknown', async () => {
    for (const hash of ['0'.repeat(64), 'f'.repeat(64), 'ABCD']) {
      const { status, json } = await rest.get(`${path}/${hash}`)
      expect([status, json], hash).toEqual([404, errorBody(5, `tx not found: ${hash}`)])
    }
  })

  it('is 400 when the hash is none', async () => {
    for (const hash of ['xyz', `x${sent.hash}`, sent.hash.slice(1), '%00', '%F0%9F%98%80', 'g'.repeat(64)]) {
      const { status, json } = await rest.get(`${path}/${hash}`)
      expect([status, json], hash).toEqual([400, errorBody(3, expect.stringContaining('hexadecimal'))])
    }
  })

  it('does not answer to other verbs', async () => {
    const response = await fetch(`${rest.process.rest}${path}/${sent.hash}`, { method: 'DELETE' })
    expect([response.status, await response.json()]).toEqual([501, errorBody(12, 'Not Implemented')])
  })
})

describe('broadcast', () => {
  const broadcast = (tx: Uint8Array, mode: unknown) => rest.post(path, { tx_bytes: bytesToBase64(tx), mode })
  const notInBlock = {
    ...{ height: '0', data: '', logs: [], info: '', gas_wanted: '0', gas_used: '0', tx: null, timestamp: '' },
    events: [],
  }

  /** Waits until the transaction is in a block. */
  async function found(hash: string): Promise<{ code: number; height: string }> {
    for (;;) {
      const { status, json } = await rest.get(`${path}/${hash}`)
      if (status === 200) return json.tx_response
    }
  }

  it('in SYNC mode waits for CheckTx, then answers the hash', async () => {
    const [, bob, carol] = rest.senders
    const tx = bob!.sign([sendMessage(bob!.address, carol!.address, 1n)])
    const { status, json } = await broadcast(tx, 'BROADCAST_MODE_SYNC')
    expect([status, json]).toEqual([
      200,
      { tx_response: { ...notInBlock, txhash: txHash(tx), code: 0, codespace: '', raw_log: '' } },
    ])
    expect(await found(txHash(tx))).toMatchObject({ code: 0 })
    // The same bytes again were seen already.
    expect(await broadcast(tx, 'BROADCAST_MODE_SYNC')).toMatchObject({
      status: 200,
      json: { tx_response: { code: 19, codespace: 'sdk', txhash: txHash(tx) } },
    })
  })

  it('in ASYNC mode answers the hash without a check', async () => {
    const [, , carol, dave] = rest.senders
    const tx = carol!.sign([sendMessage(carol!.address, dave!.address, 1n)])
    const { status, json } = await broadcast(tx, 'BROADCAST_MODE_ASYNC')
    expect([status, json]).toEqual([
      200,
      { tx_response: { ...notInBlock, txhash: txHash(tx), code: 0, codespace: '', raw_log: '' } },
    ])
    expect(await found(txHash(tx))).toMatchObject({ code: 0 })
    const bad = carol!.sign([sendMessage(carol!.address, dave!.address, 1n)], { sequence: 900n })
    expect((await broadcast(bad, 'BROADCAST_MODE_ASYNC')).json.tx_response).toMatchObject({ code: 0 })
    await rest.reach((await rest.height()) + 2)
    expect((await rest.get(`${path}/${txHash(bad)}`)).status).toBe(404)
  })

  it('answers a failing CheckTx with HTTP 200, a code and a raw_log', async () => {
    const [, , , dave] = rest.senders
    const one = [sendMessage(dave!.address, dave!.address, 1n)]
    const { sequence } = dave!
    const cases = [
      [dave!.sign(one, { sequence, fee: 1n }), 13, 'insufficient fee'],
      [dave!.sign(one, { sequence, fee: 0n }), 13, 'insufficient fee'],
      [dave!.sign(one, { sequence: sequence + 7n }), 32, `expected ${sequence}, got ${sequence + 7n}`],
      [dave!.sign(one, { sequence, chainId: 'other-1' }), 4, 'chain-id (rest-txs-1)'],
      [dave!.sign(one, { sequence, memo: 'm'.repeat(257) }), 12, 'memo'],
      [dave!.sign(one, { sequence, timeoutHeight: 1n }), 30, 'timeout height: 1'],
      [dave!.sign(one, { sequence, fee: 10n ** 30n }), 5, 'insufficient funds'],
      [dave!.sign([], { sequence }), 18, 'at least one message'],
      [Uint8Array.of(1, 2, 3), 2, 'tx parse error'],
    ] as const
    for (const [tx, code, text] of cases) {
      const { status, json } = await broadcast(tx, 'BROADCAST_MODE_SYNC')
      expect([status, json.tx_response], text).toEqual([
        200,
        { ...notInBlock, txhash: txHash(tx), code, codespace: 'sdk', raw_log: expect.stringContaining(text) },
      ])
    }
  })

  it('refuses other modes, empty and unreadable bodies with 400', async () => {
    const [, , , dave] = rest.senders
    const { sequence } = dave!
    const tx_bytes = bytesToBase64(dave!.sign([sendMessage(dave!.address, dave!.address, 1n)], { sequence }))
    const bodies = [
      ...['', 'not json', '{', '[]', '"text"', 'null', '5', '{"tx_bytes":', '\u0000'],
      ...[{}, { tx_bytes }, { mode: 'BROADCAST_MODE_SYNC' }, { tx_bytes: '', mode: 'BROADCAST_MODE_SYNC' }],
      { tx_bytes, mode: 'BROADCAST_MODE_UNSPECIFIED' },
      ...[
        { tx_bytes, mode: 'NONSENSE' },
        { tx_bytes, mode: 99 },
        { tx_bytes, mode: {} },
      ],
      ...[
        { tx_bytes: 'not*base64', mode: 'BROADCAST_MODE_SYNC' },
        { tx_bytes: 5, mode: 'BROADCAST_MODE_SYNC' },
      ],
    ]
    for (const body of bodies) {
      const { status, json } = await rest.post(path, body)
      expect([status, json], JSON.stringify(body)).toEqual([400, errorBody(3, expect.any(String))])
    }
  })
})

describe('simulate', () => {
  const simulatePath = '/cosmos/tx/v1beta1/simulate'
  const simulate = (tx: Uint8Array) => rest.post(simulatePath, { tx_bytes: bytesToBase64(tx) })

  it('answers the gas that delivery uses, for a transfer', async () => {
    const [, , , , erin, frank] = rest.senders
    const tx = erin!.sign([sendMessage(erin!.address, frank!.address, 3n)])
    const { status, json } = await simulate(tx)
    expect(status).toBe(200)
    const delivered = await rest.deliver(tx)
    expect(json.gas_info).toEqual({ gas_wanted: expect.stringMatching(/^\d+$/), gas_used: delivered.gas_used })
    expect(json.result).toMatchObject({
      data: delivered.data,
      log: '',
      msg_responses: [{ '@type': '/cosmos.bank.v1beta1.MsgSendResponse' }],
    })
    expect(json.result.events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['coin_spent', 'coin_received', 'transfer', 'message']),
    )
  })

  it('answers the gas that delivery uses, for a contract', async () => {
    const [, , , , erin, frank] = rest.senders
    const { address } = await launchContract(rest, erin!, readArtifact('cw20_base'), {
      ...{ name: 'Moon', symbol: 'MOON', decimals: 6, mint: null },
      initial_balances: [{ address: erin!.address, amount: '1000' }],
    })
    const transfer = { transfer: { recipient: frank!.address, amount: '10' } }
    const tx = erin!.sign([executeMessage(erin!.address, address, transfer)], { gas: 500_000n })
    const { status, json } = await simulate(tx)
    const delivered = await rest.deliver(tx)
    expect([status, json.gas_info.gas_used]).toEqual([200, delivered.gas_used])
    expect(delivered.code).toBe(0)
  })

  it('needs neither fee nor a right signature, but the right sequence', async () => {
    const [, , , dave] = rest.senders
    const { sequence } = dave!
    const one = [sendMessage(dave!.address, dave!.address, 1n)]
    const free = await simulate(dave!.sign(one, { sequence, fee: 0n, gas: 1n, chainId: 'other-1' }))
    expect([free.status, Number(free.json.gas_info.gas_used) > 10_000]).toEqual([200, true])
    const wrong = await simulate(dave!.sign(one, { sequence: sequence + 5n }))
    expect([wrong.status, wrong.json]).toEqual([
      500,
      errorBody(2, expect.stringContaining(`account sequence mismatch, expected ${sequence}, got ${sequence + 5n}`)),
    ])
  })

  it('says why a transaction would fail', async () => {
    const [, , , dave] = rest.senders
    const much = [sendMessage(dave!.address, dave!.address, 10n ** 30n)]
    const { status, json } = await simulate(dave!.sign(much, { sequence: dave!.sequence }))
    expect([status, json]).toEqual([500, errorBody(2, expect.stringMatching(/insufficient funds.*gas used: '\d+'/))])
  })

  it('refuses bodies that hold no transaction', async () => {
    for (const body of ['not json', '{', '[]', {}, { tx_bytes: '' }, { tx_bytes: 'not*base64' }, { tx_bytes: 7 }]) {
      const { status, json } = await rest.post(simulatePath, body)
      expect([status, json], JSON.stringify(body)).toEqual([400, errorBody(3, expect.any(String))])
    }
    const { status, json } = await simulate(Uint8Array.of(9, 9, 9))
    expect([status, json]).toEqual([500, errorBody(2, expect.stringContaining('tx parse error'))])
  })
})
