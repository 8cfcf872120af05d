import { readFileSync } from 'node:fs'
import { addressOf, coins, execute, wasm } from './transactions.mjs'

// Contracts of the reference's own tests, played on its node: replies, limits, migrations, every kind of message.

export const contractFiles = {
  hackatom: 'wasmd-0.60.2/hackatom.wasm.gzip',
  reflect: 'wasmd-0.60.2/reflect_2_0.wasm',
  cw20: 'wasmd-0.60.2/cw20_base.wasm',
  burner: 'wasmd-0.60.2/burner.wasm',
  replier: 'wasmd-0.60.2/replier.wasm',
  hackatom42: 'wasmd-0.60.2/hackatom_42.wasm',
  hackatom420: 'wasmd-0.60.2/hackatom_420.wasm',
  queue: 'wasmvm-2.3.1/queue.wasm',
  cyberpunk: 'wasmvm-2.3.1/cyberpunk.wasm',
  old: 'cosmwasm-vm-2.2.2/hackatom_0.12.wasm',
}

const file = (name) => readFileSync(new URL(`../.cache/contracts/${contractFiles[name]}`, import.meta.url))
const utf8 = (value) => new TextEncoder().encode(JSON.stringify(value))
const base64 = (value) => Buffer.from(JSON.stringify(value)).toString('base64')

function attribute(result, type, key) {
  return result.tx_result.events.find((event) => event.type === type).attributes.find((a) => a.key === key).value
}

const store = (name, from = 'alice', permission) => ({
  name: `store_${name}`,
  from,
  gas: 8_000_000,
  messages: () => [wasm('StoreCode', from, { wasmByteCode: file(name), instantiatePermission: permission })],
  learn: (known, result) => {
    known[`${name}Code`] = BigInt(attribute(result, 'store_code', 'code_id'))
  },
})

const create = (name, code, from, message, { admin = '', funds = [], gas = 600_000 } = {}) => ({
  name: `instantiate_${name}`,
  from,
  gas,
  messages: (known) => [
    wasm('InstantiateContract', from, {
      admin: admin === '' ? '' : addressOf(admin),
      codeId: known[`${code}Code`],
      label: `the ${name}`,
      msg: utf8(typeof message === 'function' ? message(known) : message),
      funds,
    }),
  ],
  learn: (known, result) => {
    known[name] = attribute(result, 'instantiate', '_contract_address')
  },
})

const call = (name, from, contract, message, { funds = [], gas = 600_000 } = {}) => ({
  name,
  from,
  gas,
  messages: (known) => [
    execute(from, known[contract], typeof message === 'function' ? message(known) : message, funds),
  ],
})

const sub = (id, msg, replyOn, gasLimit = null, payload = '') => ({
  id,
  payload,
  msg,
  gas_limit: gasLimit,
  reply_on: replyOn,
})
const wasmExecute = (contract, message, funds = []) => ({
  wasm: { execute: { contract_addr: contract, msg: base64(message), funds } },
})
const send = (to, amount) => ({ bank: { send: { to_address: addressOf(to), amount } } })
const reflect = (name, msgs, options) =>
  call(name, 'bob', 'reflect', (known) => ({ reflect_msg: { msgs: msgs(known) } }), options)
const reflectSub = (name, msgs, options) =>
  call(name, 'bob', 'reflect', (known) => ({ reflect_sub_msg: { msgs: msgs(known) } }), options)

const replies = (id, change = {}, messages = []) => ({
  msg_id: id,
  set_data_in_exec_and_reply: true,
  return_order_in_reply: false,
  exec_error: false,
  reply_error: false,
  reply_on_never: false,
  messages,
  ...change,
})
const replier = (name, top, second = {}, third = {}, fourth = {}) =>
  call(
    name,
    'alice',
    'replier',
    replies(1, top, [replies(2, second, [replies(3, third)]), replies(4, fourth, [replies(5)])]),
    { gas: 2_000_000 },
  )

const setup = [
  store('hackatom'),
  store('reflect', 'bob'),
  store('cw20'),
  store('burner'),
  store('replier'),
  store('hackatom42'),
  store('hackatom420'),
  store('queue'),
  store('cyberpunk', 'alice', { permission: 4, addresses: [addressOf('alice')] }),
  { ...store('old'), learn: undefined },
  create('reflect', 'reflect', 'bob', {}, { funds: coins(1_000_000) }),
  create('replier', 'replier', 'alice', {}),
  create('queue', 'queue', 'alice', {}),
  create('cyberpunk', 'cyberpunk', 'alice', {}),
  { ...create('cyberpunk_not_allowed', 'cyberpunk', 'bob', {}), learn: undefined },
  create('cw20', 'cw20', 'alice', (known) => ({
    name: 'A token',
    symbol: 'TOK',
    decimals: 6,
    initial_balances: [
      { address: addressOf('alice'), amount: '1000000000' },
      { address: known.reflect, amount: '5000' },
    ],
    mint: { minter: addressOf('alice'), cap: '2000000000' },
    marketing: null,
  })),
]

const calls = [
  call('cw20_transfer', 'alice', 'cw20', { transfer: { recipient: addressOf('bob'), amount: '1234' } }),
  call('cw20_transfer_again', 'alice', 'cw20', { transfer: { recipient: addressOf('bob'), amount: '1' } }),
  call('cw20_too_much', 'bob', 'cw20', { transfer: { recipient: addressOf('alice'), amount: '99999999' } }),
  call('cw20_mint', 'alice', 'cw20', { mint: { recipient: addressOf('carol'), amount: '77' } }),
  call('cw20_burn', 'alice', 'cw20', { burn: { amount: '7' } }),
  call('cw20_allowance', 'alice', 'cw20', {
    increase_allowance: { spender: addressOf('bob'), amount: '500', expires: { at_height: 1_000_000 } },
  }),
  call('cw20_transfer_from', 'bob', 'cw20', {
    transfer_from: { owner: addressOf('alice'), recipient: addressOf('dave'), amount: '123' },
  }),
  call('cw20_bad_address', 'alice', 'cw20', { transfer: { recipient: addressOf('bob').toUpperCase(), amount: '1' } }),
  {
    name: 'cw20_twice_in_one_transaction',
    from: 'alice',
    gas: 600_000,
    messages: (known) => [
      execute('alice', known.cw20, { transfer: { recipient: addressOf('bob'), amount: '1' } }),
      execute('alice', known.cw20, { transfer: { recipient: addressOf('carol'), amount: '2' } }),
    ],
  },
  ...[11, 22, 33].map((value) => call(`queue_enqueue_${value}`, 'alice', 'queue', { enqueue: { value } })),
  call('queue_dequeue', 'alice', 'queue', { dequeue: {} }),
  call('cyberpunk_mirror_env', 'alice', 'cyberpunk', { mirror_env: {} }),
  call('cyberpunk_noop', 'alice', 'cyberpunk', { noop: {} }),
  call('cyberpunk_argon2', 'alice', 'cyberpunk', { argon2: { mem_cost: 64, time_cost: 2 } }, { gas: 5_000_000 }),
  call('cyberpunk_unreachable', 'alice', 'cyberpunk', { unreachable: {} }),
  call('cyberpunk_panic', 'alice', 'cyberpunk', { panic: {} }),
  call('cyberpunk_cpu_loop', 'alice', 'cyberpunk', { cpu_loop: {} }),
  call('cyberpunk_storage_loop', 'alice', 'cyberpunk', { storage_loop: {} }),
  call('cyberpunk_memory_loop', 'alice', 'cyberpunk', { memory_loop: {} }),
  call('cyberpunk_message_loop', 'alice', 'cyberpunk', { message_loop: {} }, { gas: 2_000_000 }),
  call('cyberpunk_message_depth', 'alice', 'cyberpunk', { message_loop: {} }, { gas: 30_000_000 }),
  call('cyberpunk_allocate', 'alice', 'cyberpunk', { allocate_large_memory: { pages: 300 } }),
  call('cyberpunk_allocate_too_much', 'alice', 'cyberpunk', { allocate_large_memory: { pages: 5000 } }),
]

const messages = [
  reflect('reflect_cw20_transfer', (known) => [
    wasmExecute(known.cw20, { transfer: { recipient: addressOf('dave'), amount: '5' } }),
  ]),
  reflectSub('reflect_cw20_with_reply', (known) => [
    sub(7, wasmExecute(known.cw20, { transfer: { recipient: addressOf('dave'), amount: '6' } }), 'always'),
    sub(8, wasmExecute(known.cw20, { transfer: { recipient: addressOf('dave'), amount: '999999' } }), 'always'),
    sub(4294967296123, send('carol', coins(9)), 'success', null, Buffer.from('some payload').toString('base64')),
  ]),
  reflectSub('reflect_never_fails', (known) => [
    sub(9, wasmExecute(known.cw20, { transfer: { recipient: addressOf('dave'), amount: '999999' } }), 'never'),
  ]),
  reflectSub('reflect_success_fails', (_known) => [sub(10, send('dave', coins(10n ** 15n)), 'success')]),
  reflectSub(
    'reflect_gas_limit',
    (known) => [
      sub(11, wasmExecute(known.cyberpunk, { cpu_loop: {} }), 'error', 120_000),
      sub(12, wasmExecute(known.cyberpunk, { noop: {} }), 'always', 200_000),
      sub(13, wasmExecute(known.cyberpunk, { panic: {} }), 'error', 200_000),
    ],
    { gas: 1_500_000 },
  ),
  reflectSub('reflect_funds', (known) => [sub(14, wasmExecute(known.cyberpunk, { noop: {} }, coins(3)), 'always')]),
  reflect('reflect_empty_send', () => [send('carol', [])]),
  reflect('reflect_unsorted_coins', () => [
    send('carol', [
      { denom: 'ucosm', amount: '1' },
      { denom: 'ucosm', amount: '2' },
    ]),
  ]),
  reflect('reflect_bad_amount', () => [send('carol', [{ denom: 'ucosm', amount: 'many' }])]),
  reflect('reflect_burn', () => [{ bank: { burn: { amount: coins(11) } } }]),
  reflect('reflect_burn_nothing', () => [{ bank: { burn: { amount: [] } } }]),
  reflectSub('reflect_burn_reply', () => [sub(15, { bank: { burn: { amount: coins(12) } } }, 'always')]),
  reflect('reflect_any_send', (known) => [anySend(known.reflect)]),
  reflectSub('reflect_any_of_another', () => [sub(16, anySend(addressOf('alice')), 'error')]),
  reflectSub('reflect_any_unknown', () => [sub(17, { any: { type_url: '/no.such.Msg', value: '' } }, 'error')]),
  reflectSub('reflect_any_garbage', () => [
    sub(19, { any: { type_url: '/cosmos.bank.v1beta1.MsgSend', value: '////' } }, 'error'),
  ]),
  reflectSub('reflect_custom', () => [sub(20, { custom: { raw: 'aGVsbG8=' } }, 'error')]),
  reflectSub('reflect_no_such_contract', () => [sub(21, wasmExecute(addressOf('alice'), { noop: {} }), 'error')]),
  reflectSub(
    'reflect_instantiate',
    (known) => [
      sub(
        22,
        {
          wasm: {
            instantiate: {
              admin: known.reflect,
              code_id: Number(known.queueCode),
              msg: base64({}),
              funds: [],
              label: 'made by a contract',
            },
          },
        },
        'always',
      ),
      sub(
        23,
        {
          wasm: {
            instantiate2: {
              admin: known.reflect,
              code_id: Number(known.burnerCode),
              msg: base64({}),
              funds: [],
              label: 'predictable',
              salt: base64('salt'),
            },
          },
        },
        'error',
      ),
      sub(
        24,
        { wasm: { instantiate: { admin: null, code_id: 999, msg: base64({}), funds: [], label: 'none' } } },
        'error',
      ),
      sub(
        25,
        {
          wasm: {
            instantiate: { admin: null, code_id: Number(known.queueCode), msg: base64({}), funds: [], label: '' },
          },
        },
        'error',
      ),
    ],
    { gas: 1_500_000 },
  ),
  replier('replier_order', { return_order_in_reply: true }),
  replier('replier_data', {}),
  replier('replier_never', {}, {}, {}, { reply_on_never: true }),
  replier('replier_no_data', {}, {}, {}, { set_data_in_exec_and_reply: false }),
  replier('replier_exec_error', { return_order_in_reply: true }, {}, { exec_error: true }),
  replier('replier_reply_error', { return_order_in_reply: true }, { reply_error: true }),
]

function anySend(from) {
  const text = (number, value) => [(number << 3) | 2, value.length, ...Buffer.from(value)]
  const coin = [...text(1, 'ucosm'), ...text(2, '21')]
  const value = [...text(1, from), ...text(2, addressOf('carol')), (3 << 3) | 2, coin.length, ...coin]
  return { any: { type_url: '/cosmos.bank.v1beta1.MsgSend', value: Buffer.from(value).toString('base64') } }
}

const migrate = (name, from, contract, code, message, options = {}) => ({
  name,
  from,
  gas: 800_000,
  messages: (known) => [
    wasm('MigrateContract', from, { contract: known[contract], codeId: known[`${code}Code`], msg: utf8(message) }),
  ],
  ...options,
})

const management = [
  create(
    'hackatom',
    'hackatom',
    'alice',
    { verifier: addressOf('alice'), beneficiary: addressOf('bob') },
    { admin: 'alice', funds: coins(500) },
  ),
  call('hackatom_release', 'alice', 'hackatom', { release: {} }, { funds: coins(5) }),
  call('hackatom_user_errors', 'alice', 'hackatom', { user_errors_in_api_calls: {} }),
  migrate('migrate_not_admin', 'bob', 'hackatom', 'burner', { payout: addressOf('bob') }),
  migrate('migrate_bad_message', 'alice', 'hackatom', 'burner', { nothing: 1 }),
  migrate('migrate_to_burner', 'alice', 'hackatom', 'burner', { payout: addressOf('dave') }),
  create(
    'versioned',
    'hackatom42',
    'alice',
    { verifier: addressOf('alice'), beneficiary: addressOf('bob') },
    { admin: 'alice' },
  ),
  migrate('migrate_same_version', 'alice', 'versioned', 'hackatom42', { verifier: addressOf('carol') }),
  migrate('migrate_other_version', 'alice', 'versioned', 'hackatom420', { verifier: addressOf('carol') }),
  {
    name: 'update_admin',
    from: 'alice',
    messages: (known) => [wasm('UpdateAdmin', 'alice', { contract: known.versioned, newAdmin: addressOf('bob') })],
  },
  {
    name: 'clear_admin',
    from: 'bob',
    messages: (known) => [wasm('ClearAdmin', 'bob', { contract: known.versioned })],
  },
  {
    name: 'instantiate2_predictable',
    from: 'carol',
    gas: 500_000,
    messages: (known) => [
      wasm('InstantiateContract2', 'carol', {
        ...{ admin: '', codeId: known.queueCode, label: 'two', msg: utf8({}), funds: [] },
        ...{ salt: new TextEncoder().encode('grains'), fixMsg: true },
      }),
    ],
  },
  {
    name: 'instantiate2_again',
    from: 'carol',
    gas: 500_000,
    messages: (known) => [
      wasm('InstantiateContract2', 'carol', {
        ...{ admin: '', codeId: known.queueCode, label: 'two', msg: utf8({}), funds: [] },
        ...{ salt: new TextEncoder().encode('grains'), fixMsg: true },
      }),
    ],
  },
]

/** carol needs coins for her own transactions. */
const funding = {
  name: 'fund_carol',
  from: 'alice',
  messages: () => [
    {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: { fromAddress: addressOf('alice'), toAddress: addressOf('carol'), amount: coins(10_000_000) },
    },
  ],
}

export const contractTransactions = [funding, ...setup, ...calls, ...messages, ...management]
