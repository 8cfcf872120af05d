import { bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { errors, markDeterministic, noSuchContract, redacted, systemErrorOf, unsupportedRequest } from './errors.js'
import { eventCost, replyCost, uncompressCost } from './gas-register.js'
import { toChainMsg, toCoins } from './messages.js'
import { parseQueryResponse, parseResponse } from './response.js'

const parse = (value: string) => parseResponse(utf8ToBytes(value))
const withMsg = (msg: string, rest = '') =>
  parse(`{"ok":{"messages":[{"id":1,"msg":${msg},"reply_on":"never"${rest}}]}}`)

describe('what contracts answer', () => {
  it('may leave everything out', () => {
    const empty = { messages: [], attributes: [], events: [], data: undefined }
    expect(parse('{"ok":{}}')).toEqual({ ok: empty })
    expect(parse('{"ok":{"messages":[],"attributes":null,"events":[],"data":null,"more":1}}')).toEqual({ ok: empty })
    expect(parse('{"ok":{"data":""}}')).toMatchObject({ ok: { data: new Uint8Array(0) } })
    expect(parse('{"error":"no"}')).toEqual({ error: 'no' })
    expect(parseQueryResponse(utf8ToBytes('{"ok":"e30="}'))).toEqual({ ok: utf8ToBytes('{}') })
  })

  it('keeps 64-bit numbers whole', () => {
    const parsed = withMsg('{"bank":{"burn":{"amount":[]}}}', ',"gas_limit":18446744073709551615')
    expect(parsed).toMatchObject({ ok: { messages: [{ gasLimit: 18446744073709551615n }] } })
    const big = parse('{"ok":{"messages":[{"id":18446744073709551615,"msg":{},"reply_on":"always"}]}}')
    expect(big).toMatchObject({ ok: { messages: [{ id: 18446744073709551615n, replyOn: 'always' }] } })
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a number as text', '{"ok":{"attributes":[{"key":1,"value":"x"}]}}'],
    ['messages that are no list', '{"ok":{"messages":{}}}'],
    ['a negative id', '{"ok":{"messages":[{"id":-1,"msg":{},"reply_on":"never"}]}}'],
    ['an id past 64 bits', '{"ok":{"messages":[{"id":18446744073709551616,"msg":{},"reply_on":"never"}]}}'],
    ['an unknown reply_on', '{"ok":{"messages":[{"id":1,"msg":{},"reply_on":"sometimes"}]}}'],
    ['data that is not base64', '{"ok":{"data":"?"}}'],
    [
      'a payload of more than 128 KiB',
      `{"ok":{"messages":[{"id":1,"msg":{},"reply_on":"never","payload":"${'A'.repeat(180_000)}"}]}}`,
    ],
    ['any and stargate', '{"ok":{"messages":[{"id":1,"msg":{"any":{},"stargate":{}},"reply_on":"never"}]}}'],
  ])('refuses %s', (_, value) => {
    expect(() => parse(value)).toThrow()
  })

  it('becomes messages of the chain', () => {
    const chainMsg = (msg: string) => {
      const parsed = withMsg(msg)
      return 'ok' in parsed ? toChainMsg('me', parsed.ok.messages[0]!.msg) : undefined
    }
    expect(
      chainMsg(
        '{"bank":{"send":{"to_address":"you","amount":[{"denom":"ucoin","amount":"1"},{"denom":"atom","amount":"2"},{"denom":"ucoin","amount":"3"}]}}}',
      ),
    ).toEqual({
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      message: {
        fromAddress: 'me',
        toAddress: 'you',
        amount: [
          { denom: 'atom', amount: '2' },
          { denom: 'ucoin', amount: '4' },
        ],
      },
    })
    expect(chainMsg('{"bank":{"send":{"to_address":"you","amount":[]}}}')).toBeUndefined()
    expect(chainMsg('{"stargate":{"type_url":"/x","value":"AQ=="}}')).toEqual({
      typeUrl: '/x',
      value: Uint8Array.of(1),
    })
    expect(
      chainMsg('{"wasm":{"instantiate2":{"code_id":7,"msg":"e30=","funds":[],"label":"l","salt":"AQI="}}}'),
    ).toMatchObject({
      typeUrl: '/cosmwasm.wasm.v1.MsgInstantiateContract2',
      message: { sender: 'me', codeId: 7n, admin: '', salt: Uint8Array.of(1, 2), fixMsg: false },
    })
    for (const unknown of ['{"custom":{}}', '{"wasm":{"dance":{}}}', '{"ibc":{"transfer":{}}}', '{}']) {
      expect(() => chainMsg(unknown)).toThrow('unknown message from the contract')
    }
    expect(() => toCoins([{ denom: 'ucoin', amount: '-1' }])).toThrow('invalid coins')
    expect(() => toCoins([{ denom: '!', amount: '1' }])).toThrow('invalid coins')
  })
})

describe('what contracts are told', () => {
  it('of errors is the same on every node', () => {
    const own = markDeterministic(errors.executeFailed('Unauthorized'))
    expect(redacted(own)).toBe('Unauthorized: execute wasm contract failed')
    expect(redacted(own.wrap('dispatch'))).toBe('codespace: wasm, code: 5')
    expect(redacted(errors.vmError('something of this machine'))).toBe('codespace: wasm, code: 29')
    expect(systemErrorOf(noSuchContract('x').wrap('outer'))).toEqual({ no_such_contract: { addr: 'x' } })
    expect(systemErrorOf(unsupportedRequest('custom'))).toEqual({ unsupported_request: { kind: 'custom' } })
    expect(systemErrorOf(own)).toBeUndefined()
    expect(bytesToUtf8(utf8ToBytes(redacted(own)))).toContain('Unauthorized')
  })
})

describe('the gas register', () => {
  const attribute = (key: string, value: string) => ({ key, value })

  it('charges attributes, events and their bytes behind the free ones', () => {
    expect(eventCost([], [])).toBe(0)
    expect(eventCost([attribute('key', 'value')], [])).toBe(10)
    expect(eventCost([attribute('k'.repeat(60), 'v'.repeat(60))], [])).toBe(10 + 20)
    expect(eventCost([], [{ type: 'abcde', attributes: [] }])).toBe(20 + 5)
    const long = [attribute('k'.repeat(50), 'v'.repeat(30))]
    expect(eventCost(long, [{ type: 'ab', attributes: long }])).toBe(10 + 20 + 2 + 10 + 60)
    // Bytes, not characters.
    expect(eventCost([attribute('é'.repeat(50), 'xx')], [])).toBe(10 + 2)
  })

  it('charges replies for the events they carry', () => {
    const reply = (events: Parameters<typeof eventCost>[1]) => ({
      ...{ gasUsed: 0, id: 1n, payload: new Uint8Array(0) },
      result: { ok: { events, data: undefined, msgResponses: [] } },
    })
    expect(replyCost(reply([]))).toBe(2000)
    const attributes = [attribute('a', 'b')]
    expect(
      replyCost(
        reply([
          { type: 'wasm', attributes },
          { type: 'transfer', attributes },
        ]),
      ),
    ).toBe(2000 + 4 + 8 + 20)
    const failed = { ...reply([]), result: { error: 'x'.repeat(500) } }
    expect(replyCost(failed)).toBe(2000)
  })

  it('charges unpacking by the packed byte', () => {
    expect([0, 6, 7, 100, 65_992].map(uncompressCost)).toEqual([0, 0, 1, 15, 9898])
  })
})
