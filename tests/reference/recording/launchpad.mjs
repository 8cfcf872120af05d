import { readFileSync } from 'node:fs'
import { coins, execute, wasm } from './transactions.mjs'

const artifact = (name) => readFileSync(new URL(`../../../contracts/artifacts/${name}.wasm`, import.meta.url))
const utf8 = (value) => new TextEncoder().encode(JSON.stringify(value))
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64')
const find = (result, type, key) =>
  result.tx_result.events.findLast((event) => event.type === type).attributes.find((a) => a.key === key).value

const store = (name) => ({
  name: `store_${name}`,
  from: 'alice',
  gas: 12_000_000,
  messages: () => [wasm('StoreCode', 'alice', { wasmByteCode: artifact(name) })],
  learn: (known, result) => {
    known[`${name}_code`] = Number(find(result, 'store_code', 'code_id'))
  },
})

const instantiate = (name, message) => ({
  name: `instantiate_${name}`,
  from: 'alice',
  gas: 1_000_000,
  messages: (known) => [
    wasm('InstantiateContract', 'alice', {
      admin: '',
      codeId: BigInt(known[`${name}_code`]),
      label: name,
      msg: utf8(message(known)),
      funds: [],
    }),
  ],
  learn: (known, result) => {
    known[name] = find(result, 'instantiate', '_contract_address')
  },
})

const step = (name, from, target, message, funds) => ({
  name,
  from,
  gas: 3_000_000,
  messages: (known) => [execute(from, known[target], message(known), funds)],
})

const create = { name: 'Reference', symbol: 'REF', description: 'A token of the recording.' }
const creationFee = 80_000_000_000n

/** Launch, trade, graduate, swap, with our own contracts and the service document's figures; then what must fail. */
export const launchpadTransactions = [
  store('cw20_base'),
  store('launchpad'),
  store('amm'),
  instantiate('launchpad', (known) => ({ cw20_code_id: known.cw20_base_code, coin_denom: 'ucosm' })),
  instantiate('amm', (known) => ({ launchpad: known.launchpad, coin_denom: 'ucosm' })),
  step('update_config', 'alice', 'launchpad', ({ amm }) => ({ update_config: { amm } })),
  step('create_token_wrong_fee', 'alice', 'launchpad', () => ({ create_token: create }), coins(5)),
  {
    ...step(
      'create_token',
      'alice',
      'launchpad',
      () => ({ create_token: create }),
      coins(creationFee + 1_000_000_000n),
    ),
    learn: (known, result) => {
      known.token = find(result, 'instantiate', '_contract_address')
    },
  },
  step(
    'buy',
    'bob',
    'launchpad',
    ({ token }) => ({ buy: { token_address: token, min_tokens_out: '1' } }),
    coins(50_000_000_000n),
  ),
  step(
    'buy_slippage',
    'bob',
    'launchpad',
    ({ token }) => ({ buy: { token_address: token, min_tokens_out: '99999999999999' } }),
    coins(1_000_000),
  ),
  step('buy_nothing', 'bob', 'launchpad', ({ token }) => ({ buy: { token_address: token } })),
  step('sell', 'bob', 'token', ({ launchpad }) => ({
    send: { contract: launchpad, amount: '500000000000', msg: base64({ sell_tokens: { min_coin_out: '1' } }) },
  })),
  step('graduate_too_early', 'bob', 'launchpad', ({ token }) => ({ graduate: { token_address: token } })),
  step(
    'buy_across_the_threshold',
    'alice',
    'launchpad',
    ({ token }) => ({ buy: { token_address: token } }),
    coins(12_000_000_000_000n),
  ),
  step(
    'buy_after_graduation',
    'bob',
    'launchpad',
    ({ token }) => ({ buy: { token_address: token } }),
    coins(1_000_000),
  ),
  step(
    'swap_coin',
    'bob',
    'amm',
    ({ token }) => ({ swap: { token_address: token, min_tokens_out: '1' } }),
    coins(70_000_000_000n),
  ),
  step('swap_token', 'bob', 'token', ({ amm }) => ({
    send: { contract: amm, amount: '100000000000', msg: base64({ swap_token_for_bwick: { min_coin_out: '1' } }) },
  })),
  step('claim_fees', 'alice', 'launchpad', ({ token }) => ({ claim_fees: { token_address: token } })),
  step('cw20_transfer', 'bob', 'token', ({ launchpad }) => ({ transfer: { recipient: launchpad, amount: '1' } })),
]

/** Smart queries after all of it: contract, message. */
export const launchpadQueries = (known) => [
  ['launchpad', { config: {} }],
  ['launchpad', { curve: { token_address: known.token } }],
  ['launchpad', { progress: { token_address: known.token } }],
  ['launchpad', { fees: { token_address: known.token } }],
  ['amm', { config: {} }],
  ['amm', { pool: { token_address: known.token } }],
  ['amm', { pools: {} }],
  ['token', { token_info: {} }],
  ['token', { all_accounts: {} }],
]
