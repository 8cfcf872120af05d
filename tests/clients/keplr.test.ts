import { bytesToBase64, bytesToHex } from '@coin/base/bytes'
import { sha256 } from '@coin/wire/sha256'
import { makeSignDoc, type StdSignDoc } from '@cosmjs/amino'
import { makeAuthInfoBytes } from '@cosmjs/proto-signing'
import { AminoTypes, createBankAminoConverters } from '@cosmjs/stargate'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Delivered } from '../rest/rest-node.js'
import { sendMessage } from '../traffic/sender.js'
import { type ClientNode, startClientNode, strangerAddress } from './client-node.js'

// What the Keplr extension asks a chain for, request by request: the checks before it takes a suggested chain, the account's page,
// a transaction from its simulation to the event of its block, and a Ledger's amino signature.

const chainId = 'keplr-1'
const origin = 'https://wallet.example'
let node: ClientNode
let alice: string
let bob: string
beforeAll(async () => {
  node = await startClientNode(chainId, 3)
  const [first, second] = node.addresses
  alice = first!
  bob = second!
})
afterAll(() => node?.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer
type Message = any

/** As a page of another origin sends it; the browser's own check is made here. */
async function fromPage(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, headers: { origin, ...init.headers } })
  expect(['*', origin]).toContain(response.headers.get('access-control-allow-origin'))
  const json: Message = await response.json()
  return { status: response.status, json }
}

const post = (path: string, body: object) =>
  fromPage(node.restUrl + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

/** A WebSocket as the tracer of transactions uses it: numbers as ids, the answer and the events under the same id. */
async function openTracer() {
  const socket = new WebSocket(`${node.socketUrl}/websocket`, { headers: { origin } })
  const seen: Message[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data) => {
    seen.push(JSON.parse(String(data)))
    for (const look of waiting) look()
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', reject)
  })
  return {
    send: (id: number, method: string, params: object) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', method, params, id })),
    until: (matches: (message: Message) => boolean) =>
      new Promise<Message>((resolve) => {
        const look = () => {
          const found = seen.find(matches)
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    close: () => socket.close(),
  }
}

describe('a suggested chain', () => {
  it('is checked over RPC, REST and WebSocket', async () => {
    const status = await fromPage(`${node.rpcUrl}/status`)
    expect(status.json.result.node_info.network).toBe(chainId)
    const info = await fromPage(`${node.restUrl}/cosmos/base/tendermint/v1beta1/node_info`)
    expect(info.json.default_node_info.network).toBe(chainId)
    expect(info.json.application_version.cosmos_sdk_version).toMatch(/^v0\.53/)
    const tracer = await openTracer()
    tracer.close()
  })

  it('lets a page ask before it asks', async () => {
    for (const url of [`${node.rpcUrl}/`, `${node.restUrl}/cosmos/tx/v1beta1/txs`]) {
      const headers = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      }
      const preflight = await fetch(url, { method: 'OPTIONS', headers })
      expect(preflight.ok, url).toBe(true)
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase(), url).toContain('content-type')
      expect(preflight.headers.get('access-control-allow-methods'), url).toContain('POST')
    }
  })

  it('says clearly which modules it does not have', async () => {
    const absent = {
      '/cosmos/staking/v1beta1/params': 'unknown method /cosmos.staking.v1beta1.Query/Params',
      '/ibc/apps/transfer/v1/params': 'Not Implemented',
      '/osmosis/txfees/v1beta1/base_denom': 'Not Implemented',
    }
    for (const [path, message] of Object.entries(absent)) {
      const { status, json } = await fromPage(node.restUrl + path)
      expect([status, json]).toEqual([501, { code: 12, message, details: [] }])
    }
  })
})

describe('the account', () => {
  it('is shown with its balances', async () => {
    const { json } = await fromPage(`${node.restUrl}/cosmos/auth/v1beta1/accounts/${bob}`)
    expect(json.account).toEqual({
      '@type': '/cosmos.auth.v1beta1.BaseAccount',
      ...{ address: bob, pub_key: null, account_number: '1', sequence: '0' },
    })
    for (const kind of ['balances', 'spendable_balances']) {
      const path = `/cosmos/bank/v1beta1/${kind}/${bob}?pagination.limit=1000`
      expect((await fromPage(node.restUrl + path)).json.balances).toEqual([
        { denom: 'ucoin', amount: '100000000000000' },
      ])
    }
    const one = `/cosmos/bank/v1beta1/balances/${bob}/by_denom?denom=ucoin`
    expect((await fromPage(node.restUrl + one)).json.balance.amount).toBe('100000000000000')
    const metadata = await fromPage(`${node.restUrl}/cosmos/bank/v1beta1/denoms_metadata/ucoin`)
    expect(metadata.json.metadata.display).toBe('COIN')
  })

  it('that is new is not found, and has nothing', async () => {
    const { status, json } = await fromPage(`${node.restUrl}/cosmos/auth/v1beta1/accounts/${strangerAddress}`)
    expect([status, json.code, json.message]).toEqual([404, 5, `account ${strangerAddress} not found`])
    const { json: none } = await fromPage(`${node.restUrl}/cosmos/bank/v1beta1/balances/${strangerAddress}`)
    expect(none).toEqual({ balances: [], pagination: { next_key: null, total: '0' } })
  })
})

describe('a transaction', () => {
  it('is simulated, broadcast and traced to its block', async () => {
    const sender = node.senders[0]!
    const unsigned = TxRaw.decode(sender.sign([sendMessage(alice, bob, 5n)], { sequence: sender.sequence }))
    const simulated = TxRaw.encode({ ...unsigned, signatures: [new Uint8Array(64)] }).finish()
    const { json: gas } = await post('/cosmos/tx/v1beta1/simulate', { tx_bytes: bytesToBase64(simulated) })
    expect(Number(gas.gas_info.gas_used)).toBeGreaterThan(50_000)

    const tx = sender.sign([sendMessage(alice, bob, 5n)])
    const hash = bytesToHex(sha256(tx)).toUpperCase()
    const tracer = await openTracer()
    tracer.send(1, 'subscribe', ["tm.event='NewBlock'"])
    tracer.send(123_456_789_012, 'subscribe', { query: `tm.event='Tx' AND tx.hash='${hash}'` })
    await tracer.until(({ id, result }) => id === 123_456_789_012 && Object.keys(result).length === 0)
    const sent = await post('/cosmos/tx/v1beta1/txs', { tx_bytes: bytesToBase64(tx), mode: 'BROADCAST_MODE_SYNC' })
    expect(sent.json.tx_response).toMatchObject({ code: 0, txhash: hash })

    const event = await tracer.until(({ id, result }) => id === 123_456_789_012 && result?.data !== undefined)
    expect(event.result.data.type).toBe('tendermint/event/Tx')
    const { TxResult } = event.result.data.value
    expect([TxResult.result.code, TxResult.tx]).toEqual([undefined, bytesToBase64(tx)])
    expect(event.result.events['tx.hash']).toEqual([hash])
    const block = await tracer.until(
      ({ id, result }) => id === 1 && result?.data?.value?.block.header.height === TxResult.height,
    )
    expect(block.result.data.type).toBe('tendermint/event/NewBlock')
    expect(block.result.data.value.block.data.txs).toContain(bytesToBase64(tx))

    // What it does beside that, in case the event came before it listened.
    tracer.send(7, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64'), prove: false })
    expect((await tracer.until(({ id }) => id === 7)).result).toMatchObject({ hash, height: TxResult.height })
    const search = { query: `tx.hash='${hash}'`, page: '1', per_page: '1', order_by: 'desc' }
    tracer.send(8, 'tx_search', search)
    expect((await tracer.until(({ id }) => id === 8)).result).toMatchObject({ total_count: '1', txs: [{ hash }] })
    tracer.send(9, 'tx', { hash: Buffer.alloc(32).toString('base64'), prove: false })
    expect((await tracer.until(({ id }) => id === 9)).error.data).toBe(`tx (${'00'.repeat(32)}) not found`)
    tracer.close()
    const { json } = await fromPage(`${node.restUrl}/cosmos/tx/v1beta1/txs/${hash}`)
    expect(json.tx_response).toMatchObject({ code: 0, height: TxResult.height })
  })

  it('is refused with the words that the wallet shows', async () => {
    const sender = node.senders[0]!
    const old = sender.sign([sendMessage(alice, bob, 5n)], { sequence: 0n, memo: 'old' })
    const { status, json } = await post('/cosmos/tx/v1beta1/txs', {
      tx_bytes: bytesToBase64(old),
      mode: 'BROADCAST_MODE_SYNC',
    })
    expect([status, json.tx_response]).toMatchObject([200, { code: 32, codespace: 'sdk' }])
    expect(json.tx_response.raw_log).toMatch(/^account sequence mismatch, expected 1, got 0/)
    const poor = sender.sign([sendMessage(alice, bob, 10n ** 18n)], { sequence: sender.sequence })
    const simulated = await post('/cosmos/tx/v1beta1/simulate', { tx_bytes: bytesToBase64(poor) })
    expect([simulated.status, simulated.json.message]).toEqual([500, expect.stringContaining('insufficient funds')])
  })
})

describe('a Ledger', () => {
  /** Amino JSON in the order and with the escapes that the device signs, then put into a protobuf transaction by the wallet. */
  async function signed(amount: string, sequence: number, change: (doc: StdSignDoc) => StdSignDoc = (doc) => doc) {
    const wallet = await node.amino(2)
    const [{ address, pubkey } = { address: '', pubkey: new Uint8Array() }] = await wallet.getAccounts()
    const value = { fromAddress: address, toAddress: bob, amount: [{ denom: 'ucoin', amount }] }
    const types = new AminoTypes(createBankAminoConverters())
    const fee = { amount: [{ denom: 'ucoin', amount: '5000' }], gas: '200000' }
    const message = types.toAmino({ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value })
    const doc = makeSignDoc([message], fee, chainId, 'from <a> & "Ledger"', 2, sequence)
    const { signature } = await wallet.signAmino(address, change(doc))
    const messages = [sendMessage(address, bob, BigInt(amount))]
    const bodyBytes = TxBody.encode({ ...TxBody.fromPartial({ memo: doc.memo }), messages }).finish()
    const key = Any.fromPartial({ typeUrl: '/cosmos.crypto.secp256k1.PubKey', value: Uint8Array.of(10, 33, ...pubkey) })
    const authInfoBytes = makeAuthInfoBytes(
      [{ pubkey: key, sequence }],
      ...([fee.amount, 200_000, undefined, undefined, SignMode.SIGN_MODE_LEGACY_AMINO_JSON] as const),
    )
    const signatures = [Buffer.from(signature.signature, 'base64')]
    return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
  }

  it('signs amino JSON', async () => {
    const delivered: Delivered = await node.deliver(await signed('9', 0))
    expect([delivered.code, delivered.log]).toEqual([0, ''])
    const { json } = await fromPage(`${node.restUrl}/cosmos/tx/v1beta1/txs/${delivered.hash}`)
    expect(json.tx.auth_info.signer_infos[0].mode_info).toEqual({ single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON' } })
    expect(json.tx.body.memo).toBe('from <a> & "Ledger"')
  })

  it('whose document was changed is refused', async () => {
    const other = await signed('9', 1, (doc) => ({ ...doc, memo: 'another' }))
    await expect(node.deliver(other)).rejects.toThrow('refused with code 4: signature verification failed')
  })
})
