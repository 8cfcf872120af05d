import { sendMsg, type TestAccount, testAccount } from '@coin/app/testing/signing'
import { appStateOf, createTestChain, type TestChain } from '@coin/app/testing/test-chain'
import { bytesToBase64 } from '@coin/base/bytes'
import { silentLogger } from '@coin/base/logger'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppQueries } from '../services/app-queries.js'
import { createServices } from '../services.js'
import { createChainTwin } from '../testing/chain-twin.js'
import { createGateway, type Gateway } from './gateway.js'

let alice: TestAccount
let bob: TestAccount
let chain: TestChain
let gateway: Gateway
let base: string

/** The real application behind the gateway; blocks and mempool are the twin's, because they are not asked here. */
beforeAll(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
  chain = createTestChain({ appState: appStateOf({ [alice.address]: '1000000000' }) })
  const ports = { ...createChainTwin().ports, app: createAppQueries(chain.app) }
  gateway = createGateway(
    { host: '127.0.0.1', port: 0 },
    { services: createServices(ports), app: ports.app, log: silentLogger },
  )
  const { port } = await gateway.listen()
  base = `http://127.0.0.1:${port}`
})
afterAll(() => gateway.close())

async function get(path: string, init?: RequestInit): Promise<{ status: number; json: unknown }> {
  const response = await fetch(base + path, init)
  return { status: response.status, json: await response.json() }
}

describe('the application behind REST', () => {
  it('is not ready before the first block', async () => {
    expect(await get('/cosmos/bank/v1beta1/supply')).toMatchObject({ status: 503, json: { code: 14 } })
    chain.deliver()
  })

  it('turns addresses into bytes and back, over the path that both methods have', async () => {
    const path = '/cosmos/auth/v1beta1/bech32'
    expect(await get(`${path}/AQID`)).toEqual({ status: 200, json: { address_string: 'coin1qypqxrs54rl' } })
    const { json } = await get(`${path}/${alice.address}`)
    const { address_bytes: bytes } = json as { address_bytes: string }
    expect(await get(`${path}/${bytes}`)).toEqual({ status: 200, json: { address_string: alice.address } })
    expect(await get(`${path}/!!`)).toMatchObject({ status: 400, json: { code: 3 } })
  })

  it('answers balances, supply, metadata, accounts and parameters', async () => {
    expect(await get(`/cosmos/bank/v1beta1/balances/${alice.address}`)).toEqual({
      status: 200,
      json: { balances: [{ denom: 'ucoin', amount: '1000000000' }], pagination: { next_key: null, total: '1' } },
    })
    expect(await get('/cosmos/bank/v1beta1/denoms_metadata')).toMatchObject({
      json: {
        metadatas: [
          {
            base: 'ucoin',
            display: 'COIN',
            denom_units: [
              { denom: 'ucoin', exponent: 0 },
              { denom: 'COIN', exponent: 6 },
            ],
          },
        ],
      },
    })
    expect(await get('/cosmos/bank/v1beta1/denoms_metadata/ucoin')).toMatchObject({
      status: 200,
      json: { metadata: { base: 'ucoin' } },
    })
    expect(await get('/cosmos/bank/v1beta1/denoms_metadata/nope')).toMatchObject({
      status: 404,
      json: { code: 5, details: [] },
    })
    expect(await get(`/cosmos/auth/v1beta1/accounts/${alice.address}`)).toMatchObject({
      json: {
        account: { '@type': '/cosmos.auth.v1beta1.BaseAccount', address: alice.address, pub_key: null, sequence: '0' },
      },
    })
    expect(await get('/cosmos/mint/v1beta1/params')).toMatchObject({
      json: { params: { mint_denom: 'ucoin', inflation_max: '0.000000000000000000', blocks_per_year: '6311520' } },
    })
    expect(await get('/cosmos/gov/v1/params/voting')).toMatchObject({
      status: 200,
      json: { voting_params: { voting_period: expect.stringMatching(/s$/) } },
    })
  })

  it('answers 400 to a bad address and 404 to an unknown account', async () => {
    expect(await get('/cosmos/bank/v1beta1/balances/xyz')).toMatchObject({ status: 400, json: { code: 3 } })
    expect(await get(`/cosmos/auth/v1beta1/accounts/${bob.address}`)).toMatchObject({ status: 404, json: { code: 5 } })
  })

  it('simulates exactly what delivery uses, and reads heights', async () => {
    const tx = await chain.sign(alice, [sendMsg(alice.address, bob.address, '7')])
    const body = JSON.stringify({ tx_bytes: bytesToBase64(tx) })
    const { status, json } = await get('/cosmos/tx/v1beta1/simulate', { method: 'POST', body })
    expect(status).toBe(200)
    const delivered = chain.deliverOne(tx)
    expect(json).toMatchObject({
      gas_info: { gas_used: String(delivered.gasUsed) },
      result: { log: '', msg_responses: [{ '@type': '/cosmos.bank.v1beta1.MsgSendResponse' }] },
    })
    const url = `/cosmos/bank/v1beta1/balances/${bob.address}/by_denom?denom=ucoin`
    const at = (height: string) => get(url, { headers: { 'x-cosmos-block-height': height } })
    expect((await get(url)).json).toEqual({ balance: { denom: 'ucoin', amount: '7' } })
    expect(await at('900')).toMatchObject({
      status: 400,
      json: { message: 'height 900 is ahead of the chain (latest 2)' },
    })
  })

  it('says why a simulation fails', async () => {
    const tx = await chain.sign(bob, [sendMsg(bob.address, alice.address, '999')])
    const failed = await get('/cosmos/tx/v1beta1/simulate', {
      method: 'POST',
      body: JSON.stringify({ tx_bytes: bytesToBase64(tx) }),
    })
    expect(failed).toMatchObject({
      status: 500,
      json: { code: 2, message: expect.stringContaining('insufficient funds') },
    })
    for (const bytes of ['', 'AAAA']) {
      const { status: http } = await get('/cosmos/tx/v1beta1/simulate', {
        method: 'POST',
        body: JSON.stringify({ tx_bytes: bytes }),
      })
      expect(http).toBe(bytes === '' ? 400 : 500)
    }
  })
})
