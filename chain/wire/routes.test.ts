import { describe, expect, it } from 'vitest'
import { chainJson } from './json.js'
import { codecOf, descriptors, isTypeName } from './registry.js'
import { createRequestReader, parseQuery } from './route-request.js'
import { createRoutes } from './routes.js'

const routes = createRoutes(descriptors())
const requests = createRequestReader(
  descriptors(),
  (name) => (isTypeName(name) ? codecOf(name) : undefined),
  chainJson(),
)

/** Method and request of a call, as the REST server makes them. */
function call(verb: string, url: string, body = '') {
  const [path = '', query = ''] = url.split('?')
  const match = routes.match(verb, path)
  return match === undefined
    ? undefined
    : { method: match.method.fullName, request: requests.read(match, parseQuery(query), body) }
}

describe('routes', () => {
  it.each([
    ['/cosmos/base/tendermint/v1beta1/blocks/latest', 'cosmos.base.tendermint.v1beta1.Service/GetLatestBlock', {}],
    [
      '/cosmos/base/tendermint/v1beta1/blocks/12',
      'cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight',
      { height: 12n },
    ],
    [
      '/cosmos/base/tendermint/v1beta1/blocks/-1',
      'cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight',
      { height: -1n },
    ],
    ['/cosmos/bank/v1beta1/denoms_metadata/ucoin', 'cosmos.bank.v1beta1.Query/DenomMetadata', { denom: 'ucoin' }],
    ['/cosmos/bank/v1beta1/denoms_metadata/ibc/AB', 'cosmos.bank.v1beta1.Query/DenomMetadata', { denom: 'ibc/AB' }],
    ['/cosmos/bank/v1beta1/denoms_metadata/ibc%2FAB', 'cosmos.bank.v1beta1.Query/DenomMetadata', { denom: 'ibc/AB' }],
    ['/cosmos/gov/v1/params/voting', 'cosmos.gov.v1.Query/Params', { paramsType: 'voting' }],
    ['/cosmos/tx/v1beta1/txs/AB', 'cosmos.tx.v1beta1.Service/GetTx', { hash: 'AB' }],
  ])('GET %s', (url, method, request) => {
    expect(call('GET', url)).toEqual({ method, request })
  })

  it('take base64 of a smart query in every form that clients send', () => {
    const queryData = new TextEncoder().encode('{"a":"???>>>"}')
    const standard = btoa('{"a":"???>>>"}')
    expect(standard).toMatch(/[+/]/)
    const forms = [
      standard,
      encodeURIComponent(standard),
      standard.replaceAll('+', '-').replaceAll('/', '_'),
      standard.replace(/=+$/, ''),
    ]
    for (const form of forms) {
      expect(call('GET', `/cosmwasm/wasm/v1/contract/coin1x/smart/${form}`)).toEqual({
        method: 'cosmwasm.wasm.v1.Query/SmartContractState',
        request: { address: 'coin1x', queryData },
      })
    }
    expect(() => call('GET', '/cosmwasm/wasm/v1/contract/coin1x/smart/*')).toThrow(
      'parameter "query_data": "*" is not base64',
    )
  })

  it('fill requests from the query, nested and repeated', () => {
    const query =
      'events=a%3D%271%27&events=b&order_by=ORDER_BY_DESC&pagination.limit=5&pagination.key=AP+/&pagination.countTotal=true&other=1'
    expect(call('GET', `/cosmos/tx/v1beta1/txs?${query}`)?.request).toMatchObject({
      events: ["a='1'", 'b'],
      orderBy: 2,
      pagination: { limit: 5n, key: Uint8Array.of(0, 255, 191), countTotal: true, offset: 0n },
    })
  })

  it('read a JSON body, empty or not', () => {
    expect(call('POST', '/cosmos/tx/v1beta1/txs', '{"tx_bytes":"AQI=","mode":"BROADCAST_MODE_SYNC"}')?.request).toEqual(
      {
        txBytes: Uint8Array.of(1, 2),
        mode: 2,
      },
    )
    expect(call('POST', '/cosmos/tx/v1beta1/txs', '')?.request).toEqual({ txBytes: new Uint8Array(0), mode: 0 })
    expect(call('POST', '/cosmos/tx/v1beta1/txs', '{"sequences":["1"],"mode":2}')?.request).toMatchObject({ mode: 2 })
    expect(() => call('POST', '/cosmos/tx/v1beta1/txs', '{"mode":"SYNC"}')).toThrow(
      'mode: "SYNC" is no cosmos.tx.v1beta1.BroadcastMode',
    )
  })

  it.each([
    ['7', 7n],
    ['+7', 7n],
    ['-7', -7n],
    ['-0', 0n],
    ['0x1F', 31n],
    ['-0x1f', -31n],
    ['0o17', 15n],
    ['0b101', 5n],
    ['9223372036854775807', 9223372036854775807n],
  ])('take the integer %s', (text, height) => {
    expect(call('GET', `/cosmos/base/tendermint/v1beta1/blocks/${text}`)?.request).toEqual({ height })
  })

  it.each(['', '010', '1_000', '1e3', '1.5', '+', '0x', '+-1', '- 1', '9223372036854775808', '0x8000000000000000'])(
    'refuse the integer "%s"',
    (text) => {
      expect(() => call('GET', `/cosmos/base/tendermint/v1beta1/blocks/${text}`)).toThrow('parameter "height": ')
    },
  )

  it('leave a variable empty', () => {
    expect(call('GET', '/cosmos/bank/v1beta1/balances/')?.request).toMatchObject({ address: '' })
    expect(call('GET', '/cosmos/tx/v1beta1/txs/')?.request).toEqual({ hash: '' })
  })

  it.each([
    ['/cosmos/base/tendermint/v1beta1/blocks/abc', 'parameter "height": "abc", expected an integer of 64 bits'],
    ['/cosmos/bank/v1beta1/balances/x?pagination.limit=-1', 'parameter "pagination.limit": -1, expected an unsigned'],
    ['/cosmos/bank/v1beta1/balances/x?pagination.count_total=maybe', 'expected true or false'],
    ['/cosmos/bank/v1beta1/balances/x?pagination=1', 'expected a field of cosmos.base.query.v1beta1.PageRequest'],
    ['/cosmos/bank/v1beta1/balances/%E0%A4%A', 'not percent-encoded'],
    ['/cosmos/bank/v1beta1/balances/x?a=%ff', 'in the query is not percent-encoded'],
  ])('refuse %s', (url, reason) => {
    expect(() => call('GET', url)).toThrow(reason)
  })

  it('know nothing of other paths', () => {
    for (const path of [
      '/',
      '',
      '/cosmos',
      '/cosmos/bank/v1beta1/params/',
      '/cosmos/bank/v1beta1/balances/a/b',
      '//cosmos/bank/v1beta1/params',
    ]) {
      expect(routes.match('GET', path)).toBeUndefined()
    }
    expect(routes.match('POST', '/cosmos/bank/v1beta1/params')).toBeUndefined()
    expect(routes.verbsOf('/cosmos/bank/v1beta1/params')).toEqual(['GET'])
    expect(routes.verbsOf('/cosmos/tx/v1beta1/txs')).toEqual(['GET', 'POST'])
    expect(routes.verbsOf('/nope')).toEqual([])
  })

  it('lead every template of the descriptors to its own method', () => {
    for (const { rule, method } of routes.all) {
      // The SDK gives this one the same path as AddressStringToBytes, whose parameter is a single segment.
      if (method.name === 'AddressBytesToString') continue
      const path = rule.path.replaceAll(/\{[^}]*\}/g, 'AAAA')
      expect(routes.match(rule.verb, path)?.method.fullName).toBe(method.fullName)
    }
  })
})
