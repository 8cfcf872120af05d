import type { Vesting } from '@coin/runtime/account'
import { testWrite } from '@coin/runtime/testing/contexts'
import { createAddressCodec } from '@coin/wire/addresses'
import { formatCoins, noCoins } from '@coin/wire/coins'
import { createAuthKeeper } from '@coin/x/auth/keeper'
import { createAuthModule } from '@coin/x/auth/module'
import { unorderedNonces } from '@coin/x/auth/state'
import { createBankKeeper } from '@coin/x/bank/keeper'
import { beforeEach, describe, expect, it } from 'vitest'
import { appStateOf, authParams, createTestChain } from './testing/test-chain.js'

const addresses = createAddressCodec('coin')
const permissions = { mint: ['minter'], bonded_tokens_pool: ['burner', 'staking'] }
const auth = createAuthKeeper({ addresses, permissions, takesUnordered: true })
const bank = createBankKeeper({ accounts: auth, addresses, blocked: new Set() })
const [holder, other] = [1, 2].map((n) => new Uint8Array(20).fill(n)) as [Uint8Array, Uint8Array]
const stake = (amount: bigint) => [{ denom: 'stake', amount }]

describe('a holder whose coins are locked', () => {
  let ctx = testWrite(['acc', 'bank'])
  let pool: Uint8Array
  const permanent: Vesting = {
    ...{ kind: 'permanent', original: stake(70n), delegatedFree: noCoins, delegatedVesting: noCoins },
    ...{ startTime: 0n, endTime: 0n, periods: [] },
  }
  const tracked = () => {
    const { delegatedFree, delegatedVesting } = auth.get(ctx, holder)!.vesting!
    return [formatCoins(delegatedFree), formatCoins(delegatedVesting), bank.spendableOf(ctx, holder, 'stake')]
  }
  beforeEach(() => {
    ctx = testWrite(['acc', 'bank'])
    auth.createVesting(ctx, holder, () => permanent)
    pool = auth.moduleAccount(ctx, 'bonded_tokens_pool').address
    bank.mint(ctx, 'mint', stake(100n))
    bank.sendFromModule(ctx, 'mint', holder, stake(100n))
  })

  it('spends the rest only', () => {
    expect(formatCoins(bank.spendableCoins(ctx, holder))).toBe('30stake')
    expect(() => bank.send(ctx, holder, other, stake(31n))).toThrow(
      'spendable balance 30stake is smaller than 31stake: insufficient funds',
    )
    bank.send(ctx, holder, other, stake(30n))
    expect(bank.spendableCoins(ctx, holder)).toEqual([])
  })

  it('delegates what is locked first, and gets what was free back first', () => {
    bank.delegate(ctx, holder, pool, stake(60n))
    expect(tracked()).toEqual(['', '60stake', 30n])
    expect(ctx.events.events.slice(-2).map(({ type }) => type)).toEqual(['coin_spent', 'coin_received'])
    bank.delegate(ctx, holder, pool, stake(40n))
    expect(tracked()).toEqual(['30stake', '70stake', 0n])
    bank.undelegate(ctx, pool, holder, stake(50n))
    expect(tracked()).toEqual(['', '50stake', 30n])
    expect(bank.balanceOf(ctx, pool, 'stake')).toBe(50n)
  })

  it('has locked more than it holds when its stake is gone', () => {
    bank.delegate(ctx, holder, pool, stake(100n))
    const account = auth.get(ctx, holder)!
    auth.set(ctx, holder, { ...account, vesting: { ...account.vesting!, delegatedVesting: noCoins } })
    expect(() => bank.send(ctx, holder, other, stake(1n))).toThrow(
      'locked amount exceeds account balance funds: 70stake > 0stake: insufficient funds',
    )
    expect(bank.spendableCoins(ctx, holder)).toEqual([])
    expect(bank.spendableOf(ctx, holder, 'stake')).toBe(-70n)
  })

  it.each([
    [
      'more than is held',
      () => bank.delegate(ctx, holder, pool, stake(101n)),
      'failed to delegate; 100stake is smaller',
    ],
    ['to nobody', () => bank.delegate(ctx, holder, other, stake(1n)), 'module account coin1'],
    ['zero', () => bank.delegate(ctx, holder, pool, stake(0n)), '0stake: invalid coins'],
    ['below zero', () => bank.delegate(ctx, holder, pool, stake(-1n)), '-1stake: invalid coins'],
    ['a denom twice', () => bank.delegate(ctx, holder, pool, [...stake(1n), ...stake(1n)]), 'invalid coins'],
    ['back from nobody', () => bank.undelegate(ctx, other, holder, stake(1n)), 'module account coin1'],
    ['back, zero', () => bank.undelegate(ctx, pool, holder, stake(0n)), '0stake: invalid coins'],
    ['back, more than there is', () => bank.undelegate(ctx, pool, holder, stake(1n)), 'spendable balance 0stake'],
  ])('delegates not: %s', (_, run, reason) => {
    expect(() => ctx.branch(run)).toThrow(reason)
    expect(tracked()).toEqual(['', '', 30n])
  })

  it('is tracked only when it is there', () => {
    expect(() => ctx.branch((inner) => bank.undelegate(inner, holder, other, stake(1n)))).toThrow(
      'failed to track undelegation: account coin1',
    )
  })
})

describe('nonces of unordered transactions', () => {
  it('go when their time has come, others stay', () => {
    const ctx = testWrite(['acc', 'bank'])
    const { preBlock } = createAuthModule(auth)
    const given = [ctx.time - 1n, ctx.time, ctx.time + 1n, ctx.time + 600_000_000_000n]
    for (const time of given) for (const signer of [holder, other]) auth.unordered!.use(ctx, signer, time)
    expect(auth.unordered!.use(ctx, holder, given[3]!)).toBe(false)
    preBlock!(ctx)
    expect([...unorderedNonces.entries(ctx)].map(([[time]]) => time)).toEqual([given[2], given[2], given[3], given[3]])
    expect(createAuthModule(createAuthKeeper({ addresses, permissions })).preBlock).toBeUndefined()
  })
})

const address = addresses.encode(holder)
const coins = [{ denom: 'ucoin', amount: '5' }]
const baseOf = (change: object = {}) => ({
  base_account: { address, pub_key: null, account_number: '0', sequence: '0' },
  ...{ original_vesting: coins, delegated_free: [], delegated_vesting: [], end_time: '20' },
  ...change,
})
const periods = [
  { length: '4', amount: [{ denom: 'ucoin', amount: '2' }] },
  { length: '6', amount: [{ denom: 'ucoin', amount: '3' }] },
]
const continuous = (change: object = {}, start = '10') => ({
  ...{ '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount', base_vesting_account: baseOf(change) },
  start_time: start,
})
const periodic = (change: object = {}) => ({
  ...{ '@type': '/cosmos.vesting.v1beta1.PeriodicVestingAccount', base_vesting_account: baseOf(change) },
  ...{ start_time: '10', vesting_periods: periods },
})
const others = ['DelayedVestingAccount', 'PermanentLockedAccount'].map((name, i) => ({
  ...{ '@type': `/cosmos.vesting.v1beta1.${name}`, base_vesting_account: baseOf(i === 0 ? {} : { end_time: '0' }) },
}))
const bare = { '@type': '/cosmos.vesting.v1beta1.BaseVestingAccount', ...baseOf() }

function chainOf(account: object) {
  const appState = appStateOf({ [address]: '9' }, 'ucoin', { auth: { params: authParams, accounts: [account] } })
  return createTestChain({ appState })
}

describe('a genesis', () => {
  it.each([continuous(), periodic(), ...others, bare])('gives back the account it got: %#', (account) => {
    const chain = chainOf(account)
    chain.deliver()
    const { auth: exported } = chain.app.exportGenesis() as { auth: { accounts: readonly { '@type': string }[] } }
    expect(exported.accounts.find((it) => it['@type'] === account['@type'])).toEqual(account)
  })

  const module = (name: string) => ({
    ...{ '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account: baseOf().base_account, name, permissions: [] },
  })
  const pubKey = { '@type': '/cosmos.crypto.secp256k1.PubKey', key: Buffer.alloc(33, 2).toString('base64') }
  it.each([
    ['a start behind the end', continuous({}, '20'), 'vesting start-time cannot be before end-time'],
    [
      'more seconds than there are',
      continuous({ end_time: `${2n ** 63n - 1n}` }, '-5'),
      'is longer than 2^63 - 1 seconds',
    ],
    [
      'an end below zero',
      { ...others[0], base_vesting_account: baseOf({ end_time: '-1' }) },
      'end time cannot be negative',
    ],
    ['an end of what has none', { ...others[1], base_vesting_account: baseOf() }, 'cannot have an end-time'],
    ['no coins', continuous({ original_vesting: [] }), 'invalid coins'],
    [
      'coins below zero',
      continuous({ original_vesting: [{ denom: 'ucoin', amount: '-5' }] }),
      'invalid coins: -5ucoin',
    ],
    ['coins twice', continuous({ original_vesting: [...coins, ...coins] }), 'invalid coins: 5ucoin,5ucoin'],
    ['letters for coins', continuous({ original_vesting: [{ denom: 'ucoin', amount: 'x' }] }), 'x'],
    [
      'delegated more',
      continuous({ delegated_vesting: [{ denom: 'ucoin', amount: '6' }] }),
      'cannot be greater than original',
    ],
    ['delegated twice', continuous({ delegated_free: [...coins, ...coins] }), 'delegated coins are not sorted'],
    ['periods that end elsewhere', periodic({ end_time: '21' }), 'does not match length of all vesting periods'],
    [
      'periods of other coins',
      periodic({ original_vesting: [{ denom: 'ucoin', amount: '6' }] }),
      'does not match the sum',
    ],
    ['no base account', { ...others[0], base_vesting_account: null }, 'without base account'],
    ['a key of somebody else', { ...bare, base_account: { ...bare.base_account, pub_key: pubKey } }, 'do not match'],
    ['a module without name', module(' '), 'module account name cannot be blank'],
    ['a module elsewhere', module('mint'), "cannot be derived from the module name 'mint'"],
  ])('is refused with %s', (_, account, reason) => {
    expect(() => chainOf(account)).toThrow(reason)
  })
})
