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
        "- b: 'x: y'",
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
    const otherTypes = ['true', 'null', 'No', '12', '-1.5', '0x1F', '17E905', '2026-11-21', '2026-11-21T08:30:43Z', '']
    for (const text of [...otherTypes, 'line\nline'])
      expect(formatOutput([text], 'text')).toBe(`- ${JSON.stringify(text)}`)
    for (const text of [' x', 'x ', '- a', 'a: b', 'a #b', '{', '"', '{"@type":"/a.B"}'])
      expect(formatOutput([text], 'text')).toBe(`- '${text}'`)
    expect(formatOutput(["{'"], 'text')).toBe("- '{'''")
  })

  it('leaves every word plain that is nothing else: scripts cut hashes and amounts out', () => {
    const hashes = ['B15FA4', '8B0E98F3BB', '96A971', '5E0A']
    for (const text of [
      ...hashes,
      '3165ucoin',
      '1ucoin,2uatom',
      '/cosmos.bank.v1beta1.MsgSend',
      'coin1abc',
      '0.38.17-dev',
    ])
      expect(formatOutput([text], 'text')).toBe(`- ${text}`)
  })
})
