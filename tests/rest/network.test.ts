import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { errorBody, type RestNode, startRestNode } from './rest-node.js'

let rest: RestNode

beforeAll(async () => {
  rest = await startRestNode('rest-network-1', 1, ['--engine.block-time', '200ms'])
})
afterAll(() => rest.close())

describe('the network', () => {
  it('has a node that says who it is', async () => {
    const { status, json } = await rest.get('/cosmos/base/tendermint/v1beta1/node_info')
    expect(status).toBe(200)
    const version = expect.stringMatching(/./)
    expect(json).toEqual({
      default_node_info: {
        protocol_version: { p2p: '8', block: '11', app: '0' },
        default_node_id: expect.stringMatching(/^[0-9a-f]{40}$/),
        listen_addr: expect.stringMatching(/^tcp:/),
        network: 'rest-network-1',
        version: '0.38.17',
        channels: 'QCAhIiMwOGBhAA==',
        moniker: 'test',
        other: { tx_index: 'on', rpc_address: expect.stringMatching(/^tcp:/) },
      },
      application_version: {
        name: 'coin',
        app_name: 'coind',
        version,
        git_commit: expect.any(String),
        build_tags: expect.any(String),
        go_version: expect.any(String),
        build_deps: expect.any(Array),
        cosmos_sdk_version: 'v0.53.4',
      },
    })
  })

  it('is not syncing', async () => {
    expect(await rest.get('/cosmos/base/tendermint/v1beta1/syncing')).toMatchObject({
      status: 200,
      json: { syncing: false },
    })
  })

  it('is healthy at {rpc}/health', async () => {
    const response = await fetch(`${rest.process.rpc}/health`)
    expect([response.status, await response.json()]).toEqual([200, { jsonrpc: '2.0', id: -1, result: {} }])
    expect(await rest.rpc('health')).toEqual({})
  })

  it('mints nothing', async () => {
    const zero = '0.000000000000000000'
    expect(await rest.get('/cosmos/mint/v1beta1/params')).toMatchObject({
      status: 200,
      json: {
        params: {
          mint_denom: 'ucoin',
          inflation_rate_change: zero,
          inflation_max: zero,
          inflation_min: zero,
          goal_bonded: '0.670000000000000000',
          blocks_per_year: '6311520',
        },
      },
    })
    const supply = async () => (await rest.get('/cosmos/bank/v1beta1/supply')).json.supply
    const before = await supply()
    await rest.reach((await rest.height()) + 2)
    expect(await supply()).toEqual(before)
    expect((await rest.get('/cosmos/mint/v1beta1/inflation')).json).toEqual({ inflation: zero })
    expect((await rest.get('/cosmos/mint/v1beta1/annual_provisions')).json).toEqual({ annual_provisions: zero })
  })

  it('limits the gas of a block, so that no contract keeps one for ever', async () => {
    const { json } = await rest.get('/cosmos/consensus/v1/params')
    const { max_gas } = json.params.block
    expect(Number(max_gas)).toBeGreaterThanOrEqual(100_000_000)
    expect(Number(max_gas)).toBeLessThanOrEqual(1_000_000_000)
    const [sender] = rest.senders
    const tx = sender!.sign([sendMessage(sender!.address, sender!.address, 1n)], { gas: BigInt(max_gas) + 1n })
    const body = { tx_bytes: Buffer.from(tx).toString('base64'), mode: 'BROADCAST_MODE_SYNC' }
    const refused = await rest.post('/cosmos/tx/v1beta1/txs', body)
    expect(refused.json.tx_response).toMatchObject({ code: 41, raw_log: expect.stringContaining(max_gas) })
  })

  it('has parameters of governance', async () => {
    const { status, json } = await rest.get('/cosmos/gov/v1/params/voting')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      voting_params: { voting_period: '172800s' },
      deposit_params: null,
      tally_params: null,
      params: {
        voting_period: '172800s',
        quorum: '0.334000000000000000',
        threshold: '0.500000000000000000',
        veto_threshold: '0.334000000000000000',
      },
    })
    for (const kind of ['deposit', 'tallying']) {
      expect((await rest.get(`/cosmos/gov/v1/params/${kind}`)).status).toBe(200)
    }
    expect(await rest.get('/cosmos/gov/v1/params/nothing')).toMatchObject({
      status: 400,
      json: errorBody(3, expect.stringContaining('unknown params type: nothing')),
    })
  })
})

describe('a route that is none', () => {
  it.each([
    '/no/such/route',
    '/',
    '/cosmos',
    '/cosmos/bank/v1beta1',
    '//',
    '/cosmos/tx/v1beta1/simulate/',
    '/api/tokens',
  ])('is 501 Not Implemented: %s', async (path) => {
    const { status, json, headers } = await rest.get(path)
    expect([status, json, headers.get('content-type')]).toEqual([
      501,
      errorBody(12, 'Not Implemented'),
      'application/json',
    ])
  })

  it('is one too when only the verb is wrong', async () => {
    for (const [method, path] of [
      ['POST', '/cosmos/base/tendermint/v1beta1/syncing'],
      ['PUT', '/cosmos/tx/v1beta1/txs'],
      ['GET', '/cosmos/tx/v1beta1/simulate'],
    ] as const) {
      const response = await fetch(rest.process.rest + path, { method })
      expect([response.status, await response.json()]).toEqual([501, errorBody(12, 'Not Implemented')])
    }
  })

  it('is 404 on the RPC', async () => {
    expect((await fetch(`${rest.process.rpc}/nothing`)).status).toBe(404)
  })
})
