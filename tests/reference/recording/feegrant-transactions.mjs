import { createAddressCodec, moduleAddress } from '../../../chain/wire/dist/addresses.js'
import { codecOf } from '../../../chain/wire/dist/registry.js'
import { pack } from './grant-signing.mjs'
import { addressOf, coins } from './transactions.mjs'

const pkg = 'cosmos.feegrant.v1beta1'
const [alice, bob, carol, dave, validator] = ['alice', 'bob', 'carol', 'dave', 'validator'].map(addressOf)
export const stranger = createAddressCodec('wasm').encode(new Uint8Array(20).fill(200))
export const coin = (amount, denom = 'ucosm') => ({ denom, amount: String(amount) })
export const at = (seconds, nanos = 0) => ({ seconds: BigInt(seconds), nanos })

const basic = (spendLimit = [], expiration) => pack(`${pkg}.BasicAllowance`, { spendLimit, expiration })
const periodic = (fields) => pack(`${pkg}.PeriodicAllowance`, fields)
const allowed = (allowance, ...allowedMessages) => pack(`${pkg}.AllowedMsgAllowance`, { allowance, allowedMessages })
const grant = (granter, grantee, allowance) => pack(`${pkg}.MsgGrantAllowance`, { granter, grantee, allowance })
const revoke = (granter, grantee) => pack(`${pkg}.MsgRevokeAllowance`, { granter, grantee })
export const send = (fromAddress, toAddress, amount) =>
  pack('cosmos.bank.v1beta1.MsgSend', { fromAddress, toAddress, amount })
const multiSend = (from, to, amount) =>
  pack('cosmos.bank.v1beta1.MsgMultiSend', {
    inputs: [{ address: from, coins: amount }],
    outputs: [{ address: to, coins: amount }],
  })
const sendType = '/cosmos.bank.v1beta1.MsgSend'

const query = (name, value) => ({
  path: `/${pkg}.Query/${name}`,
  data: codecOf(`${pkg}.Query${name}Request`)
    .encode(codecOf(`${pkg}.Query${name}Request`).fromPartial(value))
    .finish(),
})
const lookAround = () => [
  query('Allowance', { granter: alice, grantee: carol }),
  query('Allowance', { granter: alice, grantee: stranger }),
  query('Allowances', { grantee: carol }),
  query('Allowances', { grantee: dave }),
  query('AllowancesByGranter', { granter: alice }),
  query('AllowancesByGranter', { granter: bob }),
]
const pages = () => [
  ...[
    { limit: 1n },
    { limit: 1n, countTotal: true },
    { limit: 1n, offset: 1n },
    { offset: 9n, countTotal: true, limit: 2n },
  ].flatMap((pagination) => [
    query('Allowances', { grantee: carol, pagination }),
    query('AllowancesByGranter', { granter: alice, pagination }),
    query('AllowancesByGranter', { granter: alice, pagination: { ...pagination, reverse: true } }),
    query('Allowances', { grantee: carol, pagination: { ...pagination, reverse: true } }),
  ]),
  query('Allowances', { grantee: 'nonsense' }),
  query('Allowances', { grantee: '' }),
  query('AllowancesByGranter', { granter: 'nonsense' }),
  query('AllowancesByGranter', { granter: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6' }),
  query('Allowance', { granter: 'nonsense', grantee: carol }),
  query('Allowance', { granter: alice, grantee: 'nonsense' }),
  query('Allowances', { grantee: carol, pagination: { offset: 1n, key: Uint8Array.of(1) } }),
  query('AllowancesByGranter', { granter: alice, pagination: { offset: 1n, key: Uint8Array.of(1) } }),
  query('AllowancesByGranter', { granter: alice, pagination: { limit: 1n, key: Uint8Array.of(1) } }),
  query('AllowancesByGranter', { granter: alice, pagination: { limit: 1n, key: Uint8Array.of(21), reverse: true } }),
]

const step = (name, from, message, more = {}) => ({
  name: `feegrant_${name}`,
  from,
  messages: (known) => [message].flat().map((it) => (typeof it === 'function' ? it(known) : it)),
  ...more,
})
const refusedGrant = (name, allowance, grantee = bob) =>
  step(`grant_${name}`, 'alice', (known) =>
    grant(alice, grantee, typeof allowance === 'function' ? allowance(known) : allowance),
  )
const paidBy = (granter, fee, gas = 200_000) => ({ options: () => ({ granter, fee: coins(fee), gas }) })
const whole = (now) => ({
  basic: { spendLimit: coins(50_000) },
  period: at(3),
  periodSpendLimit: coins(10_000),
  periodCanSpend: coins(10_000),
  periodReset: at(now + 3n),
})

const grants = [
  step('grant_basic', 'alice', grant(alice, carol, basic(coins(1000))), { queries: lookAround }),
  step('grant_twice', 'alice', grant(alice, carol, basic())),
  step('grant_self', 'alice', grant(alice, alice, basic())),
  step('grant_self_upper_case', 'alice', grant(alice, alice.toUpperCase(), basic())),
  refusedGrant('to_nonsense', basic(), 'nonsense'),
  refusedGrant('to_nobody', basic(), ''),
  refusedGrant('to_another_chain', basic(), 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6'),
  refusedGrant('to_blocked', basic(), createAddressCodec('wasm').encode(moduleAddress('wasm'))),
  refusedGrant('zero', basic(coins(0))),
  refusedGrant('negative', basic(coins(-5))),
  refusedGrant('huge', basic(coins(2n ** 256n))),
  refusedGrant('no_number', basic(coins('x'))),
  refusedGrant('unsorted', basic([coin(1, 'ucosm'), coin(1, 'stake')])),
  refusedGrant('duplicate', basic([coin(1), coin(1)])),
  refusedGrant('no_amount', basic([coin('')])),
  refusedGrant('bad_denom', basic([coin(1, '1x')])),
  refusedGrant('past', ({ now }) => basic([], at(now - 100n))),
  refusedGrant('before_1970', basic([], at(-1))),
  refusedGrant('year_10000', basic([], at(253402300800n))),
  refusedGrant('bad_nanos', basic([], at(2_000_000_000n, -1))),
  refusedGrant('nothing', undefined),
  refusedGrant('no_allowance', send(alice, bob, coins(1))),
]

const otherGrants = [
  refusedGrant('period_without_limit', ({ now }) => periodic({ ...whole(now), periodSpendLimit: [] })),
  refusedGrant('period_limit_zero', ({ now }) => periodic({ ...whole(now), periodSpendLimit: coins(0) })),
  refusedGrant('period_can_spend_zero', ({ now }) => periodic({ ...whole(now), periodCanSpend: coins(0) })),
  refusedGrant('period_other_denom', ({ now }) => periodic({ ...whole(now), periodSpendLimit: coins(1, 'stake') })),
  refusedGrant('period_negative', ({ now }) => periodic({ ...whole(now), period: at(-3) })),
  refusedGrant('period_too_long', ({ now }) => periodic({ ...whole(now), period: at(10_000_000_000n) })),
  refusedGrant('period_basic_bad', ({ now }) => periodic({ ...whole(now), basic: { spendLimit: coins(0) } })),
  refusedGrant('allowed_nothing', allowed(undefined, sendType)),
  refusedGrant('allowed_no_types', allowed(basic())),
  refusedGrant('allowed_bad_inner', allowed(basic(coins(0)), sendType)),
  refusedGrant('allowed_inner_no_allowance', allowed(send(alice, bob, coins(1)), sendType)),
  step('grant_periodic', 'alice', ({ now }) => grant(alice, dave, periodic(whole(now))), { queries: lookAround }),
  step(
    'grant_allowed',
    'bob',
    grant(
      bob,
      carol,
      allowed(allowed(basic(coins(5000)), sendType, '/x.y.MsgZ'), sendType, '/cosmos.bank.v1beta1.MsgBurn'),
    ),
    { queries: lookAround },
  ),
  step('grant_without_limit', 'validator', grant(validator, carol, basic()), { queries: pages }),
  step('grant_amino', 'alice', ({ now }) => grant(alice, bob, allowed(basic(coins(7), at(now + 5000n)), sendType)), {
    options: () => ({ amino: true }),
  }),
  step('grant_periodic_amino', 'alice', ({ now }) => grant(alice, validator, periodic(whole(now))), {
    options: () => ({ amino: true }),
  }),
  step('fund', 'alice', [send(alice, carol, coins(1000)), send(alice, dave, coins(1000))]),
]

const uses = [
  step('pay', 'carol', send(carol, alice, coins(1)), { ...paidBy(alice, 400), queries: lookAround }),
  step('pay_too_much', 'carol', send(carol, alice, coins(1)), paidBy(alice, 601)),
  step('pay_other_denom', 'carol', send(carol, alice, coins(1)), {
    options: () => ({ granter: alice, fee: [coin(5, 'stake'), coin(400)] }),
  }),
  step('pay_all', 'carol', send(carol, alice, coins(1)), { ...paidBy(alice, 600), queries: lookAround }),
  step('pay_when_used_up', 'carol', send(carol, alice, coins(1)), paidBy(alice, 400)),
  step('pay_from_nonsense', 'carol', send(carol, alice, coins(1)), paidBy('nonsense', 400)),
  step('pay_from_stranger', 'carol', send(carol, alice, coins(1)), paidBy(stranger, 400)),
  step('pay_self', 'alice', send(alice, bob, coins(1)), paidBy(alice, 400)),
  step('pay_message_fails', 'carol', send(carol, alice, coins(1_000_000)), {
    ...paidBy(validator, 400),
    queries: lookAround,
  }),
  step(
    'pay_without_limit',
    'carol',
    [send(carol, alice, coins(1)), send(carol, alice, coins(1))],
    paidBy(validator, 400),
  ),
  step('pay_allowed', 'carol', send(carol, alice, coins(1)), { ...paidBy(bob, 400), queries: lookAround }),
  step('pay_allowed_amino', 'carol', send(carol, alice, coins(1)), {
    options: () => ({ granter: bob, fee: coins(400), amino: true }),
  }),
  step('pay_not_allowed', 'carol', multiSend(carol, alice, coins(1)), paidBy(bob, 400)),
  step(
    'pay_second_not_allowed',
    'carol',
    [send(carol, alice, coins(1)), multiSend(carol, alice, coins(1))],
    paidBy(bob, 400),
  ),
  step('pay_periodic', 'dave', send(dave, alice, coins(1)), { ...paidBy(alice, 9000), queries: lookAround }),
  step('pay_period_again', 'dave', send(dave, alice, coins(1)), {
    ...paidBy(alice, 9000),
    wait: 3500,
    queries: lookAround,
  }),
  step('pay_period_over', 'dave', send(dave, alice, coins(1)), paidBy(alice, 9000)),
  step('pay_long_after', 'dave', send(dave, alice, coins(1)), {
    ...paidBy(alice, 10_000),
    wait: 8000,
    queries: lookAround,
  }),
  step('pay_beyond_all', 'dave', send(dave, alice, coins(1)), { ...paidBy(alice, 40_000), wait: 3500 }),
  step('grant_of_the_poor', 'dave', grant(dave, carol, basic()), paidBy(alice, 300)),
  step('pay_from_the_poor', 'carol', send(carol, alice, coins(1)), paidBy(dave, 5000)),
  step('pay_out_of_gas', 'carol', send(carol, alice, coins(1)), paidBy(validator, 400, 70_000)),
]

const ends = [
  step('revoke', 'bob', revoke(bob, carol), { queries: lookAround }),
  step('revoke_twice', 'bob', revoke(bob, carol)),
  step('revoke_self', 'bob', revoke(bob, bob)),
  step('revoke_self_upper_case', 'bob', revoke(bob, bob.toUpperCase())),
  step('revoke_nonsense', 'bob', revoke(bob, 'nonsense')),
  step('revoke_amino', 'alice', revoke(alice, bob), { options: () => ({ amino: true }) }),
  step('grant_short', 'alice', ({ now }) => grant(alice, bob, basic(coins(5000), at(now + 6n, 500)))),
  step('revoke_short', 'alice', revoke(alice, bob)),
  step('grant_behind_short', 'alice', grant(alice, bob, allowed(basic(coins(5000)), sendType))),
  step('grant_short_too', 'bob', ({ now }) => grant(bob, dave, allowed(basic([], at(now + 4n)), sendType)), {
    queries: () => [query('Allowances', { grantee: bob }), query('Allowances', { grantee: dave })],
  }),
  step('pay_when_ended', 'dave', send(dave, alice, coins(1)), { ...paidBy(bob, 400), wait: 8000 }),
  step('prune', 'alice', pack(`${pkg}.MsgPruneAllowances`, { pruner: alice }), {
    queries: () => [query('Allowances', { grantee: bob }), query('Allowances', { grantee: dave })],
  }),
]

export const feegrantSteps = [...grants, ...otherGrants, ...uses, ...ends]
