import { readFileSync } from 'node:fs'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { type Json, messageFromJson, messageFromJsonText, messageToJson, messageToJsonText } from './json.js'
import { codecOf, descriptors, encodeAny, isTypeName } from './registry.js'

interface Vector {
  readonly type: string
  /** The protobuf bytes. */
  readonly hex: string
  /** What the codec of cosmos-sdk v0.53.4 (messages of wasmd v0.60.2) printed after decoding them. */
  readonly json: string
}

const vectors = JSON.parse(readFileSync(new URL('../vectors/sdk-json.json', import.meta.url), 'utf8')) as Vector[]
const named = vectors.map((vector, i) => [`${i} ${vector.type}`, vector] as const)

/** Their contract messages have spaces or escapes that reading from JSON gives back in another, equal form. */
const respaced = new Set([
  'cosmos.tx.v1beta1.Tx',
  'cosmos.tx.v1beta1.GetTxResponse',
  'cosmwasm.wasm.v1.QuerySmartContractStateResponse',
])

const decode = (type: string, hex: string): object => codecOf(type).decode(hexToBytes(hex)) as object

describe('Cosmos JSON', () => {
  it.each(named)('is byte for byte what the Go SDK prints: %s', (_, { type, hex, json }) => {
    expect(messageToJsonText(type, decode(type, hex))).toBe(json)
  })

  it.each(named)('is read back to the same bytes: %s', (_, { type, hex, json }) => {
    const read = messageFromJsonText<object>(type, json)
    expect(messageToJsonText(type, read)).toBe(json)
    if (!respaced.has(type) || hex === '') expect(bytesToHex(codecOf(type).encode(read).finish())).toBe(hex)
  })

  it('prints and reads the empty value of every message', () => {
    for (const { name, mapEntry } of descriptors().messages()) {
      if (mapEntry || !isTypeName(name) || name === 'google.protobuf.Any') continue
      const empty = codecOf(name).decode(new Uint8Array(0)) as object
      const json = messageToJsonText(name, empty)
      expect(() => JSON.parse(json)).not.toThrow()
      expect(messageToJsonText(name, messageFromJsonText<object>(name, json))).toBe(json)
    }
  })

  it('prints a map as an object with its keys in order, and reads it back', () => {
    const type = 'cosmos.autocli.v1.AppOptionsResponse'
    const json = '{"module_options":{"auth":{"tx":null,"query":null},"bank":{"tx":null,"query":null}}}'
    expect(messageToJsonText(type, messageFromJsonText<object>(type, json))).toBe(json)
    const options = { bank: {}, auth: {} }
    expect(messageToJsonText(type, codecOf(type).fromPartial({ moduleOptions: options }))).toBe(json)
    expect(() => messageFromJsonText(type, '{"module_options":[]}')).toThrow('expected an object')
  })

  it('takes what jsonpb takes: camelCase, numbers or strings, enums by name or number, null as nothing', () => {
    const strict = '{"order_by":"ORDER_BY_DESC","page":"2","limit":"3","events":[],"pagination":{"count_total":true}}'
    const lenient =
      '{ "orderBy" : 2, "page": 2, "limit": "3", "events": null, "pagination": {"countTotal": true, "key": null} }'
    const type = 'cosmos.tx.v1beta1.GetTxsEventRequest'
    expect(messageFromJsonText(type, lenient)).toEqual(messageFromJsonText(type, strict))
    expect(messageFromJson(type, { page: 2, order_by: 'ORDER_BY_DESC' })).toMatchObject({ page: 2n, orderBy: 2 })
    expect(
      messageFromJsonText('cosmos.base.query.v1beta1.PageRequest', '{"limit": 18446744073709551615}'),
    ).toMatchObject({
      limit: 18446744073709551615n,
    })
    const access = { permission: 'ACCESS_TYPE_EVERYBODY' }
    expect(
      messageToJson('cosmwasm.wasm.v1.AccessConfig', messageFromJson<object>('cosmwasm.wasm.v1.AccessConfig', access)),
    ).toEqual({
      permission: 'Everybody',
      addresses: [],
    })
  })

  it('keeps an inlined contract message as it was written, big numbers included', () => {
    const text = '{"sender":"s","msg": {"a" : 12345678901234567890},"contract":"c"}'
    const read = messageFromJsonText<{ msg: Uint8Array }>('cosmwasm.wasm.v1.MsgExecuteContract', text)
    expect(read.msg).toEqual(utf8ToBytes('{"a" : 12345678901234567890}'))
  })

  it('sets one member of a oneof', () => {
    const read = messageFromJson<{ single?: object; multi?: object }>('cosmos.tx.v1beta1.ModeInfo', {
      multi: {},
      single: { mode: 1 },
    })
    expect(read.single).toBeDefined()
    expect(read.multi).toBeUndefined()
  })

  const tx = 'cosmos.tx.v1beta1.Tx'
  it.each<[string, string, Json]>([
    [
      'auth_info.fee.gas_limit: -1, expected an unsigned integer of 64 bits',
      tx,
      { auth_info: { fee: { gas_limit: '-1' } } },
    ],
    ['body.messages[0]: "@type" is missing', tx, { body: { messages: [{}] } }],
    ['body.messages[0]: type URL "/x.Y" is not known', tx, { body: { messages: [{ '@type': '/x.Y' }] } }],
    [
      'type URL "x/cosmos.bank.v1beta1.MsgSend" is not known',
      tx,
      { body: { messages: [{ '@type': 'x/cosmos.bank.v1beta1.MsgSend' }] } },
    ],
    ['"bodi" in cosmos.tx.v1beta1.Tx, expected one of body, auth_info, signatures', tx, { bodi: 1 }],
    ['body: an array, expected an object', tx, { body: [] }],
    ['signatures: "AA==", expected an array', tx, { signatures: 'AA==' }],
    ['signatures[1]: "*" is not base64', tx, { signatures: ['', '*'] }],
    ['amount: "1.5", expected decimal digits', 'cosmos.base.v1beta1.Coin', { amount: '1.5' }],
    ['amount: 7, expected an integer as a string', 'cosmos.base.v1beta1.Coin', { amount: 7 }],
    ['inflation_max: "x", expected digits', 'cosmos.mint.v1beta1.Params', { inflation_max: 'x' }],
    ['mode: "SYNC" is no cosmos.tx.v1beta1.BroadcastMode', 'cosmos.tx.v1beta1.BroadcastTxRequest', { mode: 'SYNC' }],
    ['no message of this chain', 'cosmos.Nope', {}],
  ])('refuses with "%s"', (reason, type, json) => {
    expect(() => messageFromJson(type, json)).toThrow(reason)
  })

  it('refuses to print what it cannot know', () => {
    const unknown = { typeUrl: '/x.Y', value: new Uint8Array(0) }
    expect(() => messageToJsonText('google.protobuf.Any', unknown)).toThrow('"/x.Y" is not known to this chain')
    const broken = encodeAny('cosmwasm.wasm.v1.MsgExecuteContract', {
      sender: '',
      contract: '',
      msg: utf8ToBytes('{"a'),
      funds: [],
    })
    expect(() => messageToJsonText('google.protobuf.Any', broken)).toThrow('invalid JSON')
  })
})
