import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortedJson } from './amino-json.js'
import { compactJson, JsonArray, type JsonNode, JsonNumber, JsonObject, parseJson, quoteJson } from './json-text.js'

/** What `JSON.parse` would have made of it. */
function plain(node: JsonNode): unknown {
  if (node instanceof JsonNumber) return Number(node.text)
  if (node instanceof JsonArray) return node.items.map(plain)
  if (node instanceof JsonObject)
    return Object.fromEntries([...node.members].map(([name, child]) => [name, plain(child)]))
  return node
}

describe('JSON text', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 2), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent)
        expect(plain(parseJson(spaced))).toEqual(JSON.parse(spaced))
      }),
      { numRuns: 200 },
    )
  })

  it('is refused where JSON.parse refuses it', () => {
    const fragments = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        'a',
        '1',
        '-',
        '.',
        'e',
        'true',
        'null',
        ' ',
        '\n',
        '\\u12',
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(fragments, (pieces) => {
        const text = pieces.join('')
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(() => parseJson(text)).toThrow('invalid JSON')
          return
        }
        expect(plain(parseJson(text))).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('keeps digits and the place of parts', () => {
    const text = '{"a": [12345678901234567890, 1.50]}'
    const array = (parseJson(text) as JsonObject).members.get('a') as JsonArray
    expect((array.items[0] as JsonNumber).text).toBe('12345678901234567890')
    expect(text.slice(array.start, array.end)).toBe('[12345678901234567890, 1.50]')
  })

  it('survives deep nesting and long strings', () => {
    expect(() => parseJson('['.repeat(100_000))).toThrow('nested deeper than 1000')
    expect(parseJson(`"${'\\n'.repeat(300_000)}"`)).toHaveLength(300_000)
  })

  it('names the place of an error', () => {
    expect(() => parseJson('{"a":1,}')).toThrow('expected a member name at character 7 near "}"')
    expect(() => parseJson('')).toThrow('expected a value at character 0 (the end)')
  })

  it('is quoted as Go does', () => {
    expect(quoteJson('plain ü €')).toBe('"plain ü €"')
    expect(quoteJson('<a&b>"\\\u2028\n\b\u0001')).toBe('"\\u003ca\\u0026b\\u003e\\"\\\\\\u2028\\n\\b\\u0001"')
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => JSON.parse(quoteJson(text)) === text))
  })

  it('is compacted without a change of meaning', () => {
    expect(compactJson('{ "a b" : [ 1 , "\\" x" ] }\n')).toBe('{"a b":[1,"\\" x"]}')
  })

  it('is sorted by the bytes of names, with numbers as Go prints a float64', () => {
    expect(sortedJson('{"b":1,"a":{"d":2,"c":[3,{"f":1,"e":null}]}}')).toBe(
      '{"a":{"c":[3,{"e":null,"f":1}],"d":2},"b":1}',
    )
    expect(sortedJson('[12345678901234567890,1e21,0.0000001,-0,1.0]')).toBe('[12345678901234567000,1e+21,1e-7,-0,1]')
    expect(sortedJson('{"\uffff":1,"\u{10000}":2}')).toBe('{"\uffff":1,"\u{10000}":2}')
    expect(sortedJson('{"10":1,"9":2}')).toBe('{"10":1,"9":2}')
    expect(() => sortedJson('1e999')).toThrow('too large')
  })
})
