import type { Json } from '@coin/wire/json'
import { describe, expect, it } from 'vitest'
import { formatOutput } from './output.js'

describe('output', () => {
  it('is one line of JSON or YAML', () => {
    const value: Json = {
      a: [
        { b: '1', c: [] },
        { b: 'x: y', d: { e: null, f: true } },
      ],
      g: {},
      h: 'plain words',
      i: 5,
      j: [['k']],
    }
    expect(JSON.parse(formatOutput(value, 'json'))).toEqual(value)
    expect(formatOutput(value, 'text')).toBe(
      [
        'a:',
        '- b: "1"',
        '  c: []',
        '- b: "x: y"',
        '  d:',
        '    e: null',
        '    f: true',
        'g: {}',
        'h: plain words',
        'i: 5',
        'j:',
        '- - k',
      ].join('\n'),
    )
  })

  it('quotes what YAML would take for something else', () => {
    for (const text of ['true', 'null', 'No', '12', '', ' x', 'x ', '- a', 'a: b', 'a #b', '{', '"', 'line\nline']) {
      expect(formatOutput([text], 'text')).toBe(`- ${JSON.stringify(text)}`)
    }
    expect(formatOutput(['/cosmos.bank.v1beta1.MsgSend', 'coin1abc'], 'text')).toBe(
      '- /cosmos.bank.v1beta1.MsgSend\n- coin1abc',
    )
  })
})
