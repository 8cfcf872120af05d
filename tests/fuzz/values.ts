import type { Random } from '@coin/base/testing/random'
import type { Seeds } from './seeds.js'

/** Text that programs stumble over. */
const oddTexts = [
  ...[
    '',
    ' ',
    '0',
    '-0',
    '-1',
    '+1',
    '1e30',
    '1.5',
    '00',
    '0x10',
    'NaN',
    'null',
    'true',
    'undefined',
    '[]',
    '{}',
    '""',
  ],
  ...['9223372036854775807', '9223372036854775808', '18446744073709551615', '18446744073709551616', '4294967296'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '../../etc/passwd',
    '..',
    '.',
    '/',
    '//',
    '%',
    '%2f',
    '%00',
  ],
  ...[
    '\u0000',
    '\ud800',
    '\ufeff',
    'ü',
    '💩',
    '\r\n',
    'a\tb',
    "'",
    '"',
    '\\',
    '`',
    ';',
    '&',
    '=',
    '?',
    '#',
    '$(id)',
    '<x>',
  ],
  ...[
    'coin1',
    'coin1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
    'cosmos1qqq',
    'ORDER_BY_DESC',
    'BROADCAST_MODE_SYNC',
    '7',
    'abc',
  ],
]

export function oddText(random: Random): string {
  if (random.int(20) === 0) return random.pick(['a', '9', 'ü', '%']).repeat(random.int(3000))
  return random.pick(oddTexts)
}

/** For a URL; half a pair of UTF-16 becomes a question mark. */
export function percentEncode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

export function randomBytes(random: Random, most: number): Uint8Array {
  return Uint8Array.from({ length: random.int(most + 1) }, () => random.int(256))
}

/** The same with a few bytes changed, left out, doubled or put in. */
export function mutateBytes(random: Random, bytes: Uint8Array): Uint8Array {
  const changed = [...bytes]
  for (let i = 1 + random.int(3); i > 0; i--) {
    const at = random.int(changed.length + 1)
    const way = random.int(5)
    if (way === 0) changed[at] = random.int(256)
    else if (way === 1) changed.splice(at, 1 + random.int(4))
    else if (way === 2) changed.splice(at, 0, random.int(256), random.int(256))
    else if (way === 3) changed.splice(at, 0, ...changed.slice(at, at + random.int(16)))
    else changed.length = Math.min(changed.length, at)
  }
  return Uint8Array.from(changed, (byte) => byte ?? 0)
}

/** The same for text; stays text. */
export function mutateText(random: Random, text: string): string {
  const at = random.int(text.length + 1)
  const way = random.int(4)
  if (way === 0) return text.slice(0, at) + oddText(random) + text.slice(at)
  if (way === 1) return text.slice(0, at) + text.slice(at + 1 + random.int(5))
  if (way === 2) return text.slice(0, at)
  return text.slice(0, at) + String.fromCharCode(random.int(0x180)) + text.slice(at + 1)
}

const queries = (seeds: Seeds, random: Random) => [
  `message.sender='${random.pick(seeds.addresses)}'`,
  `transfer.recipient = '${random.pick(seeds.addresses)}' AND tx.height > ${random.int(30)}`,
  `tx.hash='${random.pick(seeds.hashes)}'`,
  `tx.height=${random.int(40)}`,
  `block.height <= ${random.int(40)}`,
  "message.action CONTAINS 'Send'",
  'transfer.amount EXISTS AND transfer.amount >= 5',
  'tx.height > 0 AND a.b > TIME 2013-05-03T14:45:00Z',
  "tm.event='Tx'",
  "tm.event = 'NewBlock' AND block.height > 2",
]

/** A query of the search language, now and then broken. */
export function anyQuery(random: Random, seeds: Seeds): string {
  const query = random.pick(queries(seeds, random))
  return random.int(3) === 0 ? mutateText(random, query) : query
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** A value for a field or parameter of this name: often what belongs there, often not. */
export function valueFor(name: string, random: Random, seeds: Seeds): string {
  if (random.int(3) === 0) return oddText(random)
  const value = plausible(name.toLowerCase().split('.').at(-1)!, random, seeds)
  return random.int(5) === 0 ? mutateText(random, value) : value
}

function plausible(name: string, random: Random, seeds: Seeds): string {
  if (/valid?ator|operator|_addr/.test(name)) return random.pick([...seeds.validators, ...seeds.addresses])
  if (/contract/.test(name)) return seeds.contract
  if (/query_?data/.test(name)) return base64(Buffer.from(random.pick(smartQueries(random, seeds))))
  if (/address|owner|creator|sender|grant|delegat|account|voter|deposit|proposer/.test(name))
    return random.pick(seeds.addresses)
  if (/hash/.test(name)) return random.pick([...seeds.hashes, ...seeds.blockHashes])
  if (/height|revision/.test(name)) return String(random.int(60))
  if (/denom/.test(name)) return random.pick(['ucoin', 'ibc/ABC', 'stake'])
  if (/tx_?bytes|^tx$/.test(name)) return base64(random.pick(seeds.txs))
  if (/mode/.test(name))
    return random.pick(['BROADCAST_MODE_SYNC', 'BROADCAST_MODE_ASYNC', 'BROADCAST_MODE_BLOCK', '2', '9'])
  if (/quer|event/.test(name)) return anyQuery(random, seeds)
  if (/order/.test(name)) return random.pick(['ORDER_BY_DESC', 'ORDER_BY_ASC', 'asc', 'desc', '1'])
  if (/status/.test(name)) return random.pick(['BOND_STATUS_BONDED', 'PROPOSAL_STATUS_PASSED', '3'])
  if (/key|data|path|bytes/.test(name)) return base64(randomBytes(random, 40))
  if (/reverse|total|prove|only/.test(name)) return random.pick(['true', 'false'])
  return String(random.int(10))
}

function smartQueries(random: Random, seeds: Seeds): readonly string[] {
  return [
    `{"balance":{"address":"${random.pick(seeds.addresses)}"}}`,
    '{"token_info":{}}',
    '{"all_accounts":{"limit":3}}',
    '{"nothing":{}}',
    '{}',
    '[1]',
    '{"balance":{"address":""}}',
  ]
}
