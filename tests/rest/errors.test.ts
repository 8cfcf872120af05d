import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendMessage } from '../traffic/sender.js'
import { type RestNode, startRestNode } from './rest-node.js'

let rest: RestNode
/** Of a transaction that is in a block. */
let hash: string

beforeAll(async () => {
  rest = await startRestNode('rest-errors-1', 1, ['--engine.block-time', '300ms'])
  const [alice] = rest.senders
  hash = (await rest.deliver(alice!.sign([sendMessage(alice!.address, alice!.address, 1n)]))).hash
  await rest.reach(3)
})
afterAll(() => rest.close())

interface Expected {
  /** Of HTTP; with `code` of the body, and what its message must say. */
  readonly status: number
  readonly code?: number
  readonly message?: RegExp
}

const fine: Expected = { status: 200 }
const refused = (message: RegExp): Expected => ({ status: 400, code: 3, message })
const missing = (message: RegExp): Expected => ({ status: 404, code: 5, message })

function check({ status, json }: { status: number; json: unknown }, expected: Expected, what: string): void {
  const { code, message, details } = json as Record<string, unknown>
  expect([status, code], `${what}: ${JSON.stringify(json).slice(0, 300)}`).toEqual([expected.status, expected.code])
  if (expected.message === undefined) return
  expect(message, what).toMatch(expected.message)
  expect(details, what).toEqual([])
}

const noInteger = (text: string) =>
  refused(new RegExp(`^parameter "height": ${text.replace(/[.+]/g, '\\$&')}.*expected an integer of 64 bits`))
const ahead = (height: string) => refused(new RegExp(`height ${height} is ahead of the chain \\(latest \\d+\\)$`))

/** A height in a path. What the reference says, where it is another answer: 0 and below are its 500. */
const heights: readonly (readonly [height: string, expected: Expected])[] = [
  ['1', fine],
  ['+1', fine],
  ['%2B1', fine],
  ['0x1', fine],
  ['0b10', fine],
  ['0', refused(/^invalid height 0, expected 1 to \d+$/)],
  ['-0', refused(/^invalid height 0, expected 1 to \d+$/)],
  ['-1', refused(/^invalid argument: height -1 is negative, expected 1 to \d+$/)],
  ['-9223372036854775808', refused(/^invalid argument: height -9223372036854775808 is negative, expected 1 to \d+$/)],
  ['1000000', ahead('1000000')],
  ['9223372036854775807', ahead('9223372036854775807')],
  ['9223372036854775808', refused(/^parameter "height": 9223372036854775808, expected a signed integer of 64 bits/)],
  ['18446744073709551615', refused(/^parameter "height": 18446744073709551615, expected a signed integer/)],
  ['1e30', noInteger('"1e30"')],
  ['abc', noInteger('"abc"')],
  ['', noInteger('""')],
  ['1.5', noInteger('"1.5"')],
  ['NaN', noInteger('"NaN"')],
  ['%201', noInteger('" 1"')],
  ['1%00', refused(/^parameter "height": .*expected an integer of 64 bits/)],
  ['%D9%A1', noInteger('"١"')],
  ['0x', noInteger('"0x"')],
  // The reference takes these two, as 8 and as 1000. Nobody who writes them is sure to mean that.
  ['010', noInteger('"010"')],
  ['1_000', noInteger('"1_000"')],
  ['9'.repeat(400), refused(/^parameter "height": "9{80}\.\.\." \(400 characters\), expected an integer/)],
  ['%zz', refused(/not percent-encoded/)],
]

describe.each([
  '/cosmos/base/tendermint/v1beta1/blocks/',
  '/cosmos/base/tendermint/v1beta1/validatorsets/',
  '/cosmos/tx/v1beta1/txs/block/',
])('a height after %s', (path) => {
  it.each(heights)('%s', async (height, expected) => {
    check(await rest.get(path + height), expected, height)
  })
})

/** A height in `x-cosmos-block-height`; the reference answers 500 to all that is refused here. */
const headers: readonly (readonly [height: string, expected: Expected])[] = [
  ['', fine],
  ['0', fine],
  ['1', fine],
  [' 2 ', fine],
  ['+1', fine],
  ['-1', refused(/^x-cosmos-block-height "-1" is no height, expected 1 to \d+$/)],
  ['1e30', refused(/^x-cosmos-block-height "1e30" is no height, expected 1 to \d+$/)],
  ['abc', refused(/^x-cosmos-block-height "abc" is no height, expected 1 to \d+$/)],
  ['1.5', refused(/^x-cosmos-block-height "1.5" is no height, expected 1 to \d+$/)],
  ['0x1', refused(/^x-cosmos-block-height "0x1" is no height, expected 1 to \d+$/)],
  ['1, 2', refused(/^x-cosmos-block-height "1, 2" is no height, expected 1 to \d+$/)],
  ['é', refused(/is no height, expected 1 to \d+$/)],
  ['1000000', ahead('1000000')],
  ['18446744073709551615', ahead('18446744073709551615')],
]

describe('a height in the header', () => {
  it.each(headers)('%s', async (height, expected) => {
    for (const path of ['/cosmos/bank/v1beta1/params', '/cosmos/auth/v1beta1/params'])
      check(await rest.get(path, { 'x-cosmos-block-height': height }), expected, height)
  })

  it('names what was read', async () => {
    const { headers: answered } = await rest.get('/cosmos/bank/v1beta1/params', { 'x-cosmos-block-height': '2' })
    expect(answered.get('x-cosmos-block-height')).toBe('2')
  })
})

describe('a height in the query', () => {
  const path = '/cosmos/base/tendermint/v1beta1/abci_query?path=/store/bank/key&data=AA==&height='

  it.each([
    ['0', fine],
    ['1', fine],
    ['%2B1', fine],
    ['-1', refused(/^invalid height -1/)],
    ['abc', noInteger('"abc"')],
    ['1e30', noInteger('"1e30"')],
    ['', noInteger('""')],
    ['1.5', noInteger('"1.5"')],
    ['18446744073709551615', refused(/^parameter "height": 18446744073709551615, expected a signed integer/)],
  ] as const)('%s', async (height, expected) => {
    const answer = await rest.get(path + height)
    if (expected.status !== 200) return check(answer, expected, height)
    expect([answer.status, answer.json.code], JSON.stringify(answer.json)).toEqual([200, 0])
  })

  it('that is not there is a code in the answer', async () => {
    const { status, json } = await rest.get(`${path}1000000`)
    expect([status, json.code > 0, json.log]).toEqual([200, true, expect.stringContaining('1000000')])
  })

  it('means nothing to other paths', async () => {
    expect((await rest.get('/cosmos/bank/v1beta1/params?height=abc')).status).toBe(200)
  })
})

describe('a transaction hash', () => {
  const path = '/cosmos/tx/v1beta1/txs/'
  const found: readonly (readonly [name: string, text: () => string])[] = [
    ['in upper case', () => hash],
    ['in lower case', () => hash.toLowerCase()],
    ['in mixed case', () => hash.slice(0, 32) + hash.slice(32).toLowerCase()],
    ['with 0x', () => `0x${hash}`],
    ['with 0X, in lower case', () => `0X${hash.toLowerCase()}`],
  ]
  it.each(found)('%s is found', async (_, text) => {
    const { status, json } = await rest.get(path + text())
    expect([status, json.tx_response?.txhash]).toEqual([200, hash])
  })

  const wrong: readonly (readonly [text: string, expected: Expected])[] = [
    ['0'.repeat(64), missing(/^tx not found: 0{64}$/)],
    [`0x${'f'.repeat(64)}`, missing(/^tx not found: 0xf{64}$/)],
    ['ABCD', missing(/^tx not found: ABCD$/)],
    ['ab'.repeat(33), missing(/^tx not found: (ab){33}$/)],
    ['ab'.repeat(500), missing(/^tx not found: (ab){40}\.\.\.$/)],
    ['', refused(/^tx hash cannot be empty, expected 64 hexadecimal digits$/)],
    ['0x', refused(/^tx hash "0x" is not hexadecimal, expected 64 digits$/)],
    ['abc', refused(/^tx hash "abc" is not hexadecimal, expected 64 digits$/)],
    ['0', refused(/^tx hash "0" is not hexadecimal/)],
    ['-1', refused(/^tx hash "-1" is not hexadecimal/)],
    ['+1', refused(/^tx hash "\+1" is not hexadecimal/)],
    ['1e30', missing(/^tx not found: 1e30$/)],
    ['1.5', refused(/^tx hash "1.5" is not hexadecimal/)],
    ['0x1', refused(/^tx hash "0x1" is not hexadecimal/)],
    ['18446744073709551615', missing(/^tx not found: 18446744073709551615$/)],
    ['%20', refused(/^tx hash " " is not hexadecimal/)],
    ['%00', refused(/is not hexadecimal/)],
    ['%F0%9F%98%80', refused(/^tx hash "😀" is not hexadecimal/)],
    ['g'.repeat(64), refused(/^tx hash "g{64}" is not hexadecimal/)],
    ['%zz', refused(/not percent-encoded/)],
  ]
  it.each(wrong)('%s', async (text, expected) => {
    check(await rest.get(path + text), expected, text)
  })
})

describe('other mistakes', () => {
  it.each([
    ['/nothing/here', { status: 501, code: 12, message: /^Not Implemented$/ }],
    ['/', { status: 501, code: 12, message: /^Not Implemented$/ }],
    ['/cosmos/bank/v1beta1/params/', { status: 501, code: 12, message: /^Not Implemented$/ }],
    ['/cosmos/tx/v1beta1/txs', refused(/no filter/)],
    ['/cosmos/tx/v1beta1/txs?query=', refused(/no filter/)],
    ['/cosmos/bank/v1beta1/denoms_metadata/nothing', missing(/nothing/)],
    ['/cosmwasm/wasm/v1/contract/nonsense/smart/e30=', refused(/nonsense/)],
    [
      '/cosmwasm/wasm/v1/contract/coin1x/smart/not*base64',
      refused(/^parameter "query_data": "not\*base64" is not base64/),
    ],
    ['/cosmos/bank/v1beta1/supply?pagination.limit=abc', refused(/^parameter "pagination.limit": "abc", expected/)],
    ['/cosmos/bank/v1beta1/supply?pagination.limit=-1', refused(/^parameter "pagination.limit": -1, expected/)],
    ['/cosmos/bank/v1beta1/supply?pagination.limit=', refused(/^parameter "pagination.limit": "", expected/)],
    ['/cosmos/bank/v1beta1/supply?pagination.key=!', refused(/^parameter "pagination.key": "!" is not base64/)],
    ['/cosmos/bank/v1beta1/supply?pagination=5', refused(/pagination/)],
    ['/cosmos/bank/v1beta1/supply?pagination.limit=%zz', refused(/not percent-encoded/)],
    ['/cosmos/base/tendermint/v1beta1/abci_query', refused(/^empty query path$/)],
    ['/cosmos/base/tendermint/v1beta1/abci_query?path=/x', refused(/^unsupported ABCI query path: \/x$/)],
    ['/cosmos/base/tendermint/v1beta1/validatorsets/1?pagination.key=AA==', refused(/pagination.offset/)],
  ] as const)('%s', async (path, expected) => {
    check(await rest.get(path), expected, path)
  })
})
