import { describe, expect, it } from 'vitest'
import { event } from '../testing/event-chain.js'
import { compileEventQuery, compileQuery } from './query-match.js'
import { parseQuery } from './query-syntax.js'

type Tags = Readonly<Record<string, readonly string[]>>

const matches = (query: string, tags: Tags) => compileQuery(parseQuery(query))(new Map(Object.entries(tags)))

const withdrawal: Tags = {
  'tm.event': ['Tx'],
  'rewards.withdraw.address': ['AddrA', 'AddrB'],
  'rewards.withdraw.source': ['SrcX', 'SrcY'],
  'transfer.sender': ['AddrC'],
}
const names: Tags = { 'abci.owner.name': ['Igor', 'Ivan'] }
const slash: Tags = { 'slash.reason': ['missing_signature'], 'slash.power': ['6000'] }

// Facts of CometBFT's own tests (libs/pubsub/query/query_test.go): what a subscription's query matches.
const cases: readonly (readonly [query: string, tags: Tags, expected: boolean])[] = [
  ["tm.events.type='NewBlock'", { 'tm.events.type': ['NewBlock'] }, true],
  ['tx.gas > 7', { 'tx.gas': ['8'] }, true],
  ['transfer.amount > 7', { 'transfer.amount': ['8stake'] }, true],
  ['transfer.amount > 7', { 'transfer.amount': ['8.045'] }, true],
  ['transfer.amount > 7.043', { 'transfer.amount': ['8.045stake'] }, true],
  ['transfer.amount > 8.045', { 'transfer.amount': ['8.045stake'] }, false],
  ['tx.gas > 7 AND tx.gas < 9', { 'tx.gas': ['8'] }, true],
  ['body.weight >= 3.5', { 'body.weight': ['3.5'] }, true],
  ['account.balance < 1000.0', { 'account.balance': ['900'] }, true],
  ['apples.kg <= 4', { 'apples.kg': ['4.0'] }, true],
  ['oranges.kg < 4 AND watermellons.kg > 10', { 'oranges.kg': ['3'], 'watermellons.kg': ['12'] }, true],
  ['peaches.kg < 4', { 'peaches.kg': ['5'] }, false],
  ['tx.date > DATE 2017-01-01', { 'tx.date': ['2026-11-21'] }, true],
  ['tx.date = DATE 2017-01-01', { 'tx.date': ['2017-01-01'] }, true],
  ['tx.date = DATE 2018-01-01', { 'tx.date': ['2017-01-01'] }, false],
  ['tx.time >= TIME 2013-05-03T14:45:00Z', { 'tx.time': ['2026-11-21T05:00:00Z'] }, true],
  ['tx.time = TIME 2013-05-03T14:45:00Z', { 'tx.time': ['2018-05-03T14:45:00Z'] }, false],
  ["abci.owner.name CONTAINS 'Igor'", names, true],
  ["abci.owner.name CONTAINS 'Igor'", { 'abci.owner.name': ['Pavel', 'Ivan'] }, false],
  ["abci.owner.name = 'Ivan' AND abci.owner.name = 'Igor'", names, true],
  ["abci.owner.name = 'Ivan' AND abci.owner.name = 'John'", names, false],
  ["tm.events.type='NewHeader' AND app.name = 'fuzzed'", { 'app.name': ['fuzzed'] }, false],
  ['slash EXISTS', slash, true],
  ['slash EXISTS', { 'transfer.recipient': ['x'] }, false],
  ['slash.reason EXISTS AND slash.power > 1000', slash, true],
  ['slash.reason EXISTS AND slash.power > 1000', { ...slash, 'slash.power': ['500'] }, false],
  ['slash.reason EXISTS', { 'transfer.recipient': ['x'] }, false],
  ["tm.event = 'Tx' AND rewards.withdraw.address = 'AddrA' AND rewards.withdraw.source = 'SrcY'", withdrawal, true],
  ["tm.event = 'Tx' AND transfer.sender = 'AddrA'", withdrawal, false],
  ["tm.event = 'Tx' AND rewards.withdraw.source = 'W'", withdrawal, false],
  ['big.value >= 99999999999999999999', { 'big.value': ['99999999999999999999'] }, true],
  ['big.value > 99999999999999999998', { 'big.value': ['99999999999999999999'] }, true],
  ['big.value > 99999999999999999998.10', { 'big.value': ['99999999999999999999.10'] }, true],
  ['big.value <= 18446744073709551615.6', { 'big.value': ['18446744073709551615.6'] }, true],
  ['big.value >= 12.5', { 'big.value': ['18446744073709551615.6'] }, true],
  // Not in CometBFT's tests, but its code says so.
  ['a.n < 5', { 'a.n': ['-7'] }, false],
  ['a.n = 7', { 'a.n': ['007'] }, true],
  ['cosmos.bank EXISTS', { 'cosmos.bank.v1.EventSend.amount': ['1'] }, false],
  ["slash = ''", slash, true],
  ['slash.pow EXISTS', slash, false],
]

describe('a subscription', () => {
  it.each(cases)('%s matches %j: %s', (query, tags, expected) => {
    expect(matches(query, tags)).toBe(expected)
  })
})

describe('a search', () => {
  const search = (query: string, ...events: Parameters<typeof event>[]) =>
    compileEventQuery(parseQuery(query))(events.map((it) => event(...it)))

  it('wants conditions on one event type met by one event', () => {
    const both: Parameters<typeof event>[] = [
      ['transfer', { sender: 'a', amount: '1' }],
      ['transfer', { sender: 'b', amount: '2' }],
    ]
    expect(search("transfer.sender='a' AND transfer.amount>1", ...both)).toBe(false)
    expect(search("transfer.sender='b' AND transfer.amount>1", ...both)).toBe(true)
  })

  it('lets conditions on different types be met by different events', () => {
    expect(search("a.x='1' AND b.y='2'", ['a', { x: '1' }], ['b', { y: '2' }])).toBe(true)
  })

  it('finds keys that have a point', () => {
    expect(search("wasm.owner.name='x'", ['wasm', { 'owner.name': 'x' }])).toBe(true)
  })

  it('does not see attributes that are not indexed', () => {
    const hidden = [{ type: 'a', attributes: [{ key: 'x', value: '1', index: false }] }]
    expect(compileEventQuery(parseQuery("a.x='1'"))(hidden)).toBe(false)
  })
})
