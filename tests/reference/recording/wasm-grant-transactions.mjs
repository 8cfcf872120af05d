import { readFileSync } from 'node:fs'
import { exec, grant, lookAround } from './authz-transactions.mjs'
import { contractFiles } from './contract-transactions.mjs'
import { coin } from './feegrant-transactions.mjs'
import { pack } from './grant-signing.mjs'
import { addressOf, coins } from './transactions.mjs'

const pkg = 'cosmwasm.wasm.v1'
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(addressOf)
const utf8 = (value) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const hackatom = readFileSync(new URL(`../.cache/contracts/${contractFiles.hackatom}`, import.meta.url))
const everybody = { permission: 3, addresses: [] }
const nobody = { permission: 1, addresses: [] }

const attribute = (result, type, key) =>
  result.tx_result.events.find((event) => event.type === type).attributes.find((it) => it.key === key).value

const calls = (remaining) => pack(`${pkg}.MaxCallsLimit`, { remaining: BigInt(remaining) })
const funds = (...amounts) => pack(`${pkg}.MaxFundsLimit`, { amounts })
const both = (callsRemaining, ...amounts) =>
  pack(`${pkg}.CombinedLimit`, { callsRemaining: BigInt(callsRemaining), amounts })
const all = pack(`${pkg}.AllowAllMessagesFilter`, {})
const keys = (...names) => pack(`${pkg}.AcceptedMessageKeysFilter`, { keys: names })
const these = (...messages) => pack(`${pkg}.AcceptedMessagesFilter`, { messages: messages.map(utf8) })
const executions = (...grants) => pack(`${pkg}.ContractExecutionAuthorization`, { grants })
const migrations = (...grants) => pack(`${pkg}.ContractMigrationAuthorization`, { grants })
const uploads = (...grants) => pack(`${pkg}.StoreCodeAuthorization`, { grants })
const migrate = ({ contract, code }) =>
  pack(`${pkg}.MsgMigrateContract`, { sender: alice, contract, codeId: code, msg: utf8({ verifier: alice }) })
const store = (sender, instantiatePermission) =>
  pack(`${pkg}.MsgStoreCode`, { sender, wasmByteCode: hackatom, instantiatePermission })
const release = ({ contract }, amount = [], message = { release: {} }) =>
  pack(`${pkg}.MsgExecuteContract`, { sender: alice, contract, msg: utf8(message), funds: amount })

const step = (name, from, message, more = {}) => ({
  name: `wasm_${name}`,
  from,
  messages: (known) => [message(known)].flat(),
  options: () => ({ gas: 600_000 }),
  ...more,
})
const grantCalls = (name, ...parts) =>
  step(`grant_${name}`, 'alice', ({ contract }) =>
    grant(alice, bob, executions(...parts.map(([limit, filter, of = contract]) => ({ contract: of, limit, filter })))),
  )
const execCall = (name, amount, message) =>
  step(`exec_${name}`, 'bob', (known) => exec(bob, release(known, amount, message)), { queries: lookAround })
const grantUploads = (name, ...grants) =>
  step(`grant_${name}`, 'alice', ({ hash }) =>
    grant(alice, bob, uploads(...grants.map((it) => (typeof it === 'function' ? it(hash) : it)))),
  )
const execUpload = (name, permission) =>
  step(`exec_${name}`, 'bob', () => exec(bob, store(alice, permission)), { options: () => ({ gas: 8_000_000 }) })

const setUp = [
  step('store', 'alice', () => store(alice), {
    options: () => ({ gas: 8_000_000 }),
    learn: (known, result) => {
      known.code = BigInt(attribute(result, 'store_code', 'code_id'))
      known.hash = Buffer.from(attribute(result, 'store_code', 'code_checksum'), 'hex')
    },
  }),
  step(
    'instantiate',
    'alice',
    ({ code }) =>
      pack(`${pkg}.MsgInstantiateContract`, {
        ...{ sender: alice, admin: alice, codeId: code, label: 'granted', funds: coins(1000) },
        msg: utf8({ verifier: alice, beneficiary: carol }),
      }),
    {
      learn: (known, result) => {
        known.contract = attribute(result, 'instantiate', '_contract_address')
      },
    },
  ),
]

const executing = [
  grantCalls('calls', [calls(2), keys('release', 'other')]),
  execCall('call_with_funds', coins(1)),
  execCall('call_other_key', [], { nothing: {} }),
  execCall('call_two_keys', [], { release: {}, other: {} }),
  execCall('call_no_object', [], '7'),
  execCall('call_no_json', [], '{'),
  execCall('call'),
  execCall('call_last'),
  execCall('call_used_up'),
  grantCalls('funds', [funds(coin(5, 'stake'), coin(10)), all]),
  execCall('funds', coins(4)),
  execCall('funds_none'),
  execCall('funds_too_much', coins(7)),
  execCall('funds_all', [coin(5, 'stake'), coin(6)]),
  grantCalls('combined', [both(3, coin(10)), these('{"release":{}}')]),
  execCall('combined', coins(4)),
  execCall('combined_other_message', [], { release: {}, other: {} }),
  execCall('combined_other_denom', coins(1, 'stake')),
  execCall('combined_all', coins(6)),
  grantCalls('several', [calls(1), keys('nothing')], [calls(1), all], [both(1, coin(5)), all]),
  execCall('several_second'),
  execCall('several_third', coins(1)),
  execCall('several_contract_fails', [], { nothing: {} }),
  step('grant_other_contract', 'alice', () =>
    grant(alice, bob, executions({ contract: alice, limit: calls(1), filter: all })),
  ),
  execCall('other_contract'),
]

const refused = [
  grantCalls('no_grants'),
  grantCalls('contract_of_another_chain', [calls(1), all, 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6']),
  grantCalls('no_contract', [calls(1), all, '']),
  grantCalls('bad_contract', [calls(1), all, 'nonsense']),
  grantCalls('no_limit', [undefined, all]),
  grantCalls('no_filter', [calls(1), undefined]),
  grantCalls('no_calls', [calls(0), all]),
  grantCalls('no_funds', [funds(), all]),
  grantCalls('zero_funds', [funds(coin(0)), all]),
  grantCalls('unsorted_funds', [funds(coin(1), coin(1, 'stake')), all]),
  grantCalls('combined_no_calls', [both(0, coin(1)), all]),
  grantCalls('combined_no_funds', [both(1), all]),
  grantCalls('combined_zero_funds', [both(1, coin(0)), all]),
  grantCalls('combined_negative_funds', [both(1, coin(-1)), all]),
  grantCalls('no_keys', [calls(1), keys()]),
  grantCalls('empty_key', [calls(1), keys('')]),
  grantCalls('key_with_space', [calls(1), keys(' a')]),
  grantCalls('key_twice', [calls(1), keys('a', 'a')]),
  grantCalls('no_messages', [calls(1), these()]),
  grantCalls('empty_message', [calls(1), these('')]),
  grantCalls('message_no_json', [calls(1), these('{')]),
  grantCalls('message_twice', [calls(1), these('1', '1')]),
  grantCalls('filter_for_limit', [all, all]),
  grantCalls('second_bad', [calls(1), all], [calls(0), all]),
]

const codes = [
  step('grant_migrations', 'alice', ({ contract }) =>
    grant(alice, bob, migrations({ contract, limit: calls(1), filter: all })),
  ),
  step('exec_migration', 'bob', (known) => exec(bob, migrate(known)), { queries: lookAround }),
  step('exec_migration_used_up', 'bob', (known) => exec(bob, migrate(known))),
  grantUploads('any_code', { codeHash: utf8('*') }),
  execUpload('any_code'),
  grantUploads('one_code', (codeHash) => ({ codeHash, instantiatePermission: nobody })),
  execUpload('one_code_nobody', nobody),
  execUpload('one_code_everybody', everybody),
  execUpload('one_code_unsaid'),
  grantUploads('other_code', { codeHash: new Uint8Array(32).fill(7) }, { codeHash: utf8('b') }),
  execUpload('other_code'),
  grantUploads('no_code'),
  grantUploads('empty_hash', { codeHash: new Uint8Array(0) }),
  grantUploads('bad_permission', { codeHash: utf8('*'), instantiatePermission: { permission: 0, addresses: [] } }),
  grantUploads('wildcard_and_more', { codeHash: utf8('*') }, { codeHash: utf8('b') }),
  grantUploads('same_hash', { codeHash: utf8('b') }, { codeHash: utf8('B') }),
  step(
    'grant_amino',
    'alice',
    ({ contract }) => grant(alice, carol, executions({ contract, limit: both(2, coin(5)), filter: keys('release') })),
    {
      options: () => ({ gas: 600_000, amino: true }),
    },
  ),
]

export const wasmGrantSteps = [...setUp, ...executing, ...refused, ...codes]
