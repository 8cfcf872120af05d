import { addressOf, coins, send } from './transactions.mjs'

const base64 = (value) => Buffer.from(value).toString('base64')
const query = (value) => base64(JSON.stringify(value))
const urlSafe = (value) => value.replaceAll('+', '-').replaceAll('/', '_')

/** GET paths of the service document's tables and their error cases; what the reference answers is recorded as it is. */
export function restRequests({ known, hashes, latest }) {
  const { hackatom, reflect, validator } = known
  const alice = addressOf('alice')
  const tokens = [
    '/cosmos/bank/v1beta1/denoms_metadata',
    '/cosmos/bank/v1beta1/denoms_metadata?pagination.limit=1&pagination.count_total=true',
    '/cosmos/bank/v1beta1/denoms_metadata/ucosm',
    '/cosmos/bank/v1beta1/denoms_metadata/nothing',
    '/cosmos/bank/v1beta1/denoms_metadata_by_query_string?denom=ucosm',
    `/cosmos/bank/v1beta1/balances/${alice}`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.limit=1`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.limit=1&pagination.count_total=true`,
    `/cosmos/bank/v1beta1/balances/${alice}/by_denom?denom=ucosm`,
    `/cosmos/bank/v1beta1/balances/${alice}/by_denom?denom=nothing`,
    `/cosmos/bank/v1beta1/balances/${alice}/by_denom`,
    `/cosmos/bank/v1beta1/spendable_balances/${addressOf('carol')}`,
    '/cosmos/bank/v1beta1/balances/nonsense',
    '/cosmos/bank/v1beta1/supply',
    '/cosmos/bank/v1beta1/supply/by_denom?denom=ucosm',
    '/cosmos/bank/v1beta1/params',
    '/cosmos/bank/v1beta1/denom_owners/ucosm?pagination.limit=2',
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/${query({ verifier: {} })}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/${encodeURIComponent(query({ verifier: {} }))}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/${urlSafe(query({ other_balance: { address: '~~~???' } }))}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/${query({ other_balance: { address: alice } })}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/${query({ nothing: {} })}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/${query({ token_info: {} })}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/not*base64`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/smart/${base64('not json')}`,
    `/cosmwasm/wasm/v1/contract/${alice}/smart/${query({ verifier: {} })}`,
    `/cosmwasm/wasm/v1/contract/nonsense/smart/${query({ verifier: {} })}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}`,
    `/cosmwasm/wasm/v1/contract/${alice}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/history`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/state`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/raw/${base64('config')}`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/raw/${base64('absent')}`,
    `/cosmwasm/wasm/v1/contract/${reflect}/smart/${query({ owner: {} })}`,
    `/cosmwasm/wasm/v1/contract/${reflect}/smart/${query({ capitalized: { text: 'abc' } })}`,
    `/cosmwasm/wasm/v1/contract/${reflect}/smart/${query({ sub_msg_result: { id: 1 } })}`,
    `/cosmwasm/wasm/v1/contract/${reflect}/smart/${query({ sub_msg_result: { id: 2 } })}`,
    `/cosmwasm/wasm/v1/contract/${reflect}/smart/${query({ sub_msg_result: { id: 3 } })}`,
    `/cosmwasm/wasm/v1/contract/${reflect}/smart/${query({ chain: { request: { bank: { balance: { address: alice, denom: 'stake' } } } } })}`,
    '/cosmwasm/wasm/v1/code',
    '/cosmwasm/wasm/v1/code?pagination.limit=1',
    '/cosmwasm/wasm/v1/code/1/contracts',
    '/cosmwasm/wasm/v1/code-info/1',
    '/cosmwasm/wasm/v1/code-info/99',
    '/cosmwasm/wasm/v1/codes/params',
    `/cosmwasm/wasm/v1/contracts/creator/${alice}`,
  ]
  const event = (filter, rest = '') => `/cosmos/tx/v1beta1/txs?events=${encodeURIComponent(filter)}${rest}`
  const search = (filter, rest = '') => `/cosmos/tx/v1beta1/txs?query=${encodeURIComponent(filter)}${rest}`
  const transactions = [
    ...[
      'bank_send',
      'bank_send_insufficient_funds',
      'bank_send_amino',
      'execute_release',
      'instantiate_hackatom',
      'store_hackatom',
      'out_of_gas',
    ].map((name) => `/cosmos/tx/v1beta1/txs/${hashes[name]}`),
    `/cosmos/tx/v1beta1/txs/${hashes.bank_send.toLowerCase()}`,
    `/cosmos/tx/v1beta1/txs/0x${hashes.bank_send}`,
    `/cosmos/tx/v1beta1/txs/${'0'.repeat(64)}`,
    '/cosmos/tx/v1beta1/txs/ABCD',
    '/cosmos/tx/v1beta1/txs/nothex',
    event(`message.sender='${addressOf('bob')}'`, '&order_by=ORDER_BY_DESC&pagination.limit=2'),
    event(`transfer.recipient='${addressOf('carol')}'`, '&order_by=ORDER_BY_ASC&pagination.limit=2'),
    event(
      `transfer.recipient='${addressOf('carol')}'`,
      '&order_by=ORDER_BY_ASC&pagination.limit=2&pagination.offset=2',
    ),
    event(`transfer.recipient='${addressOf('carol')}'`, '&order_by=ORDER_BY_ASC&page=2&limit=1'),
    search(`transfer.recipient='${addressOf('carol')}'`, '&order_by=ORDER_BY_ASC&page=2&limit=1'),
    search(`transfer.recipient='${addressOf('carol')}' AND tx.height>3`, '&page=1&limit=1'),
    event("message.action='/cosmos.bank.v1beta1.MsgMultiSend'"),
    event('tx.height=1'),
    search('tx.height=1'),
    search(`message.sender='${addressOf('dave')}'`),
    search("message.action='/cosmos.bank.v1beta1.MsgMultiSend'", '&limit=1000&page=1'),
    search("message.action='/cosmos.bank.v1beta1.MsgMultiSend'", '&page=9&limit=1'),
    search("message.action='/cosmos.bank.v1beta1.MsgMultiSend'", '&order_by=SIDEWAYS'),
    search('this is no query'),
    event('message.sender'),
    '/cosmos/tx/v1beta1/txs',
    '/cosmos/tx/v1beta1/txs?order_by=ORDER_BY_DESC',
    `/cosmos/tx/v1beta1/txs/block/${known.bankSendHeight}`,
  ]
  const blocks = [
    '/cosmos/base/tendermint/v1beta1/blocks/latest',
    '/cosmos/base/tendermint/v1beta1/blocks/1',
    `/cosmos/base/tendermint/v1beta1/blocks/${known.bankSendHeight}`,
    `/cosmos/base/tendermint/v1beta1/blocks/${latest + 1_000_000}`,
    '/cosmos/base/tendermint/v1beta1/blocks/0',
    '/cosmos/base/tendermint/v1beta1/blocks/-1',
    '/cosmos/base/tendermint/v1beta1/blocks/abc',
    '/cosmos/base/tendermint/v1beta1/blocks/99999999999999999999',
    '/cosmos/base/tendermint/v1beta1/validatorsets/latest',
    '/cosmos/base/tendermint/v1beta1/validatorsets/2',
  ]
  const network = [
    '/cosmos/base/tendermint/v1beta1/node_info',
    '/cosmos/base/tendermint/v1beta1/syncing',
    '/cosmos/mint/v1beta1/params',
    '/cosmos/mint/v1beta1/inflation',
    '/cosmos/mint/v1beta1/annual_provisions',
    '/cosmos/gov/v1/params/voting',
    '/cosmos/gov/v1/params/deposit',
    '/cosmos/gov/v1/params/tallying',
    '/cosmos/gov/v1/params/nothing',
    '/cosmos/consensus/v1/params',
    '/cosmos/auth/v1beta1/params',
    `/cosmos/auth/v1beta1/accounts/${alice}`,
    `/cosmos/auth/v1beta1/accounts/${addressOf('dave')}`,
    '/cosmos/auth/v1beta1/accounts/nonsense',
    `/cosmos/auth/v1beta1/account_info/${alice}`,
    '/cosmos/auth/v1beta1/module_accounts/mint',
    '/cosmos/auth/v1beta1/bech32',
    '/cosmos/staking/v1beta1/params',
    `/cosmos/staking/v1beta1/validators/${validator}`,
    '/cosmos/staking/v1beta1/pool',
    '/cosmos/distribution/v1beta1/params',
    '/cosmos/slashing/v1beta1/params',
    '/cosmos/base/node/v1beta1/config',
    '/cosmos/base/node/v1beta1/status',
    '/no/such/route',
    '/',
    '/cosmos',
  ]
  const oddHeights = ['0', '-1', '+1', '1e30', 'abc', '', '1.5', '0x1', '01', '%201', '18446744073709551615', '2/']
  const oddHashes = [
    hashes.bank_send.slice(0, 63),
    `${hashes.bank_send}00`,
    `0X${hashes.bank_send}`,
    `0x${hashes.bank_send.toLowerCase()}`,
    `${hashes.bank_send}%20`,
    '%00',
    '\u00fc'.repeat(32),
    '',
    '0',
    '-1',
    '1e30',
  ]
  const odd = [
    ...oddHeights.map((height) => `/cosmos/base/tendermint/v1beta1/blocks/${height}`),
    ...oddHeights.map((height) => `/cosmos/base/tendermint/v1beta1/validatorsets/${height}`),
    ...oddHeights.map((height) => `/cosmos/tx/v1beta1/txs/block/${height}`),
    ...oddHashes.map((hash) => `/cosmos/tx/v1beta1/txs/${encodeURI(hash).replaceAll('%25', '%')}`),
    `/cosmos/tx/v1beta1/txs/block/${known.bankSendHeight}?pagination.limit=1`,
    `/cosmos/tx/v1beta1/txs/block/${known.bankSendHeight}?pagination.offset=9`,
    '/cosmos/base/tendermint/v1beta1/validatorsets/2?pagination.limit=1&pagination.offset=1',
    '/cosmos/base/tendermint/v1beta1/validatorsets/2?pagination.key=AA==',
    '/cosmos/base/tendermint/v1beta1/abci_query',
    '/cosmos/base/tendermint/v1beta1/abci_query?path=/store/bank/key&data=AA==&height=2&prove=true',
    '/cosmos/base/tendermint/v1beta1/abci_query?path=/cosmos.bank.v1beta1.Query/Params',
    '/cosmos/base/tendermint/v1beta1/abci_query?path=/app/version',
    '/cosmos/base/tendermint/v1beta1/abci_query?path=nonsense',
    '/cosmos/bank/v1beta1/balances/',
    `/cosmos/bank/v1beta1/balances/${alice}/`,
    `/cosmos//bank/v1beta1/balances/${alice}`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.limit=abc`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.limit=-1`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.key=not*base64`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.key=AA==&pagination.offset=1`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.offset=1&pagination.count_total=true`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.reverse=true&pagination.limit=1`,
    `/cosmos/bank/v1beta1/balances/${alice}?pagination.limit=1&pagination.limit=2`,
    `/cosmos/bank/v1beta1/balances/${alice}?unknown=1`,
    `/cosmos/bank/v1beta1/balances/${alice}?resolve_denom=maybe`,
  ]
  const others = [
    '/cosmos/auth/v1beta1/accounts?pagination.limit=2',
    '/cosmos/auth/v1beta1/address_by_id/0',
    '/cosmos/auth/v1beta1/address_by_id/abc',
    '/cosmos/auth/v1beta1/bech32/AQID',
    `/cosmos/auth/v1beta1/bech32/${alice}`,
    '/cosmos/bank/v1beta1/send_enabled',
    '/cosmos/bank/v1beta1/send_enabled?denoms=ucosm',
    '/cosmos/bank/v1beta1/denom_owners_by_query?denom=ucosm&pagination.limit=1',
    `/cosmos/bank/v1beta1/spendable_balances/${alice}/by_denom?denom=ucosm`,
    '/cosmos/consensus/v1/params?height=1',
    '/cosmos/base/reflection/v1beta1/interfaces',
    '/cosmos/base/reflection/v1beta1/interfaces/cosmos.auth.v1beta1.AccountI/implementations',
    '/cosmos/base/reflection/v1beta1/interfaces/nothing/implementations',
    '/cosmos/base/reflection/v1beta1/app_descriptor/authn',
    '/cosmos/base/reflection/v1beta1/app_descriptor/chain',
    '/cosmos/base/reflection/v1beta1/app_descriptor/configuration',
    '/cosmwasm/wasm/v1/codes/pinned',
    '/cosmwasm/wasm/v1/code/99/contracts',
    '/cosmwasm/wasm/v1/code/abc',
    '/cosmwasm/wasm/v1/code/0',
    `/cosmwasm/wasm/v1/contract/${hackatom}/state?pagination.limit=1`,
    `/cosmwasm/wasm/v1/contract/${hackatom}/raw/not*base64`,
    '/cosmwasm/wasm/v1/contract/nonsense/history',
    '/cosmwasm/wasm/v1/contract/nonsense/state',
  ]
  const verbs = [
    { method: 'POST', path: '/cosmos/bank/v1beta1/params', body: {} },
    { method: 'PUT', path: '/cosmos/bank/v1beta1/params', body: {} },
    { method: 'DELETE', path: '/cosmos/bank/v1beta1/params' },
    { method: 'OPTIONS', path: '/cosmos/bank/v1beta1/params' },
    { method: 'HEAD', path: '/cosmos/bank/v1beta1/params' },
    { method: 'GET', path: '/cosmos/tx/v1beta1/simulate' },
  ]
  const heights = [2, latest + 1_000_000, 'abc', 0, '-1', '+1', '1e30', '1.5', '0x1', '18446744073709551615', '01']
  const atHeights = heights.map((height) => ({
    path: `/cosmos/bank/v1beta1/balances/${alice}/by_denom?denom=ucosm`,
    headers: { 'x-cosmos-block-height': String(height) },
  }))
  const paths = [...tokens, ...transactions, ...blocks, ...network, ...odd, ...others]
  return [...paths.map((path) => ({ path })), ...verbs, ...atHeights]
}

const broadcastPath = '/cosmos/tx/v1beta1/txs'
const simulatePath = '/cosmos/tx/v1beta1/simulate'
const post = (path, body) => ({ method: 'POST', path, body })

/** Simulations, then broadcasts; of the good transaction only the first in a known mode is new. */
export async function postRequests(signer, refused) {
  const one = [send('alice', 'carol', coins(9))]
  const simulated = base64(await signer.sign(one, { gas: 1, fee: [] }))
  const failing = base64(await signer.sign([send('alice', 'carol', coins(10n ** 15n))]))
  const good = base64(await signer.sign(one, { memo: 'by REST' }))
  return [
    post(simulatePath, { tx_bytes: simulated }),
    post(simulatePath, { tx_bytes: failing }),
    post(simulatePath, { tx_bytes: base64(refused.wrong_sequence) }),
    post(simulatePath, { tx_bytes: base64(refused.changed_signature) }),
    post(simulatePath, { tx_bytes: base64(refused.no_signature) }),
    post(simulatePath, { tx_bytes: base64(refused.random_bytes) }),
    post(simulatePath, { tx_bytes: '' }),
    post(simulatePath, {}),
    post(simulatePath, 'not json'),
    ...Object.values(refused).map((bytes) =>
      post(broadcastPath, { tx_bytes: base64(bytes), mode: 'BROADCAST_MODE_SYNC' }),
    ),
    post(broadcastPath, { tx_bytes: base64(refused.wrong_sequence), mode: 'BROADCAST_MODE_ASYNC' }),
    post(broadcastPath, { tx_bytes: good, mode: 'BROADCAST_MODE_BLOCK' }),
    post(broadcastPath, { tx_bytes: good, mode: 'BROADCAST_MODE_UNSPECIFIED' }),
    post(broadcastPath, { tx_bytes: good, mode: 'NONSENSE' }),
    post(broadcastPath, { tx_bytes: good }),
    post(broadcastPath, { mode: 'BROADCAST_MODE_SYNC' }),
    post(broadcastPath, { tx_bytes: 'not*base64', mode: 'BROADCAST_MODE_SYNC' }),
    post(broadcastPath, { tx_bytes: good, mode: 'BROADCAST_MODE_SYNC', extra: 1 }),
    post(broadcastPath, 'not json'),
    post(broadcastPath, ''),
    post(broadcastPath, { tx_bytes: good, mode: 'BROADCAST_MODE_SYNC' }),
    post(broadcastPath, { tx_bytes: good, mode: 'BROADCAST_MODE_SYNC' }),
    ...codecRequests(good, refused),
  ]
}

/** The transaction service's encoders and decoders, protobuf and amino. */
function codecRequests(good, refused) {
  const codec = (name, body) => post(`/cosmos/tx/v1beta1/${name}`, body)
  const amino = {
    msg: [
      {
        type: 'cosmos-sdk/MsgSend',
        value: { from_address: addressOf('alice'), to_address: addressOf('carol'), amount: coins(9) },
      },
    ],
    fee: { amount: [{ denom: 'ucosm', amount: '500' }], gas: '200000' },
    signatures: null,
    memo: 'by amino',
    timeout_height: '0',
  }
  return [
    codec('decode', { tx_bytes: good }),
    codec('decode', { tx_bytes: base64(refused.random_bytes) }),
    codec('decode', { tx_bytes: '' }),
    codec('decode', {}),
    codec('encode', {}),
    codec('encode', {
      tx: { body: { messages: [], memo: 'm' }, auth_info: { fee: { gas_limit: '7' } }, signatures: ['AA=='] },
    }),
    codec('encode', { tx: { body: { messages: [{ '@type': '/nothing.Here' }] } } }),
    codec('encode/amino', { amino_json: JSON.stringify(amino) }),
    codec('encode/amino', { amino_json: JSON.stringify({ ...amino, msg: [] }) }),
    codec('encode/amino', { amino_json: 'not json' }),
    codec('encode/amino', { amino_json: '' }),
    codec('encode/amino', {}),
    codec('decode/amino', { amino_binary: 'AAAA' }),
    codec('decode/amino', { amino_binary: '' }),
    codec('decode/amino', {}),
  ]
}
