import { otherAnswers } from './accepted-answers.js'
import { statuses, words } from './accepted-errors.js'
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
    at: /\.header\.(last_commit_hash|app_hash|last_results_hash)$|latest_app_hash$|last_block_app_hash$|\$\.(body|response)\.(result\.)?app_hash$/,
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
    where: /^gRPC |abci_query/,
    at: /(headers\.x-cosmos-block-height|(response|body)\.height|Latest.*height|(header|last_commit|response)\.(block_)?height)$/,
    ours: (actual, expected) => Number(actual) >= Number(expected) && Number(expected) > 35,
    why: 'the latest height is another',
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
    at: /application_version|(response|body)\.(data|version|value)$/,
    why: 'this is coind and has its own version',
  },
  { where: /^RPC genesis/, at: /genesis_time$/, why: 'changed by the test' },
  {
    where: /abci_query.*prove("?:|=)true/,
    at: /proof_?[oO]ps\.ops\[\d\]\.data$/,
    ours: text(/^[A-Za-z0-9+/]+=*$/),
    why: 'proofs of another state: mint and staking move coins and make accounts there',
  },
  {
    where: /node.v1beta1.*status/i,
    at: /earliest_store_height$/,
    ours: (actual) => actual === '1',
    why: 'the reference does not know it',
  },
  {
    where: /node.v1beta1.*config/i,
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
    where: /mint.v1beta1.(Query.)?(inflation|annual_?provisions)/i,
    at: /(body|response)\.\w+$/,
    ours: text(/^0\.1?3?0{15,}$/),
    why: 'x/mint mints only with x/staking, so these stay as the genesis has them',
  },
  {
    where: /GET \/cosmos\/bank\/v1beta1\/supply$|Query\/TotalSupply/,
    at: /supply\[0\]\.amount$/,
    ours: (actual) => actual === '3000000000000',
    why: 'x/mint mints only with x/staking, which is not built',
  },
]

/** Modules that are not built yet, by their part of a name. */
const unbuilt =
  /authz|circuit|crisis|distribution|epochs|evidence|feegrant|group|\bibc\b|nft|params|protocolpool|slashing|staking|upgrade|vesting|gov\.v1(beta1)?\.(Query\.methods|Msg)|Content$|ContractAuthz|\.MsgIBC/

/** Lists of what there is. */
const lists: readonly Accepted[] = [
  {
    where: /reflection/i,
    at: unbuilt,
    ours: (actual) => actual === undefined,
    why: 'modules that are not built are not listed',
  },
  {
    where: /auth.*(accounts\?|Query\/Accounts |Query\/Accounts"|ModuleAccount)/,
    at: /accounts\.wasm1\w+$|\.(account_number|total)$|pagination\.next_key$/,
    why: 'accounts of modules that are not built are not there',
  },
  {
    where: /auth.*(accounts\?|Query\/Accounts)/,
    at: /accounts\.wasm1y9e2\w+\.(pub_key|sequence)$/,
    why: 'the genesis transaction of the validator is not run without x/staking',
  },
  {
    where: /GetTxDescriptor/,
    at: /Msg(UpdateParams|SetSendEnabled|StoreAnd\w+Contract)$/,
    ours: (actual) => actual === undefined,
    why: 'messages that only governance may send are not built',
  },
  {
    where: /GetQueryServicesDescriptor/,
    at: /query_services\.cosmos\.base\.reflection\.v2alpha1\.ReflectionService$/,
    ours: (actual) => actual !== undefined,
    why: 'it lists itself too',
  },
  {
    where: /GetAuthnDescriptor/,
    at: /SIGN_MODE_(DIRECT_AUX|TEXTUAL)$/,
    ours: (actual) => actual === undefined,
    why: 'a sign mode that is not verified here is not listed',
  },
  {
    where: /reflection\.v2alpha1/,
    at: /headers\.x-cosmos-block-height$/,
    ours: height,
    why: 'every answer has a height',
  },
  {
    where: / at height 2$/,
    at: /headers\.x-cosmos-block-height$/,
    ours: (actual) => actual === '1',
    why: 'block 2 there is block 1 here: neither has a transaction before it',
  },
  { where: /GetChainDescriptor/, at: /chain\.id$/, ours: (actual) => actual === 'testing', why: 'the chain has an id' },
  {
    where: /GetNodeInfo|GetCodecDescriptor/,
    at: /^\$\.response$/,
    ours: (_, expected) => String(expected).startsWith('redacted:'),
    why: 'recorded as a hash; the first is compared over REST, the second is interfaces.json',
  },
  {
    where: /^gRPC reflection /,
    at: /services\.grpc\.reflection\.v1\.ServerReflection$/,
    ours: (actual) => actual !== undefined,
    why: 'the newer version of reflection is served as well',
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
  ...lists,
  ...otherAnswers,
  ...statuses,
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
