import type { MethodDescriptor } from '@coin/wire/descriptors'

/** What the document says of a method beside its types. */
export interface MethodWords {
  readonly summary: string
  readonly description?: string
  /** Values to try it with, by parameter. */
  readonly examples?: Readonly<Record<string, unknown>>
  /** A body to try it with. */
  readonly body?: unknown
}

/** Values that exist on every chain. */
export interface ExampleValues {
  /** An account address: the fee collector's. */
  readonly address: string
  /** Base denomination. */
  readonly denom: string
}

const heights = 'Heights above the tip, of 0 and below are refused with 400 and the range that there is.'

/** The methods that most callers begin with; the rest is named by its method. */
function knownWords({ address, denom }: ExampleValues): Readonly<Record<string, MethodWords>> {
  return {
    'cosmos.bank.v1beta1.Query/DenomsMetadata': { summary: 'Metadata of all denominations' },
    'cosmos.bank.v1beta1.Query/DenomMetadata': {
      summary: 'Metadata of a denomination',
      description: 'The denomination may have slashes. 404 when there is no metadata.',
      examples: { denom },
    },
    'cosmos.bank.v1beta1.Query/SupplyOf': { summary: 'Supply of a denomination', examples: { denom } },
    'cosmos.bank.v1beta1.Query/Balance': { summary: 'Balance of an account in one denomination', examples: { denom } },
    'cosmwasm.wasm.v1.Query/SmartContractState': {
      summary: 'Ask a contract',
      description:
        'query_data is the base64 of the JSON query, standard or URL-safe. A query that needs more gas than allowed or too long ends with an error.',
      examples: { address, query_data: 'eyJ0b2tlbl9pbmZvIjp7fX0=' },
    },
    'cosmos.tx.v1beta1.Service/GetTx': {
      summary: 'A transaction by its hash',
      description: 'The hash in either case, with 0x or without. 404 when no block has it.',
    },
    'cosmos.tx.v1beta1.Service/GetTxsEvent': {
      summary: 'Find transactions by events',
      description:
        'At least one filter, in query or in events; several events must all match. Conditions: =, <, <=, >, >=, CONTAINS, EXISTS, joined by AND. pagination.next_key continues where a page ended; pagination.count_total=false leaves the count out.',
      examples: { query: `message.sender='${address}'`, order_by: 'ORDER_BY_DESC', 'pagination.limit': '10' },
    },
    'cosmos.tx.v1beta1.Service/BroadcastTx': {
      summary: 'Broadcast a signed transaction',
      description:
        'BROADCAST_MODE_SYNC answers what CheckTx says, BROADCAST_MODE_ASYNC at once, BROADCAST_MODE_BLOCK when the transaction is in a block, with all that the block made of it. A transaction that is refused is an answer with status 200 and a code other than 0. BROADCAST_MODE_BLOCK that waits in vain answers 504 with the hash: the transaction may still come.',
      body: { tx_bytes: 'CgA=', mode: 'BROADCAST_MODE_SYNC' },
    },
    'cosmos.tx.v1beta1.Service/Simulate': {
      summary: 'Gas that a transaction will use',
      description: 'Runs the transaction as a block would and answers gas_info.gas_used; signatures may be empty.',
      body: { tx_bytes: 'CgA=' },
    },
    'cosmos.tx.v1beta1.Service/GetBlockWithTxs': {
      summary: 'A block with its transactions decoded',
      description: heights,
      examples: { height: '1' },
    },
    'cosmos.tx.v1beta1.Service/TxDecode': { summary: 'Transaction bytes as JSON', body: { tx_bytes: 'CgA=' } },
    'cosmos.tx.v1beta1.Service/TxEncode': { summary: 'Transaction JSON as bytes' },
    'cosmos.tx.v1beta1.Service/TxEncodeAmino': { summary: 'Amino JSON of a transaction as amino bytes' },
    'cosmos.tx.v1beta1.Service/TxDecodeAmino': { summary: 'Amino bytes of a transaction as amino JSON' },
    'cosmos.base.tendermint.v1beta1.Service/GetLatestBlock': { summary: 'The latest block' },
    'cosmos.base.tendermint.v1beta1.Service/GetBlockByHeight': {
      summary: 'A block by its height',
      description: heights,
      examples: { height: '1' },
    },
    'cosmos.base.tendermint.v1beta1.Service/GetNodeInfo': { summary: 'This node: identity, chain, versions' },
    'cosmos.base.tendermint.v1beta1.Service/GetSyncing': { summary: 'Whether this node is behind the chain' },
    'cosmos.base.tendermint.v1beta1.Service/GetLatestValidatorSet': { summary: 'The validators of the next block' },
    'cosmos.base.tendermint.v1beta1.Service/GetValidatorSetByHeight': {
      summary: 'The validators of a block',
      description: heights,
      examples: { height: '1' },
    },
    'cosmos.base.tendermint.v1beta1.Service/ABCIQuery': {
      summary: 'Raw state by key, with proofs',
      description:
        'path is /store/<module>/key, data the key in base64; prove=true adds ICS-23 proofs against the app hash.',
      examples: { path: '/store/bank/key', data: 'AA==', prove: 'true' },
    },
    'cosmos.base.node.v1beta1.Service/Config': { summary: 'Settings of this node' },
    'cosmos.base.node.v1beta1.Service/Status': { summary: 'Heights, time and hashes of this node' },
    'cosmos.mint.v1beta1.Query/Params': { summary: 'Parameters of minting' },
    'cosmos.gov.v1.Query/Params': {
      summary: 'Parameters of governance',
      examples: { params_type: 'voting' },
    },
  }
}

export function wordsOf(method: MethodDescriptor, values: ExampleValues): MethodWords {
  const known = knownWords(values)[method.fullName]
  const examples = { ...commonExamples(values), ...known?.examples }
  return { summary: sentence(method.name), ...known, examples }
}

/** Parameters that mean the same wherever they stand. */
function commonExamples({ address }: ExampleValues): Readonly<Record<string, unknown>> {
  return { address, delegator_address: address, granter: address, grantee: address, height: '1' }
}

/** `DenomOwnersByQuery` -> `Denom owners by query`. */
function sentence(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  const lower = words
    .split(' ')
    .map((word, index) => (index > 0 && /^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word))
  return lower.join(' ')
}

/** What the parameters of every list do. */
export const paginationWords: Readonly<Record<string, string>> = {
  'pagination.key': 'pagination.next_key of the page before; excludes an offset.',
  'pagination.offset': 'Matches to leave out; excludes a key.',
  'pagination.limit': 'Most entries of the page; 100 when it is left out.',
  'pagination.count_total': 'Also count all matches.',
  'pagination.reverse': 'From the last to the first.',
}
