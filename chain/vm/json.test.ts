import { bytesToUtf8, utf8ToBytes } from '@coin/base/bytes'
import { describe, expect, it } from 'vitest'
import { encodeEnv, encodeInfo, encodeMigrateInfo, encodeQueryAnswer, encodeReply, goString } from './json.js'

describe('JSON for contracts', () => {
  it('escapes strings as Go does', () => {
    expect(goString('plain')).toBe('"plain"')
    expect(goString('a"b\\c/<d>&e')).toBe('"a\\"b\\\\c/\\u003cd\\u003e\\u0026e"')
    expect(goString('\b\f\n\r\t\u0000\u001f\u007f')).toBe('"\\b\\f\\n\\r\\t\\u0000\\u001f\u007f"')
    expect(goString('\u2028\u2029é😀')).toBe('"\\u2028\\u2029é😀"')
  })

  it('writes env with and without a transaction', () => {
    const env = {
      block: { height: 123, timeNs: 1578939743987654321n, chainId: 'foobar' },
      transaction: { index: 4 },
      contract: { address: 'contract' },
    }
    expect(bytesToUtf8(encodeEnv(env))).toBe(
      '{"block":{"height":123,"time":"1578939743987654321","chain_id":"foobar"},"transaction":{"index":4},"contract":{"address":"contract"}}',
    )
    expect(bytesToUtf8(encodeEnv({ ...env, transaction: undefined }))).toContain('"transaction":null,')
  })

  it('writes info and migrate info', () => {
    const funds = [{ denom: 'ucoin', amount: 340282366920938463463374607431768211455n }]
    expect(bytesToUtf8(encodeInfo({ sender: 'me', funds }))).toBe(
      '{"sender":"me","funds":[{"denom":"ucoin","amount":"340282366920938463463374607431768211455"}]}',
    )
    expect(bytesToUtf8(encodeInfo({ sender: 'me', funds: [] }))).toBe('{"sender":"me","funds":[]}')
    const none = encodeMigrateInfo({ sender: 'me', oldMigrateVersion: undefined })
    expect(bytesToUtf8(none)).toBe('{"sender":"me","old_migrate_version":null}')
    const some = encodeMigrateInfo({ sender: 'me', oldMigrateVersion: 42n })
    expect(bytesToUtf8(some)).toBe('{"sender":"me","old_migrate_version":42}')
  })

  it('writes replies', () => {
    const events = [{ type: 'wasm', attributes: [{ key: 'a', value: '<' }] }]
    const msgResponses = [{ typeUrl: '/x', value: Uint8Array.of(1) }]
    const ok = { ok: { events, data: Uint8Array.of(0xf0, 0x0b), msgResponses } }
    const payload = utf8ToBytes('p')
    expect(bytesToUtf8(encodeReply({ gasUsed: 0, id: 18446744073709551615n, result: ok, payload }))).toBe(
      '{"gas_used":0,"id":18446744073709551615,"result":{"ok":{"events":[{"type":"wasm","attributes":[{"key":"a","value":"\\u003c"}]}],' +
        '"data":"8As=","msg_responses":[{"type_url":"/x","value":"AQ=="}]}},"payload":"cA=="}',
    )
    const empty = { ok: { events: [], data: undefined, msgResponses: [] } }
    expect(bytesToUtf8(encodeReply({ gasUsed: 0, id: 1n, result: empty, payload: new Uint8Array(0) }))).toBe(
      '{"gas_used":0,"id":1,"result":{"ok":{"events":[],"msg_responses":[]}}}',
    )
    const failed = { error: 'codespace: sdk, code: 5' }
    expect(bytesToUtf8(encodeReply({ gasUsed: 0, id: 1n, result: failed, payload: new Uint8Array(0) }))).toBe(
      '{"gas_used":0,"id":1,"result":{"error":"codespace: sdk, code: 5"}}',
    )
  })

  it('writes query answers as Rust does', () => {
    const text = (answer: Parameters<typeof encodeQueryAnswer>[0]) => bytesToUtf8(encodeQueryAnswer(answer))
    expect(text({ ok: utf8ToBytes('{}') })).toBe('{"ok":{"ok":"e30="}}')
    expect(text({ ok: new Uint8Array(0) })).toBe('{"ok":{"ok":""}}')
    expect(text({ error: '<no>' })).toBe('{"ok":{"error":"<no>"}}')
    const errors = [
      [{ no_such_contract: { addr: 'x' } }, '{"no_such_contract":{"addr":"x"}}'],
      [{ no_such_code: { code_id: 7n } }, '{"no_such_code":{"code_id":7}}'],
      [{ unknown: {} }, '{"unknown":{}}'],
      [{ unsupported_request: { kind: 'custom' } }, '{"unsupported_request":{"kind":"custom"}}'],
      [
        { invalid_request: { error: 'e', request: utf8ToBytes('{}') } },
        '{"invalid_request":{"error":"e","request":"e30="}}',
      ],
      [
        { invalid_response: { error: 'e', response: utf8ToBytes('{}') } },
        '{"invalid_response":{"error":"e","response":"e30="}}',
      ],
    ] as const
    for (const [systemError, expected] of errors) expect(text({ systemError })).toBe(`{"error":${expected}}`)
  })
})
