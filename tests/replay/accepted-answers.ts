import type { Accepted } from './differences.js'

/** An answer of which everything differs: its status (HTTP's, or gRPC's code), and what the status is about. */
const other = (where: RegExp, status: number, why: string): readonly Accepted[] => [
  { where, at: /^\$\.(status|code)$/, ours: (actual) => actual === status, why },
  { where, at: /^\$\.(body\.\w+|message|response|headers\.\S+)$/, why },
]

/** Here a request is answered otherwise, on purpose. */
export const otherAnswers: readonly Accepted[] = [
  ...other(/txs\/0[xX]/, 200, '0x before a hash is understood'),
  ...other(/GetTx \{"hash":"0x/, 0, '0x before a hash is understood'),
  ...other(/txs\?events=[^&]*%3D/, 200, 'the decisions: `events=` is understood as well as `query=`'),
  ...other(/&page=9|validatorsets.*offset=1/, 200, 'a page past the end is empty and no error'),
  ...other(/\/(blocks|validatorsets|block)\/01$/, 400, 'there 010 is eight; here a leading zero is refused'),
  ...other(/validatorsets.*pagination\.key/, 400, 'a key is refused, where it would be ignored'),
  ...other(/bech32\/wasm1/, 200, 'two methods have this path; here both are reached'),
  ...other(
    /reflection\/v1beta1/,
    200,
    'the reflection services have the REST routes that their .proto files give them',
  ),
  ...other(/POST .*\/txs \{"tx_bytes":"","mode/, 400, 'an empty transaction is a wrong request'),
  ...other(/Query\/AddressBytesToString .*AAAA/, 3, 'an address has at most 255 bytes'),
  ...other(
    / at height ( 2)?$/,
    0,
    'HTTP/2 drops a height of this form on its way to this node, or it is empty: none is given',
  ),
  ...other(/Query\/Balance CgL\/\/g==$/, 13, 'a string that is not UTF-8 is not a message'),
  {
    where: /txs\?query=|Service\/GetTxsEvent /,
    at: /(body|response)\.pagination$/,
    ours: (actual) => typeof actual === 'object' && actual !== null,
    why: 'a page has a cursor and a total in pagination too',
  },
  {
    where: /^RPC abci_query .*(store\/nothing|"data":"62616c616e6365","height":"10000\d\d")/,
    at: /response\.(code|log|height|key|codespace)$/,
    why: 'a height that is not there is an error, and no absent key',
  },
  {
    where: /^RPC abci_query .*\/store\/bank\/subspace/,
    at: /response\.(code|log|key|value|height|codespace)$/,
    why: 'a whole range of a store at once has no bound; it is not read',
  },
  {
    where: /^RPC abci_query .*AddressBytesToString.*0a8002/,
    at: /response\.(code|log|value|codespace)$/,
    why: 'an address has at most 255 bytes',
  },
  {
    where: /^RPC abci_query .*"9223372036854775807"/,
    at: /body\.(result|error)$/,
    why: 'heights end at 2^53: a larger one is a wrong parameter',
  },
  {
    where: /^RPC abci_query /,
    at: /response\.value$/,
    ours: (actual) => actual === null,
    why: 'an empty value is null, also where Go has made an empty list of bytes of it',
  },
]
