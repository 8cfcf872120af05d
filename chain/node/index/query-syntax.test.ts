import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileQuery } from './query-match.js'
import { formatQuery, parseQuery, type Query } from './query-syntax.js'

// Facts of CometBFT's own tests (libs/pubsub/query/syntax): which texts are queries.
const valid = [
  "tm.events.type='NewBlock'",
  "tm.events.type = 'NewBlock'",
  "tm.events.name = ''",
  "tm.events.type='TIME'",
  "tm.events.type='DATE'",
  "tm.events.type='='",
  "tm.events.type='NewBlock' AND abci.account.name='Igor'",
  "abci.account.name CONTAINS 'Igor'",
  'tx.date > DATE 2013-05-03',
  'tx.date < DATE 2013-05-03',
  'tx.date <= DATE 2013-05-03',
  'tx.date >= DATE 2013-05-03',
  'tx.date > TIME 2013-05-03T14:45:00+07:00',
  'tx.date < TIME 2013-05-03T14:45:00-02:00',
  'tx.date <= TIME 2013-05-03T14:45:00Z',
  'tx.date >= TIME 2013-05-03T14:45:00Z',
  'account.balance=100',
  'account.balance >= 200',
  'slashing.amount EXISTS',
  'slashing.amount EXISTS AND account.balance=100',
  'account.balance=100 AND slashing.amount EXISTS',
  'slashing EXISTS',
  "hash='136E18F7E4C348B780CF873A0BF43922E5BAFA63'",
  'cosm-wasm.transfer_amount=100',
  'a\t=\n5',
  "ключ.ä='ü'",
  'and.AND = 5',
]

const invalid = [
  "tm.events.type='TIME",
  "tm.events.type=TIME'",
  'tm.events.type==',
  'tm.events.type=NewBlock',
  '>==',
  "tm.events.type 'NewBlock' =",
  "tm.events.type>'NewBlock'",
  '',
  ' ',
  '=',
  "='NewBlock'",
  'tm.events.type=',
  'tm.events.typeNewBlock',
  "tm.events.type'NewBlock'",
  "'NewBlock'",
  'NewBlock',
  "tm.events.type='NewBlock' AND",
  "tm.events.type='NewBlock' AN",
  "tm.events.type='NewBlock' AN tm.events.type='NewBlockHeader'",
  "AND tm.events.type='NewBlock' ",
  'tx.date >= DAT 2013-05-03',
  'tx.date <= DATE2013-05-03',
  'tx.date <= DATE -05-03',
  'tx.date >= DATE 20130503',
  'tx.date >= DATE 2013+01-03',
  'tx.date >= DATE 0013-01-03',
  'tx.date >= DATE 2013-31-03',
  'tx.date >= DATE 2013-01-83',
  'tx.date >= TIME2013-05-03T14:45:00Z',
  'tx.date = IME 2013-05-03T14:45:00Z',
  'tx.date = TIME 2013-05-:45:00Z',
  'tx.date >= TIME 2013-05-03T14:45:00',
  'tx.date >= TIME 0013-00-00T14:45:00Z',
  'tx.date >= TIME 2013+05=03T14:45:00Z',
  'tx.date > TIME 2021-01-01T34:56:78Z',
  'account.balance >= -300',
  'account.balance >>= 400',
  'account.balance=33.22.1',
  'hash=136E18F7E4C348B780CF873A0BF43922E5BAFA63',
  'a & b',
  'a CONTAINS 5',
  "a EXISTS 'b'",
  "a = 'b' OR c = 'd'",
]

describe('the query language', () => {
  it.each(valid)('takes %j', (text) => {
    const query = parseQuery(text)
    const form = formatQuery(query)
    expect(parseQuery(form)).toEqual(query)
    expect(formatQuery(parseQuery(form))).toBe(form)
  })

  it.each(invalid)('refuses %j', (text) => {
    expect(() => parseQuery(text)).toThrow('invalid query')
  })

  it('has one form for texts that mean the same', () => {
    expect(formatQuery(parseQuery("  a.b>=5   AND c='d e'\n AND f EXISTS"))).toBe("a.b >= 5 AND c = 'd e' AND f EXISTS")
  })

  it('says where it went wrong, and what it wanted', () => {
    expect(() => parseQuery('nonsense query')).toThrow('offset 9: got "query", expected =, <,')
    expect(() => parseQuery("a = 'b' AND")).toThrow('offset 11: got the end, expected a tag')
    expect(() => parseQuery("a = 'b' c")).toThrow('offset 8: got "c", expected AND or the end')
    expect(() => parseQuery(`a='${'x'.repeat(5000)}'`)).toThrow('it has 5004 characters, at most 4096')
  })

  it('knows the slip that is made most', () => {
    expect(() => parseQuery('message.sender=coin1abc')).toThrow("a text stands in single quotes: 'coin1abc'")
    expect(() => parseQuery('message.sender="coin1abc"')).toThrow('a text stands in single quotes')
    expect(() => parseQuery("message.sender='coin1abc")).toThrow('its closing quote is missing')
    expect(() => parseQuery('message.sender CONTAINS coin1')).toThrow("in single quotes: 'coin1'")
  })

  it('takes any text with a query or a refusal that says where', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'AND',
        'EXISTS',
        'CONTAINS',
        'TIME ',
        'DATE ',
        '=',
        '<',
        '<=',
        '>',
        '>=',
        "'",
        "''",
        '"',
        ' ',
        '.',
        '-',
      ),
      fc.constantFrom(
        'tx.height',
        'a.b',
        "'x'",
        '5',
        '5.',
        '1e9',
        '2023-11-14',
        '2023-11-14T22:13:20Z',
        'ü',
        '\u0000',
        '\ud800',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    const property = fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', ' '), (pieces, between) => {
      const text = pieces.join(between)
      let query: Query
      try {
        query = parseQuery(text)
      } catch (error) {
        expect(error).toMatchObject({ codespace: 'query', code: 1 })
        expect((error as Error).message).toMatch(/^offset \d+: .*: invalid query$/s)
        return
      }
      const form = formatQuery(query)
      expect(parseQuery(form)).toEqual(query)
      expect(() => compileQuery(query)(new Map([['a.b', ['5', 'x']]]))).not.toThrow()
    })
    fc.assert(property, { numRuns: 5000 })
  })
})
