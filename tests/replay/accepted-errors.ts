import type { Accepted } from './differences.js'
import type { JsonValue } from './vectors.js'

/** Calls for what is not there: `99` is a code that was never stored; alice has an account but no contract. */
const absent =
  'smart/.*wasm19qqn|contract/wasm19qqn|code(-info)?/99|wasm\\.v1\\.Query/\\w+ (\\{"address":"wasm19qqn|\\{"code_id":"99")'
const statusFields = /^\$\.(status|code|body\.code)$/
const isUnknown = (code: JsonValue | undefined) => code === 2 || code === 13

/** The decisions: what is wrong with a request is told by its status, where the reference says 500 and code 2 or 13. */
export const statuses: readonly Accepted[] = [
  {
    where: new RegExp(absent),
    at: statusFields,
    ours: (actual, expected) => (expected === 500 && actual === 404) || (isUnknown(expected) && actual === 5),
    why: 'what is not there is 404, code 5',
  },
  {
    where: new RegExp(`^(?!.*(${absent}))`, 's'),
    at: statusFields,
    ours: (actual, expected) => (expected === 500 && actual === 400) || (isUnknown(expected) && actual === 3),
    why: 'a wrong request is 400, code 3',
  },
  {
    where: /^RPC abci_query .*"(0a2b7761736d313971716e\w*|0863)"/,
    at: /response\.code$/,
    ours: (actual, expected) => expected === 6 && actual === 22,
    why: 'what is not there: the code of `sdk` that stands for gRPC code 5',
  },
  {
    where: /^RPC abci_query .*BuildAddress/,
    at: /response\.(code|codespace|height)$/,
    ours: (actual, expected) => [111222, 'undefined', '0'].includes(expected as string) && actual !== expected,
    why: 'a code hash of another length is the mistake of the caller; the reference crashes and recovers',
  },
  {
    where: /^RPC broadcast_evidence /,
    at: /error\.(code|message|data)$/,
    ours: (actual) => actual === -32602 || actual === 'Invalid params' || /vote_a is missing/.test(String(actual)),
    why: 'evidence without votes is a wrong parameter and no failure of the node',
  },
]

const textFields = /(\.message|\.log|raw_log|error\.data)$/
const isText = (value: JsonValue | undefined): value is string => typeof value === 'string'
const textRule = (why: string, ours: (actual: string, expected: string) => boolean): Accepted => ({
  where: /./,
  at: textFields,
  ours: (actual, expected) => isText(actual) && isText(expected) && ours(actual, expected),
  why,
})

/** The parts of an error text without its wrapping: `codespace wasm code 28: no such code: code id 99`. */
const partsOf = (text: string): string =>
  text
    .replace(/^codespace \w+ code \d+: /, '')
    .replace(/^rpc error: code = \w+ desc = /, '')
    .replace(/: (unknown request|invalid request|key not found|invalid address)$/, '')
    .split(': ')
    .sort()
    .join(': ')

/** A simulation's error: `[cosmos/cosmos-sdk@v0.53.4/x/bank/keeper/send.go:298] with gas used: '53769'`. */
const withoutGas = (text: string): string =>
  text.replace(/ \[\S+\.go:\d+\]/, '').replace(/ with gas used: '\d+'$/, ' with gas used')

/** What the reference says of a kind of mistake, and what stands here. Both texts must be there. */
const texts: readonly (readonly [why: string, theirs: RegExp, ours: RegExp])[] = [
  ['says what is wrong with which address', /decoding bech32 failed/, /: invalid address(: invalid request)?$/],
  ['no address', /empty address (string|bytes)/, /address is empty: invalid address|address of 0 bytes, expected/],
  [
    'names the parameter, its value and what is expected',
    /strconv\.Parse|invalid character|illegal base64|invalid hex string|unexpected end of JSON|cannot unmarshal/,
    /("|is |near |height ).*(expected|is not base64|is ahead of)|expected .*: invalid JSON$/,
  ],
  ['names what is not hexadecimal', /encoding\/hex/, /is not hexadecimal|expected hexadecimal digits/],
  [
    'lists the values that there are',
    /is not a valid tx\.OrderBy|for enum|unsupported return type/,
    /expected (one of )?([A-Z]+_MODE|ORDER_BY)_/,
  ],
  [
    'says what a query lacks',
    /^(failed to search for txs: )?offset \d+: /,
    /^offset \d+: got .*, expected .*: invalid query$/,
  ],
  ['says what a query lacks', /^query cannot be empty$/, /^no filter, expected|^offset \d+: got the end, expected/],
  [
    'names the height and those that there are',
    /height must be greater|requested (block )?height|cannot query with height/,
    /height .*(expected 1 to \d+|ahead of the chain \(latest \d+\))$/,
  ],
  ['another latest height', /must be less than or equal to the current/, /must be less than or equal to the current/],
  ['says how many there are', /cannot paginate \d+ txs/, /^offset \d+ is past the block's \d+ transactions$/],
  [
    'says where bytes stop being a message',
    /unmarshalling request|wire ?[tT]ype|invalid length; |unexpected EOF|integer overflow|illegal tag|errUnknownField/,
    /(transaction|request of \S+|unmarshalling request): .*(byte|field|at|bytes) \d+/,
  ],
  ['a string is UTF-8', /invalid denom: : invalid request$/, /a string is not UTF-8: invalid request$/],
  ['names the type', /unable to resolve type URL|unknown message type/, /unknown type(: tx parse error)?$/],
  ['says what amino is expected', /of interfaces require|UnmarshalBinaryBare/, /: invalid value$/],
  ['names the salt', /^invalid checksum(: panic)?$/, /invalid code hash: 1 bytes, expected 32/],
  [
    'names the path',
    /^unknown query path: |^unexpected query path: /,
    /^(unknown|unexpected) query path: .*: unknown request$/,
  ],
  ['says which heights there are', /^$/, /is ahead of the chain|^address of 256 bytes|is not UTF-8$/],
  ['not a transaction to simulate', /failed to simulate tx|tx parse error/, /tx parse error/],
]

export const words: readonly Accepted[] = [
  textRule('the same words, wrapped otherwise', (actual, expected) => partsOf(actual) === partsOf(expected)),
  textRule(
    'the same words, and then what is expected',
    (a, e) => e !== '' && a.startsWith(e.replace(/: invalid (request|height)$/, '')),
  ),
  textRule(
    'no file and line of Go code; gas is other, see the transactions',
    (actual, expected) => /gas used: '\d+'$/.test(actual) && withoutGas(actual) === withoutGas(expected),
  ),
  textRule(
    'header values that end in a space get lost on the way to the recorder',
    (a, e) => e === '' && /: $|""/.test(a),
  ),
  ...texts.map(([why, theirs, ours]) => textRule(why, (a, e) => theirs.test(e) && ours.test(a))),
  {
    where: /"tx_bytes".*BROADCAST_MODE_SYNC/,
    at: /tx_response\.raw_log$/,
    ours: (actual, expected) => actual === 'tx already in mempool' && expected === '',
    why: 'says why it has code 19',
  },
]
