import { utf8ToBytes } from '@coin/base/bytes'
import { createAddressCodec } from '@coin/wire/addresses'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendMsg, type TestAccount, testAccount } from './testing/signing.js'
import { appStateOf, createTestChain } from './testing/test-chain.js'

const codec = createAddressCodec('coin')
const address = (number: number) => codec.encode(new Uint8Array(20).map((_, at) => (at < 2 ? number >> (8 * at) : 9)))
const basic = { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', spend_limit: [{ denom: 'ucoin', amount: '900' }] }
const soon = '2026-01-01T00:00:01.500Z'
const later = '2036-01-01T00:00:00Z'

let alice: TestAccount
let bob: TestAccount
beforeAll(async () => {
  alice = await testAccount('alice')
  bob = await testAccount('bob')
})

const start = (extra: object) =>
  createTestChain({ appState: appStateOf({ [alice.address]: '9000000', [bob.address]: '1000' }, 'ucoin', extra) })

const pruneMsg = (pruner: string) => ({ typeUrl: '/cosmos.feegrant.v1beta1.MsgPruneAllowances', value: { pruner } })

describe('grants of the genesis', () => {
  const allowances = () => [
    { granter: alice.address, grantee: bob.address, allowance: { ...basic, expiration: null } },
    {
      granter: bob.address,
      grantee: alice.address,
      allowance: {
        '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance',
        allowance: {
          '@type': '/cosmos.feegrant.v1beta1.PeriodicAllowance',
          basic: { spend_limit: [], expiration: later },
          period: '60s',
          period_spend_limit: [{ denom: 'ucoin', amount: '5' }],
          period_can_spend: [],
          period_reset: later,
        },
        allowed_messages: ['/cosmos.bank.v1beta1.MsgSend'],
      },
    },
  ]
  const generic = { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '/cosmos.gov.v1.MsgVote' }
  const limited = {
    '@type': '/cosmwasm.wasm.v1.ContractExecutionAuthorization',
    grants: [
      {
        contract: address(1),
        limit: { '@type': '/cosmwasm.wasm.v1.MaxCallsLimit', remaining: '3' },
        filter: { '@type': '/cosmwasm.wasm.v1.AllowAllMessagesFilter' },
      },
    ],
  }
  const authorizations = () => [
    { granter: alice.address, grantee: bob.address, authorization: generic, expiration: later },
    { granter: bob.address, grantee: alice.address, authorization: generic, expiration: null },
  ]

  it('are the same after export and import, and every invariant holds', () => {
    const chain = start({ feegrant: { allowances: allowances() }, authz: { authorization: authorizations() } })
    chain.deliver()
    const exported = chain.app.exportGenesis()
    const sorted = (list: unknown) => [...(list as object[])].map((it) => JSON.stringify(it)).sort()
    expect(sorted((exported.feegrant as { allowances: unknown }).allowances)).toEqual(sorted(allowances()))
    expect(sorted((exported.authz as { authorization: unknown }).authorization)).toEqual(sorted(authorizations()))
    const second = createTestChain({ appState: utf8ToBytes(JSON.stringify(exported)) })
    second.deliver()
    expect(second.app.exportGenesis()).toEqual(exported)
    expect(second.app.info().lastAppHash).toEqual(chain.app.info().lastAppHash)
    const checks = second.app.checkInvariants()
    expect(checks.filter(({ module }) => module === 'authz' || module === 'feegrant')).toHaveLength(3)
    expect(checks.filter(({ broken }) => broken !== undefined)).toEqual([])
  })

  it('are left out when they have ended, or refused when they never were any', () => {
    const past = '2020-01-01T00:00:00Z'
    const chain = start({ authz: { authorization: [{ ...authorizations()[0], expiration: past }] } })
    chain.deliver()
    expect(chain.app.exportGenesis().authz).toEqual({ authorization: [] })
    const refused: readonly [object, RegExp][] = [
      [{ feegrant: { allowances: [{ ...allowances()[0], allowance: limited }] } }, /fee grant of .*no allowance/],
      [{ feegrant: { allowances: [allowances()[0], allowances()[0]] } }, /already exists/],
      [{ feegrant: { allowances: [{ ...allowances()[0], grantee: 'x' }] } }, /fee grant of .* to x/],
      [{ authz: { authorization: [{ ...authorizations()[0], authorization: basic }] } }, /is no authorization/],
      [{ authz: { authorization: [{ ...authorizations()[0], granter: 'x' }] } }, /grant of x/],
    ]
    for (const [extra, text] of refused) expect(() => start(extra)).toThrow(text)
  })
})

describe('fee grants that have ended', () => {
  it('go 200 in a block, 75 by a message', async () => {
    const allowances = Array.from({ length: 300 }, (_, number) => ({
      granter: alice.address,
      grantee: address(number + 1),
      allowance: { ...basic, expiration: soon },
    }))
    const chain = start({ feegrant: { allowances } })
    const left = () => (chain.app.exportGenesis().feegrant as { allowances: unknown[] }).allowances.length
    chain.deliver()
    expect(left()).toBe(300)
    const result = chain.deliver(await chain.sign(alice, [pruneMsg(alice.address)], { gas: 2_000_000 })).txResults[0]!
    expect(result.code, result.log).toBe(0)
    expect(left()).toBe(300 - 75 - 200)
    chain.deliver()
    expect(left()).toBe(0)
  })
})

describe('a grant that a contract or a client may try to misuse', () => {
  it('is not spent by a transaction that fails before its messages', async () => {
    const chain = start({
      feegrant: { allowances: [{ granter: alice.address, grantee: bob.address, allowance: basic }] },
    })
    chain.deliver()
    const before = chain.app.exportGenesis().feegrant
    const options = { fee: '500', feeGranter: alice.address }
    const msgs = [sendMsg(bob.address, alice.address, '1')]
    const badlySigned = await chain.sign(bob, msgs, { ...options, chainId: 'other' })
    expect(chain.deliverOne(badlySigned)).toMatchObject({ code: 4, codespace: 'sdk' })
    expect(chain.app.exportGenesis().feegrant).toEqual(before)
    const good = await chain.sign(bob, msgs, options)
    expect(chain.deliverOne(good).code).toBe(0)
    expect(chain.app.exportGenesis().feegrant).not.toEqual(before)
    expect(chain.balance(bob.address)).toBe(999n)
    expect(chain.balance(alice.address)).toBe(8_999_501n)
  })
})
