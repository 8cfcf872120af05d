import { createAddressCodec, moduleAddress } from '../../../chain/wire/dist/addresses.js'
import { codecOf } from '../../../chain/wire/dist/registry.js'
import { at, coin, send, stranger } from './feegrant-transactions.mjs'
import { pack } from './grant-signing.mjs'
import { addressOf, coins } from './transactions.mjs'

const pkg = 'cosmos.authz.v1beta1'
const [alice, bob, carol, validator] = ['alice', 'bob', 'carol', 'validator'].map(addressOf)
const sendType = '/cosmos.bank.v1beta1.MsgSend'
const multiSendType = '/cosmos.bank.v1beta1.MsgMultiSend'
const grantFeesType = '/cosmos.feegrant.v1beta1.MsgGrantAllowance'

const generic = (msg) => pack(`${pkg}.GenericAuthorization`, { msg })
const sends = (spendLimit, ...allowList) => pack('cosmos.bank.v1beta1.SendAuthorization', { spendLimit, allowList })
export const grant = (granter, grantee, authorization, expiration) =>
  pack(`${pkg}.MsgGrant`, { granter, grantee, grant: { authorization, expiration } })
export const exec = (grantee, ...msgs) => pack(`${pkg}.MsgExec`, { grantee, msgs })
const revoke = (granter, grantee, msgTypeUrl) => pack(`${pkg}.MsgRevoke`, { granter, grantee, msgTypeUrl })
const multiSend = (inputs, to, amount) =>
  pack('cosmos.bank.v1beta1.MsgMultiSend', {
    inputs: inputs.map((address) => ({ address, coins: amount })),
    outputs: [{ address: to, coins: amount }],
  })

const query = (name, value) => ({
  path: `/${pkg}.Query/${name}`,
  data: codecOf(`${pkg}.Query${name}Request`)
    .encode(codecOf(`${pkg}.Query${name}Request`).fromPartial(value))
    .finish(),
})
export const lookAround = () => [
  query('Grants', { granter: alice, grantee: bob }),
  query('Grants', { granter: alice, grantee: bob, msgTypeUrl: sendType }),
  query('GranterGrants', { granter: alice }),
  query('GranteeGrants', { grantee: bob }),
  query('GranteeGrants', { grantee: carol }),
]
const pages = () => [
  ...[
    { limit: 1n },
    { limit: 1n, countTotal: true },
    { limit: 1n, offset: 1n },
    { offset: 9n, countTotal: true, limit: 2n },
  ].flatMap((pagination) =>
    [pagination, { ...pagination, reverse: true }].flatMap((page) => [
      query('Grants', { granter: alice, grantee: bob, pagination: page }),
      query('GranterGrants', { granter: alice, pagination: page }),
      query('GranteeGrants', { grantee: bob, pagination: page }),
    ]),
  ),
  query('Grants', { granter: alice, grantee: bob, msgTypeUrl: '/x.y.MsgZ' }),
  query('Grants', { granter: 'nonsense', grantee: bob }),
  query('Grants', { granter: alice, grantee: '' }),
  query('GranterGrants', { granter: 'nonsense' }),
  query('GranterGrants', { granter: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6' }),
  query('GranteeGrants', { grantee: 'nonsense' }),
  query('GranteeGrants', { grantee: bob, pagination: { offset: 1n, key: Uint8Array.of(1) } }),
  query('GranterGrants', { granter: alice, pagination: { limit: 1n, key: Uint8Array.of(20) } }),
  query('GranteeGrants', { grantee: bob, pagination: { limit: 1n, key: Uint8Array.of(21), reverse: true } }),
]

const step = (name, from, message, more = {}) => ({
  name: `authz_${name}`,
  from,
  messages: (known) => [message].flat().map((it) => (typeof it === 'function' ? it(known) : it)),
  ...more,
})
const refusedGrant = (name, authorization, { grantee = bob, expiration } = {}) =>
  step(`grant_${name}`, 'alice', (known) => grant(alice, grantee, authorization, expiration?.(known)))
const amino = { options: () => ({ amino: true }) }
const pay = (amount = 5, to = carol) => send(alice, to, coins(amount))
/** `MsgExec` in each other, the innermost holding `inner`. */
const nested = (depth, inner) => (depth === 0 ? inner : exec(bob, nested(depth - 1, inner)))

const unauthorized = (count) => Array.from({ length: count }, () => send(validator, carol, coins(1)))

const grants = [
  step('grant_generic', 'alice', grant(alice, bob, generic(sendType)), { queries: lookAround }),
  step('exec', 'bob', exec(bob, pay()), { queries: lookAround }),
  step('exec_several', 'bob', exec(bob, pay(), send(bob, carol, coins(3)), pay(7)), {
    options: () => ({ gas: 400_000 }),
  }),
  step('exec_twice_in_a_transaction', 'bob', [exec(bob, pay()), send(bob, carol, coins(1)), exec(bob, pay())], {
    options: () => ({ gas: 400_000 }),
  }),
  step('exec_own', 'bob', exec(bob, send(bob, carol, coins(3)))),
  step('exec_of_stranger', 'bob', exec(bob, send(validator, carol, coins(3)))),
  step('exec_of_other_type', 'bob', exec(bob, multiSend([alice], carol, coins(3)))),
  step('exec_second_fails', 'bob', exec(bob, pay(), pay(10n ** 17n))),
  step('exec_nothing', 'bob', exec(bob)),
  step('exec_two_signers', 'bob', exec(bob, multiSend([alice, bob], carol, coins(3)))),
  step('exec_zero', 'bob', exec(bob, pay(0))),
  step('exec_no_number', 'bob', exec(bob, pay('x'))),
  step('exec_bad_signer', 'bob', exec(bob, send('nonsense', carol, coins(1)))),
  step('exec_no_message', 'bob', exec(bob, generic(sendType))),
  step('exec_out_of_gas', 'bob', exec(bob, pay(), pay()), { options: () => ({ gas: 90_000 }) }),
  step('exec_nested', 'bob', nested(3, pay())),
  step('exec_nested_10', 'bob', nested(9, pay())),
  step('exec_nested_11', 'bob', nested(10, pay())),
  // The first of them has no grant: that it is told means that all of them were unpacked.
  step('exec_100', 'bob', exec(bob, exec(bob, ...unauthorized(98))), { options: () => ({ gas: 1_000_000 }) }),
  step('exec_101', 'bob', exec(bob, exec(bob, ...unauthorized(99))), { options: () => ({ gas: 1_000_000 }) }),
  step('exec_100_twice', 'bob', [exec(bob, ...unauthorized(99)), exec(bob, ...unauthorized(99))], {
    options: () => ({ gas: 1_000_000 }),
  }),
  step(
    'exec_of_another_chain',
    'bob',
    exec(bob, send('cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6', carol, coins(1))),
  ),
  step('grant_exec', 'alice', grant(alice, bob, generic('/cosmos.authz.v1beta1.MsgExec'))),
  step('exec_of_exec', 'bob', exec(bob, exec(alice, pay()))),
  step('grant_fee_grants', 'alice', grant(alice, bob, generic(grantFeesType))),
  step(
    'exec_fee_grant',
    'bob',
    exec(
      bob,
      pack('cosmos.feegrant.v1beta1.MsgGrantAllowance', {
        granter: alice,
        grantee: bob,
        allowance: pack('cosmos.feegrant.v1beta1.BasicAllowance', { spendLimit: coins(5) }),
      }),
    ),
    { queries: pages },
  ),
]

const refused = [
  step('grant_self', 'alice', grant(alice, alice, generic(sendType))),
  refusedGrant('to_nonsense', generic(sendType), { grantee: 'nonsense' }),
  refusedGrant('to_nobody', generic(sendType), { grantee: '' }),
  refusedGrant('to_another_chain', generic(sendType), { grantee: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6' }),
  refusedGrant('to_blocked', generic(sendType), { grantee: createAddressCodec('wasm').encode(moduleAddress('wasm')) }),
  step('grant_to_stranger', 'alice', grant(alice, stranger, generic(sendType))),
  refusedGrant('nothing', undefined),
  refusedGrant('no_authorization', pay()),
  refusedGrant('unknown_type', generic('/x.y.MsgZ')),
  refusedGrant('no_type', generic('')),
  refusedGrant('past', generic(sendType), { expiration: ({ now }) => at(now - 100n) }),
  refusedGrant('year_10000', generic(sendType), { expiration: () => at(253402300800n) }),
  refusedGrant('send_without_limit', sends([])),
  refusedGrant('send_zero', sends(coins(0))),
  refusedGrant('send_negative', sends(coins(-1))),
  refusedGrant('send_huge', sends(coins(2n ** 256n))),
  refusedGrant('send_duplicate_address', sends(coins(1), carol, carol)),
]

const limits = [
  step('grant_send', 'alice', grant(alice, bob, sends([coin(50, 'stake'), coin(100)], validator, carol)), {
    queries: lookAround,
  }),
  step('exec_send', 'bob', exec(bob, pay(60)), { queries: lookAround }),
  step('exec_send_too_much', 'bob', exec(bob, pay(41))),
  step('exec_send_to_other', 'bob', exec(bob, pay(1, bob))),
  step('exec_send_rest_of_one', 'bob', exec(bob, pay(40)), { queries: lookAround }),
  step('exec_send_rest', 'bob', exec(bob, send(alice, carol, coins(50, 'stake'))), { queries: lookAround }),
  step('exec_send_used_up', 'bob', exec(bob, pay(1))),
  step('grant_send_unsorted', 'alice', grant(alice, bob, sends([coin(5), coin(5, 'stake')]))),
  step('exec_send_unsorted', 'bob', exec(bob, pay(1))),
  step('grant_send_duplicate', 'alice', grant(alice, bob, sends([coin(5), coin(6)]))),
  step('exec_send_duplicate', 'bob', exec(bob, pay(7)), { queries: lookAround }),
  step('exec_send_bad_coins', 'bob', exec(bob, send(alice, carol, [coin(1), coin(1)]))),
  step('exec_send_zero', 'bob', exec(bob, pay(0))),
  step('exec_send_negative', 'bob', exec(bob, pay(-1))),
]

const ends = [
  step('grant_ending', 'alice', ({ now }) => grant(alice, bob, generic(multiSendType), at(now + 500n, 7)), {
    queries: lookAround,
  }),
  step('grant_ending_together', 'alice', ({ now }) =>
    grant(alice, carol, generic(sendType), at((now / 1000n + 5n) * 1000n)),
  ),
  step('grant_ending_together_2', 'alice', ({ now }) =>
    grant(alice, carol, generic(multiSendType), at((now / 1000n + 5n) * 1000n)),
  ),
  step('grant_ending_again', 'alice', ({ now }) =>
    grant(alice, carol, sends(coins(5)), at((now / 1000n + 5n) * 1000n)),
  ),
  step('grant_ending_later', 'alice', ({ now }) => grant(alice, carol, generic(sendType), at(now + 9000n))),
  step('grant_without_end', 'alice', grant(alice, carol, generic(sendType)), { queries: lookAround }),
  step('grant_soon', 'alice', ({ now }) => grant(alice, bob, generic(sendType), at(now + 4n))),
  step('exec_soon', 'bob', exec(bob, pay())),
  step('exec_ended', 'bob', exec(bob, pay()), { wait: 6000, queries: lookAround }),
  step('revoke_ending', 'alice', revoke(alice, carol, multiSendType), { queries: lookAround }),
  step('revoke', 'alice', revoke(alice, carol, sendType), { queries: lookAround }),
  step('revoke_twice', 'alice', revoke(alice, carol, sendType)),
  step('revoke_self', 'alice', revoke(alice, alice, sendType)),
  step('revoke_nonsense', 'alice', revoke(alice, 'nonsense', sendType)),
  step('revoke_no_type', 'alice', revoke(alice, carol, '')),
  step('grant_amino', 'alice', ({ now }) => grant(alice, bob, sends(coins(9), carol), at(now + 5000n)), amino),
  step('exec_amino', 'bob', exec(bob, pay(2), send(bob, carol, coins(1))), amino),
  step('revoke_amino', 'alice', revoke(alice, bob, sendType), amino),
]

export const authzSteps = [...grants, ...refused, ...limits, ...ends]
