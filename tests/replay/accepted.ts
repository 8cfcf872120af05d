import type { Accepted } from './differences.js'
import type { JsonValue } from './vectors.js'

const text = (pattern: RegExp) => (actual: JsonValue | undefined) => typeof actual === 'string' && pattern.test(actual)
const height = text(/^\d+$/)
const every = /./

/** What differs because the blocks are others: made at another time, by a validator of another power, of another state. */
const blocks: readonly Accepted[] = [
  {
    where: every,
    at: /(\.time|timestamp|_time)$/,
    ours: text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/),
    why: 'other blocks, another time',
  },
  {
    where: every,
    at: /(block_id|parts|part_set_header)\.hash$|latest_block_hash$|earliest_block_hash$/,
    ours: text(/^([0-9A-F]{64}|[A-Za-z0-9+/]{43}=)$/),
    why: 'the hash of a block is over its time',
  },
  {
    where: every,
    at: /\.header\.(last_commit_hash|app_hash|last_results_hash)$|latest_app_hash$|last_block_app_hash$|\$\.body\.(result\.)?app_hash$/,
    ours: text(/^([0-9A-F]{64}|[A-Za-z0-9+/]{43}=)$/),
    why: 'commits sign other blocks; the state has no store of the modules that are not built; gas is less without x/circuit',
  },
  {
    where: every,
    at: /validators?_hash$|voting_power$/,
    why: 'x/staking is not built: the only validator has power 1 and not the tokens that it staked',
  },
  {
    where: every,
    at: /\.signatures\[0\]\.signature$/,
    ours: text(/^[A-Za-z0-9+/]{86}==$/),
    why: 'a commit signs another block',
  },
  { where: /^RPC blockchain /, at: /block_metas\[[01]\]/, why: 'the recorded chain made two empty blocks first' },
  { where: /^RPC blockchain /, at: /block_size$/, ours: height, why: 'a time or height of other length' },
  {
    where: /latest$|node\/v1beta1\/status$|^RPC (status|abci_info|blockchain|block) \{/,
    at: /height$/,
    ours: height,
    why: 'the latest block is another',
  },
  {
    where: /^RPC abci_query .*"data":("ff"|"")/,
    at: /response\.height$/,
    ours: height,
    why: 'the latest height is another; ours is there for failing queries too',
  },
  {
    where: /^RPC (num_)?unconfirmed_txs/,
    at: /n_txs|total|txs/,
    why: 'a transaction was waiting when the reference was asked',
  },
  {
    where: /^RPC block_results/,
    at: /finalize_block_events$/,
    why: 'x/mint mints and x/distribution shares out only with x/staking, which is not built',
  },
  {
    where: /^RPC block_results/,
    at: /consensus_param_updates$/,
    ours: (actual) => actual === null,
    why: 'the SDK repeats the parameters in every block; here they stand in the block that changes them',
  },
]

/** What differs because of what this program is and how it is started. */
const node: readonly Accepted[] = [
  { where: /node_info|^RPC status/, at: /listen_addr|rpc_address/, why: 'other ports' },
  {
    where: /node_info|^RPC abci_info|app\/version/,
    at: /application_version|response\.(data|version|value)$/,
    why: 'this is coind and has its own version',
  },
  { where: /^RPC genesis/, at: /genesis_time$/, why: 'changed by the test' },
  {
    where: /^RPC abci_query .*"prove":true/,
    at: /proofOps\.ops\[\d\]\.data$/,
    ours: text(/^[A-Za-z0-9+/]+=*$/),
    why: 'proofs of another state: mint and staking move coins and make accounts there',
  },
  {
    where: /node\/v1beta1\/status$/,
    at: /earliest_store_height$/,
    ours: (actual) => actual === '1',
    why: 'the reference does not know it',
  },
  {
    where: /node\/v1beta1\/config$/,
    at: /pruning_\w+$/,
    ours: height,
    why: 'what holds, not what app.toml leaves out',
  },
  {
    where: /module_accounts\/mint$/,
    at: /account_number$/,
    ours: height,
    why: 'accounts of modules that are not built are not there',
  },
  {
    where: /mint\/v1beta1\/(inflation|annual_provisions)$/,
    at: /body\.\w+$/,
    ours: text(/^0\.1?3?0{15,}$/),
    why: 'x/mint mints only with x/staking, so these stay as the genesis has them',
  },
  {
    where: /GET \/cosmos\/bank\/v1beta1\/supply$/,
    at: /supply\[0\]\.amount$/,
    ours: (actual) => actual === '3000000000000',
    why: 'x/mint mints only with x/staking, which is not built',
  },
]

/** The decisions: HTTP status and gRPC code by what is wrong, where the reference says 500. */
const statuses: readonly Accepted[] = [
  ...(
    [
      [/smart\/.*wasm19qqn|contract\/wasm19qqn/, 404, 5, 'no contract at this address'],
      [/code-info\/99$/, 404, 5, 'no such code'],
      [/contract\/nonsense\/|accounts\/nonsense$/, 400, 3, 'no address'],
      [/txs\/nothex/, 400, 3, 'no hash'],
      [/blocks\/(0|-1)$/, 400, 3, 'height 0 or below'],
      [/txs(\?order_by=ORDER_BY_DESC)?$/, 400, 3, 'a search without a filter'],
      [/txs\?query=this%20is%20no|events=message\.sender$/, 400, 3, 'a filter that is none'],
      [/at height (1000035|abc)$/, 400, 3, 'a state height that is not there'],
      [/BROADCAST_MODE_UNSPECIFIED|POST .*\/txs \{"tx_bytes":"[^"]+"\}$/, 400, 3, 'a mode that is none'],
      [/POST .*\/txs \{"tx_bytes":"","mode/, 400, 3, 'an empty transaction'],
    ] as const
  ).flatMap(([where, status, code, why]): Accepted[] => [
    { where, at: /^\$\.status$/, ours: (actual) => actual === status, why },
    { where, at: /^\$\.body\.code$/, ours: (actual) => actual === code, why },
  ]),
  { where: /POST .*\/txs \{"tx_bytes":"","mode/, at: /body\.(message|details|tx_response)$/, why: 'an error body' },
]

/** A hash is found with `0x` before it too: the answer is that of the same hash without. */
const hashes: readonly Accepted[] = [
  { where: /txs\/0x/, at: /^\$\.status$/, ours: (actual) => actual === 200, why: '0x before a hash is understood' },
  { where: /txs\/0x/, at: /^\$\.body\.\w+$/, why: '0x before a hash is understood' },
]

/** The decision that `events=` works too, and that pages have cursors. */
const search: readonly Accepted[] = [
  {
    where: /txs\?events=[^&]*%3D/,
    at: /^\$\.status$/,
    ours: (actual) => actual === 200,
    why: 'both dialects are understood',
  },
  { where: /txs\?events=[^&]*%3D/, at: /^\$\.body\.\w+$/, why: 'both dialects are understood' },
  {
    where: /txs\?query=/,
    at: /body\.pagination$/,
    ours: (actual) => typeof actual === 'object' && actual !== null,
    why: 'a page has a cursor and a total in pagination too',
  },
  { where: /&page=9/, at: /^\$\.(status|body\.\w+)$/, why: 'a page past the end is empty and no error' },
]

/** Own words for the same error: code and codespace are compared. */
const words: readonly Accepted[] = [
  {
    where:
      /GET .*(nonsense|not\*base64|wasm19qqn|\/99|nothex|SIDEWAYS|no%20query|message\.sender|params\/nothing|txs|DESC|blocks\/|height )/,
    at: /^\$\.body\.message$/,
    ours: text(/./),
    why: 'names the value and what is expected',
  },
  {
    where: /POST .*(not json|not\*base64|NONSENSE|UNSPECIFIED|"\}$)/,
    at: /^\$\.body\.message$/,
    ours: text(/./),
    why: 'names the value and what is expected',
  },
  {
    where: /POST .*simulate/,
    at: /^\$\.body\.message$/,
    ours: text(/ with gas used: '\d+'$|tx parse error/),
    why: 'no file and line of Go code behind the error, and other gas',
  },
  {
    where: /^RPC (block \{"height":"1000035"\}|tx_search \{"query":"nonsense)/,
    at: /error\.data$/,
    why: 'another latest height, own words',
  },
  { where: /^RPC abci_query .*(Nothing|simulate|"nonsense")/, at: /response\.log$/, why: 'own words' },
  {
    where: /^RPC abci_query .*(store\/nothing|1000035)/,
    at: /response\.(code|log|height|key|codespace)$/,
    why: 'an error that says which stores and heights there are, where the reference has another code or none',
  },
  {
    where: /"tx_bytes".*BROADCAST_MODE_SYNC/,
    at: /tx_response\.raw_log$/,
    ours: (actual, expected) => actual === 'tx already in mempool' && expected === '',
    why: 'says why it has code 19',
  },
]

/** What a search, a block or a simulation says of gas. */
const gas: readonly Accepted[] = [
  {
    where: /POST .*simulate/,
    at: /gas_info\.gas_used$/,
    ours: height,
    why: 'no x/circuit; a simulation counts the transaction in x/wasm as delivery does, which the reference leaves out',
  },
]

export const acceptedDifferences: readonly Accepted[] = [
  ...blocks,
  ...node,
  ...statuses,
  ...hashes,
  ...search,
  ...words,
  ...gas,
]

/** Transactions that CheckTx refuses: own words, or another height. Code and codespace are always equal. */
export const acceptedRefusals: readonly Accepted[] = [
  {
    where: /gas_too_small_for_the_ante/,
    at: /log$/,
    ours: text(/^out of gas in location: \w+; gasWanted: 20000, gasUsed: 2\d{4}: out of gas$/),
    why: 'gas is less without x/circuit, so it runs out a step later',
  },
  {
    where: /timed_out/,
    at: /log$/,
    ours: text(/^block height: \d+, timeout height: 36: tx timeout height$/),
    why: 'another height',
  },
  {
    where: /unknown_account/,
    at: /log$/,
    ours: text(/wasm1ysg9y3m3rqll4cdxxtdfefxuhtt8hqrmp6r2lf/),
    why: 'the reference prints raw bytes',
  },
  { where: /no_fee_field/, at: /log$/, ours: text(/missing fee/), why: 'the reference crashes and recovers' },
  {
    where: /unknown_message_type|unknown_field|truncated|random_bytes/,
    at: /log$/,
    ours: text(/^transaction: .*: tx parse error$/),
    why: 'own words for bytes that are no transaction',
  },
]
