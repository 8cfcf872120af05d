import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBody, launchContract, type RestNode, readArtifact, startRestNode } from './rest-node.js'

const metadataPath = '/cosmos/bank/v1beta1/denoms_metadata'
const coinMetadata = {
  description: 'The native token of the chain; 1 COIN is 1000000 ucoin.',
  denom_units: [
    { denom: 'ucoin', exponent: 0, aliases: [] },
    { denom: 'COIN', exponent: 6, aliases: [] },
  ],
  base: 'ucoin',
  display: 'COIN',
  name: 'COIN',
  symbol: 'COIN',
  uri: '',
  uri_hash: '',
}

let rest: RestNode

beforeAll(async () => {
  rest = await startRestNode('rest-tokens-1', 2)
})
afterAll(() => rest.close())

describe('denomination metadata', () => {
  it('is listed, with a page', async () => {
    for (const query of ['', '?pagination.limit=5', '?pagination.limit=1&pagination.count_total=true']) {
      const { status, json, headers } = await rest.get(`${metadataPath}${query}`)
      expect([status, headers.get('content-type')], query).toEqual([200, 'application/json'])
      expect(json, query).toMatchObject({ metadatas: [coinMetadata], pagination: { next_key: null } })
    }
    expect((await rest.get(metadataPath)).json.pagination.total).toBe('1')
    expect((await rest.get(`${metadataPath}?pagination.offset=1`)).json.metadatas).toEqual([])
  })

  it('refuses pages that are none', async () => {
    for (const query of [
      'pagination.limit=-1',
      'pagination.limit=abc',
      'pagination.key=%2A',
      'pagination.limit=1e30',
    ]) {
      const { status, json } = await rest.get(`${metadataPath}?${query}`)
      expect([status, json], query).toEqual([400, errorBody(3, expect.any(String))])
    }
  })

  it('is found by its base denomination', async () => {
    expect((await rest.get(`${metadataPath}/ucoin`)).json).toEqual({ metadata: coinMetadata })
    expect((await rest.get(`${metadataPath}_by_query_string?denom=ucoin`)).json).toEqual({ metadata: coinMetadata })
  })

  it.each(['nothing', 'COIN', 'UCOIN', 'ibc%2FAABB', 'ibc/AABB', 'factory/coin1abc/x'])(
    'answers 404 to the unknown %s',
    async (denom) => {
      const { status, json } = await rest.get(`${metadataPath}/${denom}`)
      expect([status, json]).toEqual([404, errorBody(5, expect.stringContaining(decodeURIComponent(denom)))])
    },
  )
})

describe('a smart query over REST', () => {
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  const tokenInfo = base64({ token_info: {} })
  const info = { data: { name: 'Moon', symbol: 'MOON', decimals: 6, total_supply: '1000000' } }
  let token: string
  const smart = (query: string, address = token) => rest.get(`/cosmwasm/wasm/v1/contract/${address}/smart/${query}`)

  beforeAll(async () => {
    const [owner, friend] = rest.senders
    const { address } = await launchContract(rest, owner!, readArtifact('cw20_base'), {
      ...{ name: 'Moon', symbol: 'MOON', decimals: 6, mint: null },
      initial_balances: [
        { address: owner!.address, amount: '999999' },
        { address: friend!.address, amount: '1' },
      ],
    })
    token = address
  })

  it('answers token_info of a CW20 token under data', async () => {
    const { status, json, headers } = await smart(tokenInfo)
    expect([status, json]).toEqual([200, info])
    expect(Number(headers.get('x-cosmos-block-height'))).toBeGreaterThan(0)
    const balance = await smart(base64({ balance: { address: rest.senders[1]!.address } }))
    expect(balance.json).toEqual({ data: { balance: '1' } })
  })

  it('takes standard and URL-safe base64, percent-encoded or not, with padding or without', async () => {
    // This text makes both digits that the two alphabets do not share.
    const query = base64({ all_accounts: { start_after: '???>>>' } })
    expect(query).toMatch(/\+.*\/|\/.*\+/)
    const safe = query.replaceAll('+', '-').replaceAll('/', '_')
    const plain = await smart(encodeURIComponent(query))
    const accounts = rest.senders.map(({ address }) => address).sort()
    expect(plain).toMatchObject({ status: 200, json: { data: { accounts } } })
    for (const form of [safe, encodeURIComponent(safe), query.replaceAll('/', '%2F'), query.replaceAll('/', '%2f')]) {
      expect((await smart(form)).json, form).toEqual(plain.json)
    }
    expect(tokenInfo).toMatch(/=$/)
    for (const form of [tokenInfo, encodeURIComponent(tokenInfo), tokenInfo.replaceAll('=', '')]) {
      expect((await smart(form)).json, form).toEqual(info)
    }
  })

  it('takes standard base64 with a slash as it is', async () => {
    const query = base64({ all_accounts: { start_after: '???>>>' } })
    expect(query).toContain('/')
    expect(await smart(query)).toMatchObject({
      status: 200,
      json: { data: { accounts: [expect.any(String), expect.any(String)] } },
    })
  })

  it('answers 400 to what is no base64 or no JSON', async () => {
    for (const query of ['not*base64', '%%%', 'A', '!!!!', 'eyJ0b2tl=', '%7B%7D', base64('').slice(1)]) {
      const { status, json } = await smart(query)
      expect([status, json], query).toEqual([400, errorBody(3, expect.any(String))])
    }
    for (const text of ['not json', '{"token_info":', '{]', '']) {
      const { status, json } = await smart(Buffer.from(text).toString('base64') || '%20')
      expect([status, json], text).toEqual([400, errorBody(3, expect.any(String))])
    }
  })

  it('passes on what the contract says of a query that it does not know', async () => {
    const { status, json } = await smart(base64({ no_such_query: {} }))
    expect([status, json]).toEqual([
      500,
      errorBody(2, expect.stringMatching(/unknown variant `no_such_query`.*query wasm contract failed/)),
    ])
  })

  it('answers 404 for an address that is no contract, and 400 for what is no address', async () => {
    const { address } = rest.senders[0]!
    expect(await smart(tokenInfo, address)).toMatchObject({
      status: 404,
      json: errorBody(5, expect.stringContaining(address)),
    })
    for (const wrong of ['nonsense', 'coin1qqqq', token.slice(0, -1), `${token}q`, `cosmos1${address.slice(5)}`]) {
      const { status, json } = await smart(tokenInfo, wrong)
      expect([status, json], wrong).toEqual([400, errorBody(3, expect.any(String))])
    }
  })

  it('reads the state of an earlier height, and says which heights there are', async () => {
    const at = (height: string) =>
      rest.get(`/cosmwasm/wasm/v1/contract/${token}/smart/${tokenInfo}`, { 'x-cosmos-block-height': height })
    const latest = await rest.height()
    expect((await at(String(latest))).json).toEqual(info)
    expect(await at('1')).toMatchObject({ status: 404, json: errorBody(5, expect.stringContaining(token)) })
    for (const height of ['1000000', '-1', 'abc', '1e30']) {
      const { status, json } = await at(height)
      expect([status, json], height).toEqual([400, errorBody(3, expect.stringContaining(height))])
    }
  })
})
